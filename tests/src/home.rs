//! A folder of one test's own for everything that Askdock keeps, and the programs run in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use askdock_client::{Client, Paths, Program, Role};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// How long a program may take to do what it is waited for. Far longer than it needs: it only
/// ends a test that would hang.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A temporary `ASKDOCK_HOME`.
pub struct Home {
    folder: TempDir,
    bus: Option<String>,
}

impl Home {
    /// An empty one, without a session bus.
    ///
    /// # Errors
    /// No temporary folder can be made.
    pub fn new() -> Result<Self> {
        Ok(Self { folder: tempfile::tempdir()?, bus: None })
    }

    /// An empty one whose programs see this session bus.
    ///
    /// # Errors
    /// No temporary folder can be made.
    pub fn with_bus(address: &str) -> Result<Self> {
        Ok(Self { bus: Some(address.to_owned()), ..Self::new()? })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where Askdock keeps what in it.
    pub fn paths(&self) -> Paths {
        Paths::under(self.path().to_owned())
    }

    /// A client with the token of this role.
    pub fn client(&self, role: Role) -> Client {
        Client::new(self.paths(), role, Program::Cli)
    }

    /// A program with nothing of the tester's environment but what it needs to run at all.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path())
            .env("ASKDOCK_HOME", self.path())
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .current_dir(self.path())
            .kill_on_drop(true);
        if let Some(bus) = &self.bus {
            command.env("DBUS_SESSION_BUS_ADDRESS", bus);
        }
        command
    }

    /// `askdock` with these arguments.
    pub fn askdock<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = self.command(askdock());
        command.args(arguments);
        command
    }

    /// Runs `askdock` to its end.
    ///
    /// # Errors
    /// It does not start, or does not end within [`PATIENCE`].
    pub async fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Ran> {
        let output = tokio::time::timeout(PATIENCE, self.askdock(arguments).output())
            .await
            .context("askdock did not end")??;
        Ok(Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Starts `askdock serve` and returns once it listens.
    ///
    /// # Errors
    /// It ends before.
    pub async fn serve(&self) -> Result<HubProcess> {
        let mut process = self.askdock(&["serve"]).spawn()?;
        let stdout = process.stdout.take().context("the hub's output")?;
        let mut lines = BufReader::new(stdout).lines();
        let listening = async {
            while let Some(line) = lines.next_line().await? {
                if line.starts_with("listening on ") {
                    return anyhow::Ok(true);
                }
            }
            Ok(false)
        };
        if tokio::time::timeout(PATIENCE, listening).await.context("the hub did not listen")?? {
            return Ok(HubProcess { process, _stdout: lines });
        }
        let mut complaint = String::new();
        if let Some(mut stderr) = process.stderr.take() {
            stderr.read_to_string(&mut complaint).await?;
        }
        bail!("the hub ended before it listened: {complaint}")
    }
}

/// What a program said and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Exit code; `None`: ended by a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output as JSON.
    ///
    /// # Errors
    /// It is none.
    pub fn json(&self) -> Result<serde_json::Value> {
        serde_json::from_str(&self.stdout)
            .with_context(|| format!("no JSON: {:?} (stderr {:?})", self.stdout, self.stderr))
    }
}

/// A running `askdock serve`; killed when dropped.
pub struct HubProcess {
    process: Child,
    /// Open as long as the hub runs: it says again that it listens when it resumes.
    _stdout: Lines<BufReader<ChildStdout>>,
}

impl HubProcess {
    /// Its process id, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.process.id()
    }

    /// Waits until it has ended of itself.
    ///
    /// # Errors
    /// It does not within [`PATIENCE`].
    pub async fn ended(mut self) -> Result<()> {
        tokio::time::timeout(PATIENCE, self.process.wait())
            .await
            .context("the hub did not end")??;
        Ok(())
    }

    /// Ends it at once, as `kill -9` does, and waits until it is gone.
    ///
    /// # Errors
    /// It cannot be ended.
    pub async fn kill(mut self) -> Result<()> {
        self.process.kill().await?;
        Ok(())
    }
}

/// The `askdock` under test: `ASKDOCK_BIN`, else the one built beside this test.
pub fn askdock() -> PathBuf {
    program("ASKDOCK_BIN", "askdock")
}

/// The program named by `variable`, else `name` in the folder into which this test was built.
pub fn program(variable: &str, name: &str) -> PathBuf {
    if let Some(given) = std::env::var_os(variable) {
        return given.into();
    }
    let mut folder = std::env::current_exe().unwrap_or_default();
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    folder.join(name)
}
