//! A headless hub of the release build in a folder of its own.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use askdock_client::{Client, Paths, Program, Role};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

pub(crate) struct BenchHub {
    pub(crate) folder: TempDir,
    _process: Child,
}

impl BenchHub {
    /// Starts `askdock serve`; `bus` is the session bus that it may notify over.
    pub(crate) async fn start(bus: Option<&str>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let program = std::env::var_os("ASKDOCK_BIN").context("run me with `cargo xtask bench`")?;
        let mut command = Command::new(program);
        command
            .arg("serve")
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", folder.path())
            .env("ASKDOCK_HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .kill_on_drop(true);
        if let Some(bus) = bus {
            command.env("DBUS_SESSION_BUS_ADDRESS", bus);
        }
        let mut process = command.spawn()?;
        let stdout = process.stdout.take().context("the hub's output")?;
        let mut lines = BufReader::new(stdout).lines();
        loop {
            match lines.next_line().await? {
                Some(line) if line.starts_with("listening on ") => break,
                Some(_) => {}
                None => bail!("the hub ended before it listened"),
            }
        }
        Ok(Self { folder, _process: process })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn client(&self, role: Role) -> Client {
        Client::new(Paths::under(self.path().to_owned()), role, Program::Cli)
    }
}
