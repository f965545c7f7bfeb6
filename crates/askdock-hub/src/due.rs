//! What is due when. One task sleeps until the earliest; nothing ticks.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::time::Duration;

use askdock_domain::{Event, Millis, Timestamp};
use askdock_store::batches::{self, BatchRow};
use tokio::sync::Notify;

use crate::{Hub, HubError, lock, presence};

/// A difference between the wall clock and the monotonic one larger than this means that the
/// machine slept or its clock was set.
const JUMP: i64 = 5_000;

#[derive(Default)]
pub(crate) struct DueTimes {
    times: Mutex<Times>,
    earlier: Notify,
}

#[derive(Default)]
struct Times {
    wall: Queue<Timestamp, Due>,
    monotonic: Queue<Duration, Soon>,
}

/// Due at a time of day.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Due {
    Batch(u64),
    Turn { session: String, turn: String },
    Notice(u64),
}

/// Due after a while.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Soon {
    Presence(u64),
}

/// Things by when they are due, each at most once.
struct Queue<T, K> {
    by_time: BTreeMap<(T, u64), K>,
    places: HashMap<K, (T, u64)>,
    next: u64,
}

impl<T, K> Default for Queue<T, K> {
    fn default() -> Self {
        Self { by_time: BTreeMap::new(), places: HashMap::new(), next: 0 }
    }
}

impl<T: Ord + Copy, K: Clone + Eq + std::hash::Hash> Queue<T, K> {
    fn set(&mut self, what: K, at: Option<T>) {
        if let Some(place) = self.places.remove(&what) {
            self.by_time.remove(&place);
        }
        if let Some(at) = at {
            self.next += 1;
            self.places.insert(what.clone(), (at, self.next));
            self.by_time.insert((at, self.next), what);
        }
    }

    fn earliest(&self) -> Option<T> {
        self.by_time.first_key_value().map(|((at, _), _)| *at)
    }

    fn take_due(&mut self, now: T) -> Vec<K> {
        let mut due = vec![];
        while let Some(entry) = self.by_time.first_entry() {
            if entry.key().0 > now {
                break;
            }
            let what = entry.remove();
            self.places.remove(&what);
            due.push(what);
        }
        due
    }
}

impl Hub {
    pub(crate) fn due_at(&self, what: Due, at: Option<Timestamp>) {
        let mut times = lock(&self.0.due.times);
        let before = times.wall.earliest();
        times.wall.set(what, at);
        let earlier = times.wall.earliest() != before;
        drop(times);
        if earlier {
            self.0.due.earlier.notify_one();
        }
    }

    pub(crate) fn check_presence_later(&self, number: u64) {
        let mut times = lock(&self.0.due.times);
        let before = times.monotonic.earliest();
        let at = self.0.clock.monotonic() + presence::GRACE;
        times.monotonic.set(Soon::Presence(number), Some(at));
        let earlier = before.is_none();
        drop(times);
        if earlier {
            self.0.due.earlier.notify_one();
        }
    }

    /// Whether the grace of somebody who left the batch still runs.
    pub(crate) fn leaves_later(&self, number: u64) -> bool {
        lock(&self.0.due.times).monotonic.places.contains_key(&Soon::Presence(number))
    }

    /// Plans the next look at a batch, from its committed state.
    pub(crate) fn reschedule(&self, row: &BatchRow) {
        self.due_at(Due::Batch(row.number), row.state.next_tick(self.abandon_after()));
    }

    pub(crate) fn abandon_after(&self) -> Option<Millis> {
        let hours = lock(&self.0.settings).abandon_after_hours;
        (hours > 0).then(|| Millis::from_hours(i64::from(hours)))
    }

    /// Restores what was pending when the last hub left.
    pub(crate) fn restore(&self) -> Result<(), HubError> {
        let pending = self.0.store.read(batches::pending)?;
        self.restore_notices(&pending);
        for row in pending {
            lock(&self.0.presence).restore_agent(&row);
            if row.state.detached_since.is_some() {
                lock(&self.0.presence).mark_away(row.number);
            } else {
                self.check_presence_later(row.number);
            }
            self.reschedule(&row);
        }
        for turn in self.0.store.read(|c| askdock_store::turns::unfinished(c, None))? {
            self.due_at(Due::Turn { session: turn.session, turn: turn.id }, turn.deadline);
        }
        Ok(())
    }
}

/// Sleeps until something is due and does it, until the hub closes.
pub(crate) async fn run(hub: Hub) {
    // A restarted hub treats overdue batches as if the machine had slept.
    resumed(&hub).await;
    let clock = hub.0.clock.clone();
    let (mut wall, mut monotonic) = (clock.now(), clock.monotonic());
    loop {
        let span = next_span(&hub);
        let sleep = async {
            match span {
                Some(span) => clock.sleep(span).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = sleep => {}
            () = hub.0.due.earlier.notified() => {}
            () = hub.closed() => return,
        }
        let (wall_now, monotonic_now) = (clock.now(), clock.monotonic());
        let passed = i64::try_from((monotonic_now - monotonic).as_millis()).unwrap_or(i64::MAX);
        let jumped = (wall_now.0 - wall.0 - passed).abs() > JUMP;
        if jumped && !cfg!(feature = "broken-resume") {
            resumed(&hub).await;
        }
        (wall, monotonic) = (wall_now, monotonic_now);
        let (due, soon) = {
            let mut times = lock(&hub.0.due.times);
            (times.wall.take_due(wall_now), times.monotonic.take_due(monotonic_now))
        };
        for Soon::Presence(number) in soon {
            hub.record_presence(number);
        }
        for due in due {
            hub.do_due(due).await;
        }
    }
}

fn next_span(hub: &Hub) -> Option<Duration> {
    let times = lock(&hub.0.due.times);
    let wall = times.wall.earliest().map(|at| {
        let millis = at.since(hub.0.clock.now()).0;
        Duration::from_millis(u64::try_from(millis).unwrap_or(0))
    });
    let monotonic = times.monotonic.earliest().map(|at| at.saturating_sub(hub.0.clock.monotonic()));
    [wall, monotonic].into_iter().flatten().min()
}

/// Gives every batch with a deadline, or that could count as abandoned, its grace.
async fn resumed(hub: &Hub) {
    let graced = hub
        .change(|change| {
            for row in batches::pending(change.connection)? {
                if row.state.deadline.is_some() || row.state.detached_since.is_some() {
                    change.apply(row, Event::Resumed, None)?;
                }
            }
            Ok(())
        })
        .await;
    if let Err(error) = graced {
        tracing::warn!(%error, "batches could not be given their grace");
    }
}

impl Hub {
    async fn do_due(&self, due: Due) {
        let done = match due {
            Due::Batch(number) => self.tick(number).await,
            Due::Turn { session, turn } => self.turn_overdue(session, turn).await,
            Due::Notice(number) => {
                self.notice_asked(number);
                Ok(())
            }
        };
        if let Err(error) = done {
            tracing::warn!(%error, "something due could not be done");
        }
    }

    async fn tick(&self, number: u64) -> Result<(), askdock_wire::WireError> {
        let abandon_after = self.abandon_after();
        let hub = self.clone();
        self.change(move |change| {
            if let Some(row) = batches::by_number(change.connection, number)? {
                let before = row.state.clone();
                let row = change.apply(row, Event::Tick { abandon_after }, None)?;
                if row.state == before {
                    hub.reschedule(&row);
                }
            }
            Ok(())
        })
        .await
    }
}
