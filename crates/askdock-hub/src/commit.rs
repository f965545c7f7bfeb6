//! One change: a transaction on the writer, and what follows from it after the commit.

use std::sync::Arc;

use askdock_domain::{Effect, EndKind, Event, Rejection, Timestamp, transition};
use askdock_store::batches::{self, BatchRow};
use askdock_store::{
    Connection, JobError, SqlError, WriteError, ask_keys, drafts, events, is_storage_full,
};
use askdock_wire::{Code, Settings, WireError};
use tokio::sync::oneshot;

use crate::{Hub, lock, notices, views};

/// A transaction under way, with the effects that its commit will have.
pub(crate) struct Change<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) now: Timestamp,
    effects: Vec<AfterCommit>,
}

/// What the hub does once the change is durable.
#[derive(Debug)]
enum AfterCommit {
    Changed { seq: u64 },
    Asked { number: u64 },
    Ended { row: Arc<BatchRow>, digest_over: bool },
    Settings { settings: Box<Settings> },
    Presence { number: u64, away: bool },
    Reschedule { row: Box<BatchRow> },
}

/// Why a change was refused.
pub(crate) enum Refusal {
    Wire(WireError),
    Sql(SqlError),
}

impl From<SqlError> for Refusal {
    fn from(error: SqlError) -> Self {
        Refusal::Sql(error)
    }
}

impl From<WireError> for Refusal {
    fn from(error: WireError) -> Self {
        Refusal::Wire(error)
    }
}

impl JobError for Refusal {
    fn sql(&self) -> Option<&SqlError> {
        match self {
            Refusal::Sql(error) => Some(error),
            Refusal::Wire(_) => None,
        }
    }
}

impl Refusal {
    /// The error for the caller.
    pub(crate) fn into_wire(self) -> WireError {
        match self {
            Refusal::Wire(error) => error,
            Refusal::Sql(error) => sql_error(&error),
        }
    }
}

impl Change<'_> {
    /// Logs that an entity changed, for the windows.
    pub(crate) fn changed(&mut self, entity: &str, reference: &str) -> Result<(), SqlError> {
        let seq = events::append(self.connection, entity, reference)?;
        self.effects.push(AfterCommit::Changed { seq });
        Ok(())
    }

    /// Settings are what they are from this commit on; readers of the log read them from memory.
    pub(crate) fn settings(&mut self, settings: Settings) -> Result<(), SqlError> {
        self.effects.push(AfterCommit::Settings { settings: Box::new(settings) });
        self.changed("settings", "")
    }

    /// A batch was inserted.
    pub(crate) fn asked(&mut self, row: BatchRow) -> Result<(), SqlError> {
        self.changed("batch", &row.number.to_string())?;
        self.changed("session", &row.session)?;
        self.effects.push(AfterCommit::Asked { number: row.number });
        self.effects.push(AfterCommit::Reschedule { row: Box::new(row) });
        Ok(())
    }

    /// Lets the domain decide on `event` and records what it decides. `result` is stored with an
    /// end. Returns the batch as it is then.
    pub(crate) fn apply(
        &mut self,
        row: BatchRow,
        event: Event,
        result: Option<String>,
    ) -> Result<BatchRow, Refusal> {
        let (state, effects) =
            transition(&row.state, event, self.now).map_err(|r| rejection(&row, &r))?;
        if state == row.state {
            return Ok(row);
        }
        let was_away = row.state.detached_since.is_some();
        let mut row = row;
        let ended = row.state.end.is_none();
        row.state = state;
        match &row.state.end {
            Some(end) if ended => {
                if !batches::end(self.connection, row.number, end, result.as_deref())? {
                    let winner = batches::by_number(self.connection, row.number)?.unwrap_or(row);
                    return Err(already_ended(&winner).into());
                }
                row.result = result;
                if matches!(end.kind, EndKind::Cancelled | EndKind::Expired) {
                    ask_keys::release(self.connection, row.number)?;
                }
                if end.kind == EndKind::Answered {
                    drafts::delete(self.connection, row.number)?;
                    row.draft = None;
                }
            }
            _ => batches::save_state(self.connection, row.number, &row.state)?,
        }
        let is_away = row.state.is_pending() && row.state.detached_since.is_some();
        if was_away != is_away {
            self.effects.push(AfterCommit::Presence { number: row.number, away: is_away });
        }
        for effect in effects {
            match effect {
                Effect::Publish => {
                    self.changed("batch", &row.number.to_string())?;
                    self.changed("session", &row.session.clone())?;
                }
                Effect::WakeWaiters => {
                    let digest_over = notices::forget(self.connection, &row)?;
                    self.effects
                        .push(AfterCommit::Ended { row: Arc::new(row.clone()), digest_over });
                }
                Effect::Reschedule => {
                    self.effects.push(AfterCommit::Reschedule { row: Box::new(row.clone()) });
                }
                // Surfaces close when they learn of the end.
                Effect::CloseSurfaces => {}
            }
        }
        Ok(row)
    }
}

