//! The desktop app as a process.

use std::process::{ExitStatus, Stdio};

use anyhow::{Context, Result};
use askdock_client::{Client, Role};
use askdock_wire::ops;
use tokio::process::{Child, Command};

use super::{Display, Page, free_port, until};
use crate::home::{Home, PATIENCE, program};

/// A running app; killed when dropped.
pub struct App {
    process: Child,
    inspector: u16,
    person: Client,
}

impl App {
    /// Starts the app with these arguments and returns once its hub can be reached.
    ///
    /// # Errors
    /// It does not start.
    pub async fn start(home: &Home, display: &Display, arguments: &[&str]) -> Result<Self> {
        let inspector = free_port()?;
        let log = std::fs::File::create(home.path().join("desktop.stderr"))?;
        let process = Self::command(home, display)
            .args(arguments)
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("WEBKIT_INSPECTOR_SERVER", format!("127.0.0.1:{inspector}"))
            .stderr(log)
            .spawn()
            .context("askdock-desktop")?;
        let app = Self { process, inspector, person: home.client(Role::Person) };
        until("the hub", || async { Ok(app.person.reach().await.is_ok().then_some(())) }).await?;
        Ok(app)
    }

    /// The app's program on this display, still to be started: `ASKDOCK_DESKTOP_BIN`, else the
    /// one built beside the test.
    pub fn command(home: &Home, display: &Display) -> Command {
        let mut command = home.command(program("ASKDOCK_DESKTOP_BIN", "askdock-desktop"));
        command
            .env("DISPLAY", display.name())
            .env("DBUS_SESSION_BUS_ADDRESS", display.bus_address())
            .env("ASKDOCK_LOG", "debug")
            // Xvfb has no graphics card.
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// A client with the person's token.
    pub fn person(&self) -> &Client {
        &self.person
    }

    /// Attaches to the first page that the app shows.
    ///
    /// # Errors
    /// There never is one.
    pub async fn page(&self) -> Result<Page> {
        Page::attach(self.inspector).await
    }

    /// Asks for the window, on this batch.
    ///
    /// # Errors
    /// The hub refuses.
    pub async fn open(&self, batch: Option<&str>) -> Result<()> {
        let request = ops::WindowOpenRequest { session: None, batch: batch.map(str::to_owned) };
        self.person.call::<ops::WindowOpen>(&request).await?;
        Ok(())
    }

    /// Lets later closes of the window pass without the box that explains the first.
    ///
    /// # Errors
    /// The hub refuses.
    pub async fn already_told(&self) -> Result<()> {
        let changes = [("told_keep_running".to_owned(), true.into())].into_iter().collect();
        self.person.call::<ops::SettingsSet>(&ops::SettingsPatch { changes }).await?;
        Ok(())
    }

    /// How many processes draw pages for the app.
    ///
    /// # Errors
    /// The process table can't be read.
    pub fn page_processes(&self) -> Result<usize> {
        let own = self.process.id().context("the app has ended")?;
        let mut count = 0;
        for entry in std::fs::read_dir("/proc")? {
            let stat = entry?.path().join("stat");
            // It may have ended meanwhile, or be no process.
            let Ok(stat) = std::fs::read_to_string(stat) else { continue };
            let Some((name, rest)) = stat.rsplit_once(')') else { continue };
            let parent = rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok());
            if parent == Some(own) && name.contains("(WebKitWebProces") {
                count += 1;
            }
        }
        Ok(count)
    }

    /// Ends it at once, as `kill -9` does, and waits until it is gone.
    ///
    /// # Errors
    /// It cannot be ended.
    pub async fn kill(mut self) -> Result<()> {
        self.process.kill().await?;
        Ok(())
    }

    /// Waits until it has ended of itself.
    ///
    /// # Errors
    /// It does not within [`PATIENCE`].
    pub async fn ended(mut self) -> Result<ExitStatus> {
        tokio::time::timeout(PATIENCE, self.process.wait())
            .await
            .context("the app did not end")?
            .context("the app")
    }
}
