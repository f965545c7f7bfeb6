//! Live updates: a snapshot, then numbered deltas read from the log.
//!
//! The log names what changed; the entity is read when its event is sent, so a slow reader gets
//! the newest state once instead of every step, and nobody is ever sent a state that the
//! database doesn't have.

use std::collections::{HashSet, VecDeque};

use askdock_store::events::{self, EventRow};
use askdock_store::{Connection, SqlError, batches, messages, sessions};
use askdock_wire::{Delta, Event, Snapshot, WireError};
use tokio::sync::watch;

use crate::presence::Follower;
use crate::{Hub, views};

/// Changes read from the log at once.
const PAGE: u64 = 500;

/// The events of one reader.
pub struct EventStream {
    hub: Hub,
    /// The last number sent; `None`: start with a snapshot.
    after: Option<u64>,
    seq: watch::Receiver<u64>,
    ready: VecDeque<Event>,
    _follower: Follower,
}

impl Hub {
    /// Follows the events after `after`, or from a snapshot. As long as the stream lives, the
    /// person counts as reachable.
    pub fn events(&self, after: Option<u64>) -> EventStream {
        EventStream {
            hub: self.clone(),
            after,
            seq: self.0.seq.subscribe(),
            ready: VecDeque::new(),
            _follower: self.follow(),
        }
    }

    /// Everything a window draws, as of one moment.
    pub(crate) fn snapshot(&self) -> Result<Snapshot, WireError> {
        self.read(|connection| {
            // One read transaction: the number and the rows are of the same moment.
            connection.execute_batch("BEGIN")?;
            let snapshot = self.read_snapshot(connection);
            connection.execute_batch("COMMIT")?;
            snapshot
        })
    }

    fn read_snapshot(&self, connection: &Connection) -> Result<Snapshot, SqlError> {
        Ok(Snapshot {
            seq: events::last(connection)?,
            hub: self.0.run.clone(),
            sessions: sessions::list(connection)?
                .into_iter()
                .map(|row| self.session_dto(connection, row))
                .collect::<Result<_, _>>()?,
            pending: batches::pending(connection)?
                .iter()
                .map(|row| views::batch(connection, row))
                .collect::<Result<_, _>>()?,
            settings: self.settings(),
        })
    }
}

impl EventStream {
    /// The next event; `None` once the hub closes.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if *self.hub.0.closed.borrow() {
                return None;
            }
            let seen = *self.seq.borrow_and_update();
            match self.after {
                Some(after) if after == seen => {
                    tokio::select! {
                        changed = self.seq.changed() => changed.ok()?,
                        () = self.hub.closed() => return None,
                    }
                }
                Some(after) => self.read_after(after)?,
                None => self.start_over()?,
            }
        }
    }

    fn read_after(&mut self, after: u64) -> Option<()> {
        let Some(rows) = self.hub.read(|c| events::after(c, after, PAGE)).ok()? else {
            return self.start_over();
        };
        self.after = Some(rows.last().map_or(*self.seq.borrow(), |row| row.seq));
        for row in newest_of_each(rows) {
            if let Some(delta) = self.delta(&row)? {
                self.ready.push_back(Event { seq: row.seq, delta });
            }
        }
        Some(())
    }

    fn start_over(&mut self) -> Option<()> {
        let snapshot = self.hub.snapshot().ok()?;
        let seq = snapshot.seq;
        self.after = Some(seq);
        self.ready.push_back(Event { seq, delta: Delta::Snapshot(Box::new(snapshot)) });
        Some(())
    }

    /// The entity as it is now; `Some(None)`: it is gone, which has its own event.
    fn delta(&self, row: &EventRow) -> Option<Option<Delta>> {
        let hub = &self.hub;
        let number = row.reference.parse().unwrap_or_default();
        hub.read(|connection| {
            Ok(match row.entity.as_str() {
                "session" => match sessions::by_id(connection, &row.reference)? {
                    Some(row) => Some(Delta::Session(Box::new(hub.session_dto(connection, row)?))),
                    None => None,
                },
                "session_deleted" => Some(Delta::SessionDeleted(row.reference.clone())),
                "batch" => match batches::by_number(connection, number)? {
                    Some(row) => Some(Delta::Batch(Box::new(views::batch(connection, &row)?))),
                    None => None,
                },
                "message" => messages::by_id(connection, number)?
                    .map(|row| Delta::Message(Box::new(views::message(row)))),
                "settings" => Some(Delta::Settings(Box::new(hub.settings()))),
                other => {
                    tracing::warn!(entity = other, "an unknown entity in the event log");
                    None
                }
            })
        })
        .ok()
    }
}

/// Each entity once, at the place of its last change.
fn newest_of_each(rows: Vec<EventRow>) -> Vec<EventRow> {
    let mut seen = HashSet::new();
    let mut newest: Vec<EventRow> = rows
        .into_iter()
        .rev()
        .filter(|row| seen.insert((row.entity.clone(), row.reference.clone())))
        .collect();
    newest.reverse();
    newest
}
