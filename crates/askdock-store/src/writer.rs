//! The one writer thread: takes jobs as they come, runs what is queued in one transaction, and
//! acknowledges each only after the commit.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    /// The job panicked, with this message; only its own changes were undone.
    #[error("the job panicked: {0}")]
    Panicked(String),
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

/// What a job may fail with.
pub trait JobError: From<SqlError> {
    /// SQLite's error, if that is the reason: when it ends the transaction, it is also the reason
    /// for the other jobs in there.
    fn sql(&self) -> Option<&SqlError>;
}

impl JobError for SqlError {
    fn sql(&self) -> Option<&SqlError> {
        Some(self)
    }
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
    /// Not done; with SQLite's error, if that is the reason.
    Refused(Option<Failure>),
}

#[derive(Clone, Copy)]
enum Commit<'a> {
    Done,
    Failed(&'a Failure),
    Closed,
}

/// Why a transaction failed.
struct Failure {
    storage_full: bool,
    reason: String,
}

impl From<&SqlError> for Failure {
    fn from(error: &SqlError) -> Self {
        Self { storage_full: is_storage_full(error), reason: error.to_string() }
    }
}

struct Queued<T, E, F, D> {
    job: Option<F>,
    result: Option<Result<T, WriteError<E>>>,
    done: D,
}

impl<T, E, F, D> Job for Queued<T, E, F, D>
where
    T: Send,
    E: JobError + Send,
    F: FnOnce(&Connection) -> Result<T, E> + Send,
    D: FnOnce(Result<T, WriteError<E>>) + Send,
{
    fn run(&mut self, connection: &Connection) -> Ran {
        let Some(job) = self.job.take() else { return Ran::Refused(None) };
        // What the job had borrowed is not looked at again; what it wrote is undone.
        let (result, ran) = match catch_unwind(AssertUnwindSafe(|| job(connection))) {
            Ok(Ok(value)) => (Ok(value), Ran::Done),
            Ok(Err(error)) => {
                let ran = Ran::Refused(error.sql().map(Failure::from));
                (Err(WriteError::Refused(error)), ran)
            }
            Err(panic) => (Err(WriteError::Panicked(panic_message(&*panic))), Ran::Refused(None)),
        };
        self.result = Some(result);
        ran
    }

    fn finish(self: Box<Self>, commit: Commit<'_>) {
        let Self { result, done, .. } = *self;
        let result = match (commit, result) {
            (Commit::Done, Some(result)) => result,
            // A panic is no fault of the transaction, whatever became of that.
            (Commit::Failed(_), Some(Err(WriteError::Panicked(message)))) => {
                Err(WriteError::Panicked(message))
            }
            (Commit::Failed(failure), _) if failure.storage_full => Err(WriteError::StorageFull),
            (Commit::Failed(failure), _) => Err(WriteError::Commit(failure.reason.clone())),
            (Commit::Closed, _) | (_, None) => Err(WriteError::Closed),
        };
        // The change stands, and the jobs after this one have to learn of theirs.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| done(result))) {
            let message = panic_message(&*panic);
            tracing::error!(message, "what follows from a write panicked");
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

pub(crate) struct Writer {
    queue: Sender<Message>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub(crate) fn start(connection: Connection) -> io::Result<Self> {
        let (queue, jobs) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("askdock-writer".into())
            .spawn(move || run(&connection, &jobs))?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)) })
    }

    pub(crate) fn submit<T, E>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, WriteError<E>>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: JobError + Send + 'static,
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
                Err(failure) => job.finish(Commit::Failed(failure)),
            }
        }
        if stop {
            break;
        }
    }
}

/// Runs the group in one transaction. A job that refuses or panics is undone alone; an error that
/// ends the transaction (a full disk, an I/O error) fails the whole group.
fn commit(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), Failure> {
    run_statement(connection, "BEGIN IMMEDIATE")?;
    run_group(connection, group).and_then(|()| run_statement(connection, "COMMIT")).inspect_err(
        |_| {
            if !connection.is_autocommit() {
                let _ = run_statement(connection, "ROLLBACK");
            }
        },
    )
}

fn run_group(connection: &Connection, group: &mut [Box<dyn Job>]) -> Result<(), Failure> {
    for job in group {
        run_statement(connection, "SAVEPOINT job")?;
        let ran = job.run(connection);
        if connection.is_autocommit() {
            // SQLite rolled the transaction back by itself.
            return Err(match ran {
                Ran::Refused(Some(failure)) => failure,
                Ran::Refused(None) | Ran::Done => Failure {
                    storage_full: false,
                    reason: "a change ended the transaction without saying why".into(),
                },
            });
        }
        if let Ran::Refused(_) = ran {
            run_statement(connection, "ROLLBACK TO job")?;
        }
        run_statement(connection, "RELEASE job")?;
    }
    Ok(())
}

fn run_statement(connection: &Connection, sql: &str) -> Result<(), Failure> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute([]))
        .map(drop)
        .map_err(|error| Failure::from(&error))
}
