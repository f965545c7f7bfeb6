//! How a batch changes and ends. [`transition`] is the only way; the hub commits the new state
//! and then performs the effects.

#[cfg(test)]
mod tests;

use crate::{Millis, Timestamp};

/// A person's input on a batch pauses its clock for this long; each further input renews it.
pub const DEADLINE_LEASE: Millis = Millis::from_secs(15);
/// The longest time for which all leases of a batch together may pause its clock.
pub const LEASE_TOTAL: Millis = Millis::from_mins(30);
/// After a clock jump, a suspended machine or a restarted hub nothing expires for this long.
pub const RESUME_GRACE: Millis = Millis::from_secs(30);

/// What changes about a batch while it waits. The content never does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchState {
    /// Hash of what is shown; answers are bound to it.
    pub content_hash: String,
    /// How it ended; `None` while pending. Final.
    pub end: Option<End>,
    /// When it expires; `None`: it waits without limit.
    pub deadline: Option<Timestamp>,
    /// The running pause of the clock.
    pub lease: Option<Lease>,
    /// How long earlier leases have paused the clock in all.
    pub lease_used: Millis,
    /// No expiry before this moment.
    pub not_before: Option<Timestamp>,
    /// Since when nobody waits on it; `None` while somebody does.
    pub detached_since: Option<Timestamp>,
    /// When the asking client acknowledged the outcome.
    pub delivered_at: Option<Timestamp>,
}

/// A pause of a batch's clock while the person works on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// When the pause began.
    pub since: Timestamp,
    /// When it ends unless renewed.
    pub until: Timestamp,
}

/// How a batch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Which of the four ends.
    pub kind: EndKind,
    /// Why, as a stable word: `ask_back`, `deadline`, `abandoned`, `turn_ended` … or the
    /// canceller's own words.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub responder: Responder,
    /// The answerer's own id for the act, and a fingerprint of what was sent with it.
    pub act: Option<Act>,
}

/// The answerer's id for one act, so that a repetition is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// Chosen by the answerer, or derived from the caller and the body.
    pub answer_id: String,
    /// Hash of the content sent under that id.
    pub fingerprint: String,
}

/// The four ends of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndKind {
    /// The person answered.
    Answered,
    /// The person chose not to answer, or asked back.
    Dismissed,
    /// The deadline passed.
    Expired,
    /// Withdrawn: by its asker, with its turn or session, or abandoned.
    Cancelled,
}

/// Who ended a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Responder {
    /// What kind of party.
    pub kind: ResponderKind,
    /// Which one: `local` for the person at this machine.
    pub id: String,
    /// The surface: `dock`, `quick`, `notification`, `cli` …
    pub via: String,
}

/// What kind of party ended a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponderKind {
    /// The person.
    User,
    /// A named key that the person made.
    ApiKey,
    /// A linked identity on another surface.
    Channel,
    /// The hub or the asking side itself.
    System,
}

/// What happens to a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The person answers. The answers themselves were checked before and are stored by the hub.
    Answer {
        /// The hash of what the person saw, where the surface knows it.
        content_hash: Option<String>,
        /// Id and fingerprint of the submit.
        act: Act,
        /// Who.
        responder: Responder,
    },
    /// The person chooses not to answer (`reason` `None`) or asks back (`ask_back`).
    Dismiss {
        /// As for an answer.
        content_hash: Option<String>,
        /// Id and fingerprint of the dismissal.
        act: Act,
        /// Why.
        reason: Option<String>,
        /// Who.
        responder: Responder,
    },
    /// Withdrawn by its asker, its turn, its session or the hub.
    Cancel {
        /// Why.
        reason: String,
        /// Who.
        responder: Responder,
    },
    /// The person grants more time.
    Extend(Millis),
    /// The person works on this batch: pauses or keeps pausing its clock.
    Activity,
    /// Time passed: leases lapse, deadlines and abandonment strike.
    Tick {
        /// A batch without a waiter for this long is withdrawn; `None`: never.
        abandon_after: Option<Millis>,
    },
    /// The machine woke up, its clock jumped or the hub restarted.
    Resumed,
    /// Somebody waits on the batch.
    Attach,
    /// Nobody waits any more.
    Detach,
    /// The asking client wrote the outcome to its agent.
    Delivered,
}

