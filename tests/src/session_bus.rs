//! A private D-Bus session bus for one test.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Nothing is started by asking for it (no service folders), and everybody may say anything, as
/// on a real session bus.
const CONFIG: &str = r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=@SOCKET@</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#;

/// A running `dbus-daemon`, gone when dropped.
pub struct SessionBus {
    daemon: Child,
    address: String,
    _folder: Option<tempfile::TempDir>,
}

impl SessionBus {
    /// Starts one in a folder of its own.
    ///
    /// # Errors
    ///
    /// `dbus-daemon` is not installed or does not start.
    pub async fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let bus = Self::start_in(folder.path()).await?;
        Ok(Self { _folder: Some(folder), ..bus })
    }

    /// Starts one whose address is [`SessionBus::address_in`] this folder.
    ///
    /// # Errors
    ///
    /// As [`SessionBus::start`].
    pub async fn start_in(folder: &Path) -> Result<Self> {
        let config = folder.join("bus.conf");
        let socket = folder.join("bus");
        if socket.exists() {
            std::fs::remove_file(&socket)?;
        }
        let socket = socket.to_str().context("an odd folder for temporary files")?;
        std::fs::write(&config, CONFIG.replace("@SOCKET@", socket))?;
        let mut daemon = Command::new("dbus-daemon")
            .arg("--config-file")
            .arg(&config)
            .args(["--nofork", "--print-address"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("dbus-daemon is not installed")?;
        let output = daemon.stdout.take().context("no output of dbus-daemon")?;
        let mut address = String::new();
        BufReader::new(output).read_line(&mut address).await?;
        let address = address.trim().to_owned();
        if address.is_empty() {
            bail!("dbus-daemon started without saying where it listens");
        }
        Ok(Self { daemon, address, _folder: None })
    }

    /// Where a bus started in this folder listens.
    pub fn address_in(folder: &Path) -> String {
        format!("unix:path={}", folder.join("bus").display())
    }

    /// Its D-Bus address, for `DBUS_SESSION_BUS_ADDRESS`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Kills the bus; everybody on it is cut off.
    ///
    /// # Errors
    ///
    /// It could not be killed.
    pub async fn stop(mut self) -> Result<()> {
        self.daemon.kill().await.context("dbus-daemon")
    }
}
