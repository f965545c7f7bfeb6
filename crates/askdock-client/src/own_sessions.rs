//! The secrets of the sessions that this user's commands opened, so that a later command can wait
//! for or cancel what an earlier one asked.

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use crate::client::SECRETS;
use crate::private_file::{self, open_lock};
use crate::{ClientError, Paths};

/// Sessions that are kept; older ones are forgotten first.
const KEPT: usize = SECRETS;

/// Session ids with their secrets, most recently used last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnSessions {
    sessions: Vec<OwnSession>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OwnSession {
    id: String,
    secret: String,
}

impl OwnSessions {
    /// Those remembered. A missing or damaged file: none.
    pub fn load(paths: &Paths) -> Self {
        private_file::read(&paths.own_sessions()).unwrap_or_default()
    }

    /// The secrets, most recently used last.
    pub fn secrets(&self) -> Vec<String> {
        self.sessions.iter().map(|session| session.secret.clone()).collect()
    }

    /// Adds a session to the file; several processes may do so at once.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn remember(paths: &Paths, id: &str, secret: &str) -> Result<(), ClientError> {
        let file = paths.own_sessions();
        let failed = |source| ClientError::File { path: file.clone(), source };
        let lock = open_lock(&file.with_extension("lock")).map_err(failed)?;
        flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
        let mut own = Self::load(paths);
        let session = OwnSession { id: id.to_owned(), secret: secret.to_owned() };
        if own.sessions.last() == Some(&session) {
            return Ok(());
        }
        own.sessions.retain(|known| known.id != id);
        own.sessions.push(session);
        let surplus = own.sessions.len().saturating_sub(KEPT);
        own.sessions.drain(..surplus);
        private_file::write(&file, &own).map_err(failed)
    }
}
