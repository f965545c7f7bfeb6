//! One SQLite file: STRICT tables, WAL, `synchronous=FULL`, one writer thread with group commit,
//! read-only connections beside it.
//!
//! A module per table holds its row type and its queries. What is acknowledged was committed.
//! Deliberately absent: policy (the hub decides), serialisation (content, drafts and answers are
//! opaque JSON text here), async.

pub mod ask_keys;
pub mod batches;
pub mod drafts;
pub mod events;
pub mod messages;
pub mod notices;
mod open;
mod schema;
pub mod sessions;
pub mod settings;
pub mod turns;
mod writer;

pub use open::OpenError;
pub use rusqlite::{Connection, Error as SqlError};
pub use schema::SCHEMA_VERSION;
pub use writer::{JobError, WriteError, is_storage_full};

use std::path::Path;
use std::sync::{Mutex, PoisonError, TryLockError};

use writer::Writer;

/// The open database.
pub struct Store {
    writer: Writer,
    readers: Vec<Mutex<Connection>>,
}

/// Read-only connections beside the writer.
const READERS: usize = 2;

impl Store {
    /// Opens or creates the database at `path` and brings its schema up to date.
    ///
    /// # Errors
    /// See [`OpenError`]; a damaged file is moved aside, never deleted.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let connection = open::open_writer(path)?;
        let readers = (0..READERS)
            .map(|_| open::open_reader(path).map(Mutex::new))
            .collect::<Result<_, _>>()?;
        let writer = Writer::start(connection)
            .map_err(|source| OpenError::NoWriter { path: path.to_owned(), source })?;
        Ok(Self { writer, readers })
    }

    /// Queues `job` for the writer. It runs inside a transaction that it may share with others;
    /// an `Err` or a panic undoes only its own changes. `done` runs on the writer thread after the commit,
    /// in commit order, and must not block.
    pub fn write<T, E>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, WriteError<E>>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: JobError + Send + 'static,
    {
        self.writer.submit(job, done);
    }

    /// Reads on a read-only connection; sees everything committed before the call. A panic in
    /// `query` leaves the connection usable: nothing on it is half-done.
    ///
    /// # Errors
    /// Whatever `query` returns.
    pub fn read<T, E>(&self, query: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E> {
        let free = self.readers.iter().find_map(|reader| match reader.try_lock() {
            Ok(connection) => Some(connection),
            Err(TryLockError::Poisoned(connection)) => Some(connection.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        let connection = match free {
            Some(connection) => connection,
            None => self.readers[0].lock().unwrap_or_else(PoisonError::into_inner),
        };
        query(&connection)
    }

    /// Stops the writer after everything queued is committed.
    pub fn close(&self) {
        self.writer.stop();
    }
}
