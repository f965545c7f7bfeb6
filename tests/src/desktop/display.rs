//! An X server with a window manager and a session bus, for one test.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::until;
use crate::session_bus::SessionBus;

/// The title of the app's window.
const TITLE: &str = "^Askdock$";

/// A display; gone when dropped, with everything on it.
pub struct Display {
    name: String,
    bus: SessionBus,
    _window_manager: Child,
    _server: Child,
}

impl Display {
    /// Starts Xvfb on a free number, openbox on it, and a session bus beside it.
    ///
    /// # Errors
    /// One of them is not installed or does not start.
    pub async fn start() -> Result<Self> {
        // -noreset: else the first client that leaves while it is alone restarts the server, and
        // takes a window manager that is just coming down with it.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"])
            .arg("-noreset")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("Xvfb")?;
        let output = server.stdout.take().context("no output of Xvfb")?;
        let mut number = String::new();
        BufReader::new(output).read_line(&mut number).await?;
        ensure!(!number.trim().is_empty(), "Xvfb started without saying on which display");
        let name = format!(":{}", number.trim());

        let window_manager = Command::new("openbox")
            .env("DISPLAY", &name)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("openbox")?;
        let bus = SessionBus::start().await?;
        let display = Self { name, bus, _window_manager: window_manager, _server: server };
        until("the window manager", || async {
            let managed = display.output("xprop", &["-root", "_NET_SUPPORTING_WM_CHECK"]).await?;
            Ok(managed.contains("window id").then_some(()))
        })
        .await?;
        Ok(display)
    }

    /// For `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// For `DBUS_SESSION_BUS_ADDRESS`.
    pub fn bus_address(&self) -> &str {
        self.bus.address()
    }

    /// The app's window, if one can be seen.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn window(&self) -> Result<Option<String>> {
        let found = self.output("xdotool", &["search", "--onlyvisible", "--name", TITLE]).await?;
        // A dialog has the same title; the window was made before it.
        Ok(found.lines().next().map(str::to_owned))
    }

    /// The app's window, once it can be seen.
    ///
    /// # Errors
    /// It never can.
    pub async fn window_shown(&self) -> Result<String> {
        until("the app's window", || self.window()).await
    }

    /// Whether the app's window has the focus.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn has_focus(&self, window: &str) -> Result<bool> {
        Ok(self.output("xdotool", &["getactivewindow"]).await?.trim() == window)
    }

    /// Presses a key, named as xdotool does, in whatever has the focus.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn key(&self, key: &str) -> Result<()> {
        self.output("xdotool", &["key", key]).await.map(|_| ())
    }

    /// Types as fast as a person can't, into whatever has the focus; a line break is Enter.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        self.output("xdotool", &["type", "--delay", "8", text]).await.map(|_| ())
    }

    /// Closes the window as the person does, by the window manager.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn close(&self, window: &str) -> Result<()> {
        self.output("xdotool", &["windowactivate", "--sync", window, "key", "alt+F4"])
            .await
            .map(|_| ())
    }

    /// Minimises the window.
    ///
    /// # Errors
    /// xdotool can't be run.
    pub async fn minimise(&self, window: &str) -> Result<()> {
        self.output("xdotool", &["windowminimize", "--sync", window]).await.map(|_| ())
    }

    /// Keeps a picture of the whole screen among the artefacts, and says where.
    ///
    /// # Errors
    /// ImageMagick's `import` can't be run.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/artefacts"));
        std::fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{name}.png"));
        self.output("import", &["-window", "root", &file.to_string_lossy()]).await?;
        ensure!(file.is_file(), "no picture was taken");
        Ok(file)
    }

    /// What a program on this display prints, whatever its exit code.
    ///
    /// # Errors
    /// It can't be run.
    pub async fn output(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let output = self.command(program).args(arguments).output().await;
        let output = output.with_context(|| program.to_owned())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A program on this display and its bus, still to be started; killed when dropped.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("DISPLAY", &self.name)
            .env("DBUS_SESSION_BUS_ADDRESS", self.bus_address())
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        command
    }
}