/// What the hub has to do after the new state is committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Hand the outcome to everyone who waits.
    WakeWaiters,
    /// Close the batch on every surface.
    CloseSurfaces,
    /// Tell the windows.
    Publish,
    /// The time of the next [`Event::Tick`] changed: see [`BatchState::next_tick`].
    Reschedule,
}

/// Why an event is refused. Nothing changes then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The batch ended before; the winner is in the end.
    #[error("the batch has already ended")]
    AlreadyEnded(Box<End>),
    /// The same answer id came with other content.
    #[error("this answer id was used before with other content")]
    AnswerIdReused,
    /// The answer was given to something other than what is shown now.
    #[error("the answer is for other content than this batch has")]
    StaleContent,
    /// There is no deadline to extend.
    #[error("the batch waits without limit; there is nothing to extend")]
    NoDeadline,
    /// The time to add is not positive or longer than a day.
    #[error("the time to add must be between 1 second and 24 hours")]
    BadExtension,
    /// A pending batch has no outcome to deliver.
    #[error("the batch has no outcome yet")]
    StillPending,
}

impl BatchState {
    /// The state of a batch just asked. Its asker counts as waiting until shown otherwise.
    pub fn asked(content_hash: String, deadline: Option<Timestamp>) -> Self {
        Self { content_hash, deadline, ..Self::default() }
    }

    /// Whether it still waits for an end.
    pub fn is_pending(&self) -> bool {
        self.end.is_none()
    }

    /// When [`Event::Tick`] has to come next; `None`: never, unless something else happens.
    pub fn next_tick(&self, abandon_after: Option<Millis>) -> Option<Timestamp> {
        if self.end.is_some() {
            return None;
        }
        // A paused clock runs on when its lease lapses; the deadline is next only after that.
        let strikes = self.deadline.filter(|_| self.lease.is_none());
        let abandonment = self.detached_since.zip(abandon_after).map(|(at, after)| at + after);
        let graced = |at: Timestamp| self.not_before.map_or(at, |not_before| not_before.max(at));
        let lapses = self.lease.map(|lease| lease.until);
        [lapses, strikes.map(graced), abandonment.map(graced)].into_iter().flatten().min()
    }
}

/// Applies `event` at `now`. Pure; a refused event changes nothing.
///
/// # Errors
/// Why the event is refused; for a batch that has ended, with the end that won.
pub fn transition(
    state: &BatchState,
    event: Event,
    now: Timestamp,
) -> Result<(BatchState, Vec<Effect>), Rejection> {
    if let Some(end) = &state.end
        && !cfg!(feature = "broken-one-end")
    {
        return after_end(state, end, event, now);
    }
    let mut next = state.clone();
    let effects = match event {
        Event::Answer { content_hash, act, responder } => {
            same_content(state, content_hash.as_deref())?;
            finish(&mut next, EndKind::Answered, None, responder, Some(act), now)
        }
        Event::Dismiss { content_hash, act, reason, responder } => {
            same_content(state, content_hash.as_deref())?;
            finish(&mut next, EndKind::Dismissed, reason, responder, Some(act), now)
        }
        Event::Cancel { reason, responder } => {
            finish(&mut next, EndKind::Cancelled, Some(reason), responder, None, now)
        }
        Event::Extend(by) => {
            if by < Millis::from_secs(1) || by > Millis::from_hours(24) {
                return Err(Rejection::BadExtension);
            }
            release_lapsed(&mut next, now);
            let deadline = next.deadline.ok_or(Rejection::NoDeadline)?;
            // A clock that stands still shows when its pause began; the pause is added later.
            let clock = next.lease.map_or(now, |lease| lease.since);
            next.deadline = Some(deadline.max(clock) + by);
            vec![Effect::Publish, Effect::Reschedule]
        }
        Event::Activity => renew_lease(&mut next, now),
        Event::Tick { abandon_after } => tick(&mut next, abandon_after, now),
        Event::Resumed => {
            next.not_before = Some(now + RESUME_GRACE);
            vec![Effect::Reschedule]
        }
        Event::Attach => {
            if next.detached_since.take().is_none() {
                return Ok((next, vec![]));
            }
            vec![Effect::Publish, Effect::Reschedule]
        }
        Event::Detach => {
            if next.detached_since.is_some() {
                return Ok((next, vec![]));
            }
            next.detached_since = Some(now);
            vec![Effect::Publish, Effect::Reschedule]
        }
        Event::Delivered => return Err(Rejection::StillPending),
    };
    Ok((next, effects))
}

