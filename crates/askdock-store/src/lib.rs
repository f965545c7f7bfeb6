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
pub use writer::{WriteError, is_storage_full};

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use writer::Writer;

/// The open database.
pub struct Store {
    path: PathBuf,
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
        Ok(Self { path: path.to_owned(), writer: Writer::start(connection), readers })
    }

    /// Where the database is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Queues `job` for the writer. It runs inside a transaction that it may share with others;
    /// an `Err` undoes only its own changes. `done` runs on the writer thread after the commit,
    /// in commit order, and must not block.
    pub fn write<T, E>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, WriteError<E>>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<SqlError> + Send + 'static,
    {
        self.writer.submit(job, done);
    }

    /// Reads on a read-only connection; sees everything committed before the call.
    ///
    /// # Errors
    /// Whatever `query` returns.
    pub fn read<T, E>(&self, query: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E> {
        let free = self.readers.iter().find_map(|reader| reader.try_lock().ok());
        let connection = match free {
            Some(connection) => connection,
            None => lock(&self.readers[0]),
        };
        query(&connection)
    }

    /// Stops the writer after everything queued is committed.
    pub fn close(&self) {
        self.writer.stop();
    }
}

/// A panic while reading leaves a connection usable: nothing on it is half-done.
fn lock(reader: &Mutex<Connection>) -> std::sync::MutexGuard<'_, Connection> {
    reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
