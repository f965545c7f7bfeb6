//! Real notification servers on a display, and their buttons under the pointer.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result};
use tempfile::TempDir;
use tokio::process::Child;

use super::{Display, until};

/// Narrower things in the row of buttons are text or frames.
const NARROWEST_BUTTON: usize = 40;

/// A kind of notification server, and where distributions install it.
#[derive(Debug, Clone, Copy)]
pub struct NoticeProgram {
    /// The name of its windows.
    pub window: &'static str,
    paths: &'static [&'static str],
}

/// Xfce's: every button is drawn.
pub const XFCE: NoticeProgram = NoticeProgram {
    window: "xfce4-notifyd",
    paths: &[
        "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
        "/usr/lib/aarch64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
        "/usr/lib/xfce4/notifyd/xfce4-notifyd",
    ],
};

/// Draws no buttons.
pub const DUNST: NoticeProgram = NoticeProgram { window: "dunst", paths: &["/usr/bin/dunst"] };

impl NoticeProgram {
    /// Its path, where it is installed.
    pub fn installed(&self) -> Option<&'static str> {
        self.paths.iter().copied().find(|path| Path::new(path).exists())
    }

    /// Starts it on this display.
    ///
    /// # Errors
    /// It is not installed.
    pub fn start(&self, display: &Display) -> Result<RunningNotices> {
        let program = self.installed().with_context(|| format!("no {} here", self.window))?;
        let settings = tempfile::tempdir()?;
        let process = display
            .command(program)
            .env("HOME", settings.path())
            .env("XDG_CONFIG_HOME", settings.path())
            .env("NO_AT_BRIDGE", "1")
            .stdout(Stdio::null())
            .spawn()
            .context(program)?;
        Ok(RunningNotices { process, _settings: settings })
    }
}

/// A running notification server; killed when dropped.
pub struct RunningNotices {
    process: Child,
    _settings: TempDir,
}

impl RunningNotices {
    /// Ends it at once.
    ///
    /// # Errors
    /// It cannot be ended.
    pub async fn kill(mut self) -> Result<()> {
        self.process.kill().await.context("the notification server")
    }
}

/// A visible window, and where it is on the screen.
#[derive(Debug, Clone)]
pub struct Area {
    id: String,
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    fn read(id: &str, geometry: &str) -> Option<Self> {
        let read = |field: &str| {
            let line = geometry.lines().find_map(|line| line.strip_prefix(field));
            line.and_then(|number| number.parse().ok())
        };
        Some(Self {
            id: id.to_owned(),
            left: read("X=")?,
            top: read("Y=")?,
            width: read("WIDTH=")?,
            height: read("HEIGHT=")?,
        })
    }

    /// Its middle.
    pub fn middle(&self) -> (usize, usize) {
        (self.left + self.width / 2, self.top + self.height / 2)
    }
}

impl Display {
    /// The visible windows with this name.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn areas(&self, name: &str) -> Result<Vec<Area>> {
        let found = self.output("xdotool", &["search", "--onlyvisible", "--name", name]).await?;
        let mut areas = vec![];
        for id in found.lines() {
            let geometry = self.output("xdotool", &["getwindowgeometry", "--shell", id]).await?;
            // None: it has gone meanwhile.
            areas.extend(Area::read(id, &geometry));
        }
        Ok(areas)
    }

    /// The visible window with this name, once there is one.
    ///
    /// # Errors
    /// There never is.
    pub async fn area(&self, name: &str) -> Result<Area> {
        until(name, || async { Ok(self.areas(name).await?.into_iter().next()) }).await
    }

    /// Waits until no window with this name is visible.
    ///
    /// # Errors
    /// One stays.
    pub async fn no_area(&self, name: &str) -> Result<()> {
        let gone = || async { Ok(self.areas(name).await?.is_empty().then_some(())) };
        until(&format!("the end of {name}"), gone).await
    }

    /// The middles of the buttons, left to right, once exactly `count` of them are painted.
    ///
    /// # Errors
    /// They never are.
    pub async fn buttons(&self, area: &Area, count: usize) -> Result<Vec<(usize, usize)>> {
        until(&format!("{count} buttons"), || async {
            let args = ["-window", &area.id, "-depth", "8", "gray:-"];
            let pixels = self.command("import").args(args).output().await?.stdout;
            // A window of another size is painted by the time it is looked at again.
            if pixels.len() != area.width * area.height {
                return Ok(None);
            }
            let rows = pixels.chunks_exact(area.width).map(button_middles).enumerate();
            let cut: Vec<_> = rows.filter(|(_, cut)| cut.len() == count).collect();
            // The first and the last of these rows are the buttons' frames.
            let place = |y: usize, x: &usize| (area.left + x, area.top + y);
            Ok(cut
                .get(cut.len() / 2)
                .map(|(y, middles)| middles.iter().map(|x| place(*y, x)).collect()))
        })
        .await
    }

    /// Presses a button of the pointer at this place.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn press(&self, (x, y): (usize, usize), button: u8) -> Result<()> {
        let (x, y, button) = (x.to_string(), y.to_string(), button.to_string());
        self.output("xdotool", &["mousemove", "--sync", &x, &y, "click", &button]).await?;
        // Away again: a button under the pointer is painted brighter.
        self.output("xdotool", &["mousemove", "5", "790"]).await.map(|_| ())
    }
}

/// Middles of what differs from the background at the row's ends for long enough to be a button.
fn button_middles(row: &[u8]) -> Vec<usize> {
    let Some(background) = row.get(4) else { return Vec::new() };
    let mut middles = Vec::new();
    let mut start = None;
    // The frame of the window is not part of the row.
    for (x, pixel) in row.iter().enumerate().skip(4).take(row.len().saturating_sub(8)) {
        match (pixel == background, start) {
            (false, None) => start = Some(x),
            (true, Some(from)) => {
                if x - from >= NARROWEST_BUTTON {
                    middles.push((from + x) / 2);
                }
                start = None;
            }
            _ => {}
        }
    }
    middles
}
