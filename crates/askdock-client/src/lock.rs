//! The hub lock: who holds it owns the database and the socket.

use std::fs::File;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::private_file::open_lock;
use crate::{ClientError, Paths};

/// The held lock. Dropping it, or the end of the process in any way, lets go.
#[derive(Debug)]
pub struct HubLock {
    _file: File,
}

impl HubLock {
    /// Takes the lock if it is free. `None`: another process has it.
    ///
    /// # Errors
    /// The lock file cannot be used.
    pub fn try_acquire(paths: &Paths) -> Result<Option<Self>, ClientError> {
        let file = open(paths)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(failed(paths, error.into())),
        }
    }

    /// Waits for the lock, however long that takes, without using the processor. Dropping the
    /// future gives up.
    ///
    /// # Errors
    /// The lock file cannot be used.
    pub async fn acquire(paths: &Paths) -> Result<Self, ClientError> {
        let file = open(paths)?;
        let (taken, wait) = tokio::sync::oneshot::channel();
        // Not a worker of the runtime: it would hold up the runtime's end. If nobody waits any
        // more, the lock is dropped as soon as it is had.
        std::thread::Builder::new()
            .name("hub-lock".into())
            .spawn(move || {
                let result = loop {
                    match flock(&file, FlockOperation::LockExclusive) {
                        Err(Errno::INTR) => {}
                        Err(error) => break Err(error),
                        Ok(()) => break Ok(Self { _file: file }),
                    }
                };
                let _ = taken.send(result);
            })
            .map_err(|source| failed(paths, source))?;
        match wait.await {
            Ok(result) => result.map_err(|error| failed(paths, error.into())),
            Err(_) => Err(failed(paths, std::io::Error::other("the waiting thread ended"))),
        }
    }
}

fn open(paths: &Paths) -> Result<File, ClientError> {
    paths.create_data_folder()?;
    open_lock(&paths.hub_lock()).map_err(|source| failed(paths, source))
}

fn failed(paths: &Paths, source: std::io::Error) -> ClientError {
    ClientError::File { path: paths.hub_lock(), source }
}