fn after_end(
    state: &BatchState,
    end: &End,
    event: Event,
    now: Timestamp,
) -> Result<(BatchState, Vec<Effect>), Rejection> {
    match event {
        Event::Answer { act, .. } => again(state, end, EndKind::Answered, &act),
        Event::Dismiss { act, .. } => again(state, end, EndKind::Dismissed, &act),
        Event::Cancel { .. } | Event::Extend(_) => {
            Err(Rejection::AlreadyEnded(Box::new(end.clone())))
        }
        Event::Delivered if state.delivered_at.is_none() => {
            let next = BatchState { delivered_at: Some(now), ..state.clone() };
            Ok((next, vec![Effect::Publish]))
        }
        Event::Delivered
        | Event::Activity
        | Event::Tick { .. }
        | Event::Resumed
        | Event::Attach
        | Event::Detach => Ok((state.clone(), vec![])),
    }
}

/// An answer or dismissal after the end: the repetition of the act that won, or too late.
fn again(
    state: &BatchState,
    end: &End,
    kind: EndKind,
    act: &Act,
) -> Result<(BatchState, Vec<Effect>), Rejection> {
    let Some(first) = end.act.as_ref().filter(|first| first.answer_id == act.answer_id) else {
        return Err(Rejection::AlreadyEnded(Box::new(end.clone())));
    };
    let same = end.kind == kind && first.fingerprint == act.fingerprint;
    if same || cfg!(feature = "broken-answer-id") {
        Ok((state.clone(), vec![]))
    } else {
        Err(Rejection::AnswerIdReused)
    }
}

fn same_content(state: &BatchState, seen: Option<&str>) -> Result<(), Rejection> {
    match seen {
        Some(hash) if hash != state.content_hash => Err(Rejection::StaleContent),
        _ => Ok(()),
    }
}

fn finish(
    state: &mut BatchState,
    kind: EndKind,
    reason: Option<String>,
    responder: Responder,
    act: Option<Act>,
    now: Timestamp,
) -> Vec<Effect> {
    state.lease = None;
    state.end = Some(End { kind, reason, at: now, responder, act });
    vec![Effect::WakeWaiters, Effect::CloseSurfaces, Effect::Publish, Effect::Reschedule]
}

fn renew_lease(state: &mut BatchState, now: Timestamp) -> Vec<Effect> {
    if state.deadline.is_none() {
        return vec![];
    }
    // Nobody worked between the lapse of a lease and this input.
    let mut effects = release_lapsed(state, now);
    let since = state.lease.map_or(now, |lease| lease.since);
    let last = since + (LEASE_TOTAL - state.lease_used);
    let until = (now + DEADLINE_LEASE).min(last);
    if until <= now {
        return effects;
    }
    if state.lease.is_none() && effects.is_empty() {
        effects.push(Effect::Publish);
    }
    if !effects.contains(&Effect::Reschedule) {
        effects.push(Effect::Reschedule);
    }
    state.lease = Some(Lease { since, until });
    effects
}

/// Lets the clock run on, its deadline later by the pause, if the lease is over.
fn release_lapsed(state: &mut BatchState, now: Timestamp) -> Vec<Effect> {
    let Some(lease) = state.lease.take_if(|lease| lease.until <= now) else { return vec![] };
    let paused = lease.until.since(lease.since);
    state.lease_used = state.lease_used + paused;
    state.deadline = state.deadline.map(|deadline| deadline + paused);
    vec![Effect::Publish, Effect::Reschedule]
}

fn tick(state: &mut BatchState, abandon_after: Option<Millis>, now: Timestamp) -> Vec<Effect> {
    let effects = release_lapsed(state, now);
    let graced = state.not_before.is_some_and(|not_before| now < not_before);
    let overdue = state.deadline.is_some_and(|deadline| deadline <= now);
    if overdue && state.lease.is_none() && !graced {
        return finish(state, EndKind::Expired, Some("deadline".into()), system(), None, now);
    }
    let abandoned =
        state.detached_since.zip(abandon_after).is_some_and(|(since, after)| since + after <= now);
    if abandoned && !graced {
        return finish(state, EndKind::Cancelled, Some("abandoned".into()), system(), None, now);
    }
    effects
}

/// The hub itself as the one who ended a batch.
fn system() -> Responder {
    Responder { kind: ResponderKind::System, id: "hub".into(), via: "hub".into() }
}
