//! The Unix socket: a file of mode 0600 in a folder of mode 0700, both ours.

use std::fs::{DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tokio::net::UnixListener;

/// Why the socket could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// There was no path to try.
    #[error("there is no folder for the socket; set ASKDOCK_HOME to one with a short path")]
    NoCandidate,
    /// The folder, or what stands at the socket's place, isn't ours to use.
    #[error("{path} {problem}; remove it, or set ASKDOCK_HOME to a folder of your own")]
    NotOurs {
        /// What it is about.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The system refused.
    #[error("the socket {path} could not be made: {source}")]
    Io {
        /// What it is about.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Binds the first of `candidates` that can be had, best first, and says which. One on which
/// another installation's hub listens is left alone. The conditions of [`bind_socket`] hold.
///
/// # Errors
/// None can be had: why not the last one.
pub fn bind_first(candidates: &[PathBuf]) -> Result<(UnixListener, PathBuf), SocketError> {
    let mut last = SocketError::NoCandidate;
    for path in candidates {
        // Our own last hub is dead, as its lock is ours: whoever listens belongs to others.
        if std::os::unix::net::UnixStream::connect(path).is_ok() {
            last = SocketError::NotOurs { path: path.clone(), problem: "serves another hub" };
            continue;
        }
        match bind_socket(path) {
            Ok(listener) => return Ok((listener, path.clone())),
            Err(error) => {
                tracing::debug!(%error, "trying the next place for the socket");
                last = error;
            }
        }
    }
    Err(last)
}

/// Binds the socket at `path`, making its folder where it is missing.
///
/// Call this only while holding the hub lock: what is left at `path` by a hub that died is
/// removed, and the lock is what tells a dead hub from a living one. The folder becomes private
/// (0700), so give the socket one of its own.
///
/// # Errors
/// The folder or the file belongs to somebody else or is of another kind; the system refused,
/// for example because the path is longer than a socket address (107 bytes on Linux, 103 on
/// macOS).
pub fn bind_socket(path: &Path) -> Result<UnixListener, SocketError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        |source| SocketError::Io { path, source }
    };
    if let Some(folder) = path.parent() {
        private_folder(folder)?;
    }
    match path.symlink_metadata() {
        Ok(found) if found.file_type().is_socket() => {
            std::fs::remove_file(path).map_err(at(path))?;
        }
        Ok(_) => {
            return Err(SocketError::NotOurs {
                path: path.to_owned(),
                problem: "is in the way of the socket",
            });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(at(path)(error)),
    }
    // Nobody else can enter the folder, so there is no moment at which the socket is open to all.
    let listener = UnixListener::bind(path).map_err(at(path))?;
    std::fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(at(path))?;
    Ok(listener)
}

fn private_folder(folder: &Path) -> Result<(), SocketError> {
    let at = |source| SocketError::Io { path: folder.to_owned(), source };
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(at)?;
    let found = folder.symlink_metadata().map_err(at)?;
    let problem = if !found.is_dir() {
        "is not a folder"
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        "belongs to another user"
    } else {
        return std::fs::set_permissions(folder, Permissions::from_mode(0o700)).map_err(at);
    };
    Err(SocketError::NotOurs { path: folder.to_owned(), problem })
}
