//! The discovery file: which hub runs and where its socket is. It lies in the data folder,
//! because agents start their tools with little more than HOME.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::waiting::Absence;
use crate::{ClientError, Paths, private_file};

/// The hub that runs, or ran last. It is alive exactly if its socket accepts connections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubFile {
    /// Its socket.
    pub socket: PathBuf,
    /// Its process.
    pub pid: u32,
    /// Identifies this run of it.
    pub hub: String,
    /// Version of its program.
    pub version: String,
    /// The wire version that it speaks.
    pub wire: u32,
    /// Which program it is.
    pub kind: HubKind,
    /// The person quit it: who waits doesn't start it again.
    #[serde(default)]
    pub quit: bool,
    /// The last desktop that was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desktop: Option<DesktopEnvironment>,
}

/// The program that is the hub.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HubKind {
    /// The desktop app.
    Desktop,
    /// `askdock serve`.
    Serve,
}

impl HubKind {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Serve => "serve",
        }
    }
}

impl HubFile {
    /// The last hub that announced itself. `None`: there was none, or the file isn't readable.
    pub fn read(paths: &Paths) -> Option<Self> {
        private_file::read(&paths.hub_file())
    }

    /// Announces this hub, once its socket accepts connections. Without a desktop of its own it
    /// keeps the one last seen.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn announce(mut self, paths: &Paths) -> io::Result<()> {
        if self.desktop.is_none() {
            self.desktop = Self::read(paths).and_then(|last| last.desktop);
        }
        private_file::write(&paths.hub_file(), &self)
    }

    /// Completes when another run than `hub` has announced itself.
    pub async fn other_than(paths: &Paths, hub: &str) -> Self {
        let mut absence = Absence::new(paths);
        loop {
            match Self::read(paths) {
                Some(last) if last.hub != hub => return last,
                _ => absence.over(&ClientError::NoHub).await,
            }
        }
    }

    /// Records that the person quit the hub.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record_quit(paths: &Paths) -> io::Result<()> {
        match Self::read(paths) {
            Some(last) => private_file::write(&paths.hub_file(), &Self { quit: true, ..last }),
            None => Ok(()),
        }
    }
}

/// The variables by which a program finds the display, the session bus and the runtime folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DesktopEnvironment(BTreeMap<String, String>);

impl DesktopEnvironment {
    const DISPLAYS: [&str; 2] = ["DISPLAY", "WAYLAND_DISPLAY"];
    const OTHERS: [&str; 3] = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XAUTHORITY"];

    /// This process's own. `None`: it has no display.
    pub fn of_this_process() -> Option<Self> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// The variables, for a program to start.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        // Only names that we would write: the file must not smuggle in a loader's variable.
        Self::DISPLAYS
            .into_iter()
            .chain(Self::OTHERS)
            .filter_map(|name| Some((name, self.0.get(name)?.as_str())))
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let found = |names: &[&str]| {
            names
                .iter()
                .filter_map(|&name| Some((name.to_owned(), variable(name)?)))
                .filter(|(_, value)| !value.is_empty())
                .collect::<BTreeMap<_, _>>()
        };
        let mut variables = found(&Self::DISPLAYS);
        if variables.is_empty() {
            return None;
        }
        variables.extend(found(&Self::OTHERS));
        Some(Self(variables))
    }
}
