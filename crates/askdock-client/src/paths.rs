//! Where Askdock's files are. Clients and hubs use these alone, so that they agree.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::ClientError;

/// The longest path of a socket that every platform takes, in bytes.
const SOCKET_PATH: usize = 100;
const SOCKET: &str = "askdock.sock";

/// The folders and files of one installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    data: PathBuf,
    /// The runtime folder's part for Askdock; absent under `ASKDOCK_HOME` and where the platform
    /// has none.
    runtime: Option<PathBuf>,
}

impl Paths {
    /// From `ASKDOCK_HOME`, which puts everything under one folder, else the platform's folders.
    ///
    /// # Errors
    /// There is no home folder.
    pub fn resolve() -> Result<Self, ClientError> {
        if let Some(home) = std::env::var_os("ASKDOCK_HOME").filter(|home| !home.is_empty()) {
            return Ok(Self::under(absolute(home)));
        }
        let platform =
            directories::ProjectDirs::from("", "", "askdock").ok_or(ClientError::NoHome)?;
        Ok(Self {
            data: platform.data_dir().to_owned(),
            runtime: platform.runtime_dir().map(Path::to_owned),
        })
    }

    /// Everything under `home`, as with `ASKDOCK_HOME`.
    pub fn under(home: PathBuf) -> Self {
        Self { data: home, runtime: None }
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.data.join("askdock.db")
    }

    /// The log files.
    pub fn logs(&self) -> PathBuf {
        self.data.join("logs")
    }

    /// The discovery file: which hub runs, and where.
    pub fn hub_file(&self) -> PathBuf {
        self.data.join("hub.json")
    }

    /// The lock that decides who owns the database.
    pub fn hub_lock(&self) -> PathBuf {
        self.data.join("hub.lock")
    }

    /// The secrets of the sessions that the command line opened.
    pub fn own_sessions(&self) -> PathBuf {
        self.data.join("own-sessions.json")
    }

    /// Where a hub may put its socket, best first: the runtime folder, the data folder, the
    /// temporary folder. Each lies in a folder of its own, and none is too long for a socket.
    /// Clients find the one that was taken in the discovery file.
    pub fn sockets(&self) -> Vec<PathBuf> {
        let mut hasher = DefaultHasher::new();
        self.data.hash(&mut hasher);
        // Two installations share the temporary folder, so the data folder is in the name.
        let temporary = format!("/tmp/askdock-{}", rustix::process::geteuid().as_raw());
        let temporary = Path::new(&temporary).join(format!("{:016x}.sock", hasher.finish()));
        let runtime = self.runtime.as_ref().map(|runtime| runtime.join(SOCKET));
        let data = self.data.join("run").join(SOCKET);
        runtime
            .into_iter()
            .chain([data, temporary])
            .filter(|path| path.as_os_str().as_bytes().len() <= SOCKET_PATH)
            .collect()
    }

    /// Makes the data folder, private to its owner, where it is missing.
    ///
    /// # Errors
    /// The system refuses.
    pub fn create_data_folder(&self) -> Result<(), ClientError> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.data)
            .map_err(|source| ClientError::File { path: self.data.clone(), source })
    }
}

fn absolute(path: OsString) -> PathBuf {
    let path = PathBuf::from(path);
    std::path::absolute(&path).unwrap_or(path)
}