impl Hub {
    /// Runs `job` on the writer and waits for its commit.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Change<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, WireError> {
        let (send, receive) = oneshot::channel();
        let (hub, now) = (self.clone(), self.0.clock.now());
        self.0.store.write(
            move |connection| {
                let mut change = Change { connection, now, effects: vec![] };
                let value = job(&mut change)?;
                Ok((value, change.effects))
            },
            move |result: Result<_, WriteError<Refusal>>| {
                let result = result.map(|(value, effects)| {
                    hub.after_commit(effects);
                    value
                });
                // The caller may have gone; the change stands all the same.
                let _ = send.send(result.map_err(write_error));
            },
        );
        receive.await.unwrap_or_else(|_| Err(closing()))
    }

    /// Runs on the writer thread, in commit order; must not block.
    fn after_commit(&self, effects: Vec<AfterCommit>) {
        let mut last = None;
        for effect in effects {
            match effect {
                AfterCommit::Changed { seq } => last = Some(seq),
                AfterCommit::Asked { number } => self.notice_asked(number),
                AfterCommit::Ended { row, digest_over } => {
                    self.batch_ended(&row);
                    self.notice_ended(&row, digest_over);
                }
                AfterCommit::Settings { settings } => *lock(&self.0.settings) = *settings,
                AfterCommit::Presence { number, away } => self.presence_committed(number, away),
                AfterCommit::Reschedule { row } => self.reschedule(&row),
            }
        }
        if let Some(seq) = last {
            self.0.seq.send_replace(seq);
        }
    }

    /// Reads something on a read-only connection.
    pub(crate) fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, SqlError>,
    ) -> Result<T, WireError> {
        self.0.store.read(query).map_err(|error| sql_error(&error))
    }
}

/// `already_ended` with the winner.
pub(crate) fn already_ended(row: &BatchRow) -> WireError {
    let outcome = views::outcome(row);
    let message = match &outcome {
        Some(outcome) => format!("Batch #{} had already ended: {}.", row.number, ended_by(outcome)),
        None => format!("Batch #{} had already ended.", row.number),
    };
    WireError { outcome: outcome.map(Box::new), ..WireError::new(Code::AlreadyEnded, message) }
}

/// `answered by user, from the dock`.
pub(crate) fn ended_by(outcome: &askdock_wire::Outcome) -> String {
    let status = match outcome.status {
        askdock_wire::BatchStatus::Pending => "pending",
        askdock_wire::BatchStatus::Answered => "answered",
        askdock_wire::BatchStatus::Dismissed => "dismissed",
        askdock_wire::BatchStatus::Expired => "expired",
        askdock_wire::BatchStatus::Cancelled => "cancelled",
    };
    format!("{status} by {}, via {}", outcome.responder.kind, outcome.responder.via)
}

fn rejection(row: &BatchRow, rejection: &Rejection) -> WireError {
    match rejection {
        Rejection::AlreadyEnded(_) => already_ended(row),
        Rejection::AnswerIdReused => WireError::new(
            Code::AnswerIdReused,
            "This answer id was used before with other content; send a new id for a new answer.",
        ),
        Rejection::StaleContent => WireError::new(
            Code::StaleContent,
            format!(
                "The answer is for other content than batch #{} shows; read the batch again.",
                row.number
            ),
        ),
        Rejection::NoDeadline => bad_extension(
            "no_deadline",
            "This batch waits without limit; there is nothing to extend.",
        ),
        Rejection::BadExtension => {
            bad_extension("out_of_range", "Send the seconds to add, 1 to 86400.")
        }
        Rejection::StillPending => {
            WireError::new(Code::Invalid, format!("Batch #{} is still pending.", row.number))
        }
    }
}

fn bad_extension(code: &'static str, message: &str) -> WireError {
    WireError::invalid(vec![askdock_domain::Problem::new(code, "seconds", message).into()])
}

fn write_error(error: WriteError<Refusal>) -> WireError {
    match error {
        WriteError::Refused(refusal) => refusal.into_wire(),
        WriteError::StorageFull => storage_full(),
        WriteError::Commit(reason) => {
            tracing::error!(reason, "a change could not be committed");
            WireError::new(
                Code::Unavailable,
                "The change could not be saved; nothing was recorded.",
            )
        }
        WriteError::Panicked(reason) => {
            tracing::error!(reason, "a change panicked");
            WireError::new(Code::Internal, "A fault of Askdock's own; its log has more.")
        }
        WriteError::Closed => closing(),
    }
}

fn sql_error(error: &SqlError) -> WireError {
    if is_storage_full(error) {
        return storage_full();
    }
    tracing::error!(%error, "the database refused");
    WireError::new(Code::Internal, "The database could not be read or written; see the log.")
}

fn storage_full() -> WireError {
    WireError::new(
        Code::StorageFull,
        "The disk is full; nothing was recorded. Free some space and try again.",
    )
}

/// The hub is being closed or handed over.
pub(crate) fn closing() -> WireError {
    WireError::new(Code::Unavailable, "The hub is closing; connect again in a moment.")
}
