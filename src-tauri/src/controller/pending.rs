//! What waits for the person, as far as tray and taskbar care.

use std::collections::{BTreeMap, BTreeSet};

use askdock_domain::{Millis, Timestamp, text};
use askdock_wire::{BatchDto, BatchStatus, parse_timestamp};

/// A deadline this near is urgent.
const URGENT: Millis = Millis::from_mins(1);
/// Grapheme clusters of a batch's line in the menu.
const LINE: usize = 60;

/// The pending batches on which somebody waits, by number. Those whose agent is away aren't
/// counted anywhere here.
#[derive(Debug, Default)]
pub(super) struct Pending(BTreeMap<u64, Waiting>);

#[derive(Debug)]
struct Waiting {
    id: String,
    session: String,
    line: String,
    /// Absent: no limit, or its clock stands.
    runs_out: Option<Timestamp>,
}

impl<'a> FromIterator<&'a BatchDto> for Pending {
    fn from_iter<I: IntoIterator<Item = &'a BatchDto>>(batches: I) -> Self {
        let mut pending = Self::default();
        for batch in batches {
            pending.update(batch);
        }
        pending
    }
}

impl Pending {
    /// Takes a batch as it is now. Whether it is one that wasn't waiting before.
    pub(super) fn update(&mut self, batch: &BatchDto) -> bool {
        if batch.status != BatchStatus::Pending || batch.away {
            self.0.remove(&batch.number);
            return false;
        }
        self.0.insert(batch.number, Waiting::of(batch)).is_none()
    }

    /// The session is gone, and with it what it asked.
    pub(super) fn forget(&mut self, session: &str) {
        self.0.retain(|_, waiting| waiting.session != session);
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// How many sessions wait.
    pub(super) fn agents(&self) -> u32 {
        let sessions: BTreeSet<_> = self.0.values().map(|waiting| &waiting.session).collect();
        u32::try_from(sessions.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn session_of(&self, id: &str) -> Option<&str> {
        self.0.values().find(|waiting| waiting.id == id).map(|waiting| waiting.session.as_str())
    }

    pub(super) fn is_urgent(&self, now: Timestamp) -> bool {
        self.0.values().filter_map(Waiting::urgent_from).any(|from| from <= now)
    }

    /// When the next batch becomes urgent.
    pub(super) fn next_urgent(&self, now: Timestamp) -> Option<Timestamp> {
        self.0.values().filter_map(Waiting::urgent_from).filter(|from| *from > now).min()
    }

    /// Id and line of each batch, what runs out soonest first, then the oldest.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut waiting: Vec<_> = self.0.values().collect();
        // Stable: what has no limit, or the same, stays in the order of its number.
        waiting.sort_by_key(|waiting| waiting.runs_out.unwrap_or(Timestamp(i64::MAX)));
        waiting.into_iter().map(|waiting| (waiting.id.as_str(), waiting.line.as_str()))
    }
}

impl Waiting {
    fn of(batch: &BatchDto) -> Self {
        let clock_runs = batch.paused_since.is_none();
        Self {
            id: batch.id.clone(),
            session: batch.session.clone(),
            line: line(batch),
            runs_out: batch.deadline.as_deref().filter(|_| clock_runs).and_then(parse_timestamp),
        }
    }

    fn urgent_from(&self) -> Option<Timestamp> {
        self.runs_out.map(|at| at - URGENT)
    }
}

/// `#42 agent: question`, safe to show anywhere.
fn line(batch: &BatchDto) -> String {
    let asked = batch.questions.first().map(|first| first.question.as_str());
    let asked = asked.or(batch.message.as_deref()).unwrap_or_default();
    let line = format!("#{} {}: {}", batch.number, text::plain(&batch.agent), text::plain(asked));
    text::cut_graphemes(&line, LINE)
}
