//! The one writer thread: takes jobs as they come, runs what is queued in one transaction, and
//! acknowledges each only after the commit.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use rusqlite::{Connection, ErrorCode};

use crate::SqlError;

/// Jobs that share one commit at most; bounds how long the first of them waits.
const GROUP: usize = 256;

/// Why a write was not done. Nothing of it is recorded then.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E> {
    /// The job itself refused; only its own changes were undone.
    #[error("refused")]
    Refused(E),
    /// The transaction could not be committed.
    #[error("not committed: {0}")]
    Commit(String),
    /// The disk is full.
    #[error("the disk is full")]
    StorageFull,
    /// The store is closed.
    #[error("the store is closed")]
    Closed,
}

/// Whether SQLite says that the disk is full.
pub fn is_storage_full(error: &SqlError) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DiskFull)
}

enum Message {
    Job(Box<dyn Job>),
    Stop,
}

/// A queued write: runs in the transaction, then learns how the commit went.
trait Job: Send {
    fn run(&mut self, connection: &Connection) -> Ran;
    fn finish(self: Box<Self>, commit: Commit<'_>);
}

enum Ran {
    Done,
    Refused,
}

#[derive(Clone, Copy)]
enum Commit<'a> {
    Done,
    Failed(&'a SqlError),
    Closed,
}

struct Queued<T, E, F, D> {
    job: Option<F>,
    result: Option<Result<T, E>>,
    done: D,
}

impl<T, E, F, D> Job for Queued<T, E, F, D>
where
    T: Send,
    E: From<SqlError> + Send,
    F: FnOnce(&Connection) -> Result<T, E> + Send,
    D: FnOnce(Result<T, WriteError<E>>) + Send,
{
    fn run(&mut self, connection: &Connection) -> Ran {
        let Some(job) = self.job.take() else { return Ran::Refused };
        let result = job(connection);
        let ran = if result.is_ok() { Ran::Done } else { Ran::Refused };
        self.result = Some(result);
        ran
    }

    fn finish(self: Box<Self>, commit: Commit<'_>) {
        let result = match (commit, self.result) {
            (Commit::Done, Some(Ok(value))) => Ok(value),
            (Commit::Done, Some(Err(refusal))) => Err(WriteError::Refused(refusal)),
            (Commit::Failed(error), _) if is_storage_full(error) => Err(WriteError::StorageFull),
            (Commit::Failed(error), _) => Err(WriteError::Commit(error.to_string())),
            (Commit::Closed, _) | (_, None) => Err(WriteError::Closed),
        };
        (self.done)(result);
    }
}

pub(crate) struct Writer {
    queue: Sender<Message>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(crate) fn start(connection: Connection) -> Self {
        let (queue, jobs) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("askdock-writer".into())
            .spawn(move || run(&connection, &jobs))
            .ok();
        Self { queue, thread: Mutex::new(thread) }
    }

    pub(crate) fn submit<T, E>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, WriteError<E>>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<SqlError> + Send + 'static,
    {
        let queued = Box::new(Queued { job: Some(job), result: None, done });
        if let Err(mpsc::SendError(Message::Job(job))) = self.queue.send(Message::Job(queued)) {
            job.finish(Commit::Closed);
        }
    }

    pub(crate) fn stop(&self) {
        // The thread may be gone already; then there is nothing to stop.
        let _ = self.queue.send(Message::Stop);
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        if let Some(thread) = thread
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(connection: &Connection, jobs: &Receiver<Message>) {
    while let Ok(Message::Job(first)) = jobs.recv() {
        let mut group = vec![first];
        let mut stop = false;
        while group.len() < GROUP && !stop {
            match jobs.try_recv() {
                Ok(Message::Job(job)) => group.push(job),
                Ok(Message::Stop) => stop = true,
                Err(_) => break,
            }
        }
        let committed = commit(connection, &mut group);
        for job in group {
            match &committed {
                Ok(()) => job.finish(Commit::Done),
                Err(error) => job.finish(Commit::Failed(error)),
            }
        }
        if stop {
            break;
        }
    }
}

/// Runs the group in one transaction. A job that refuses is undone alone; an error that ends the
/// transaction (a full disk, an I/O error) fails the whole group.
fn commit(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), SqlError> {
    run_statement(connection, "BEGIN IMMEDIATE")?;
    run_group(connection, group).and_then(|()| run_statement(connection, "COMMIT")).inspect_err(
        |_| {
            if !connection.is_autocommit() {
                let _ = run_statement(connection, "ROLLBACK");
            }
        },
    )
}

fn run_group(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), SqlError> {
    for job in group {
        run_statement(connection, "SAVEPOINT job")?;
        let ran = job.run(connection);
        if connection.is_autocommit() {
            // SQLite rolled the transaction back by itself.
            return Err(SqlError::SqliteFailure(
                rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL),
                None,
            ));
        }
        if let Ran::Refused = ran {
            run_statement(connection, "ROLLBACK TO job")?;
        }
        run_statement(connection, "RELEASE job")?;
    }
    Ok(())
}

fn run_statement(connection: &Connection, sql: &str) -> Result<(), SqlError> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}
