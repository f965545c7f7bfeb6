//! Who waits on which batch now, and which agents that makes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use askdock_domain::Event;
use askdock_store::batches::{self, BatchRow};
use askdock_wire::WireError;
use askdock_wire::ops::Scope;
use tokio::sync::watch;

use crate::{Caller, Hub, Peer, ProcessId, lock};

/// A client that reconnects within this time never counts as gone.
pub(crate) const GRACE: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(crate) struct Presence {
    batches: HashMap<u64, Waiting>,
    /// Batches shown as away.
    away: HashSet<u64>,
    /// Asked and not waited on yet, with the connection over which it was asked.
    expected: HashMap<u64, Option<u64>>,
    /// Batches on which an agent's own client process asked or waits.
    agents: HashMap<ProcessId, HashSet<u64>>,
    /// Windows and other clients of the person that follow the events.
    followers: u32,
    /// How many batches of a session are waited on.
    connected: HashMap<String, u32>,
}

struct Waiting {
    /// Agents that wait.
    count: u32,
    /// The person's own commands that look on; they aren't who was asked for.
    onlookers: u32,
    session: String,
    /// The batch as it ended.
    ended: watch::Sender<Option<Arc<BatchRow>>>,
}

/// An ask under way. Dropped before it is [done](Asking::done), its asker is gone: the write that
/// is queued still makes a batch, but nobody is about to wait on it.
pub(crate) struct Asking {
    hub: Hub,
    connection: Option<u64>,
    state: Arc<AskingState>,
}

/// What an ask and the write that it queued know of each other.
#[derive(Default)]
pub(crate) struct AskingState {
    gone: AtomicBool,
    /// The batch that expects the asker; 0: none yet.
    number: AtomicU64,
}

impl Asking {
    /// For the queued write.
    pub(crate) fn state(&self) -> Arc<AskingState> {
        self.state.clone()
    }

    /// The asker is there to get its response; from here on its connection tells.
    pub(crate) fn done(self) {
        self.state.number.store(0, Ordering::Relaxed);
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let mut presence = lock(&self.hub.0.presence);
        self.state.gone.store(true, Ordering::Relaxed);
        let number = self.state.number.load(Ordering::Relaxed);
        if presence.expected.get(&number) == Some(&self.connection)
            && !cfg!(feature = "broken-gone-asker")
        {
            presence.expected.remove(&number);
        }
    }
}

/// A waiter's place; dropping it is leaving.
pub(crate) struct Waiter {
    hub: Hub,
    number: u64,
    looks_on: bool,
    ended: watch::Receiver<Option<Arc<BatchRow>>>,
}

impl Waiter {
    /// The batch, once it has ended.
    pub(crate) async fn ended(&mut self) -> Option<Arc<BatchRow>> {
        // The sender lives as long as there are waiters.
        self.ended.wait_for(Option::is_some).await.ok().and_then(|row| row.clone())
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut presence = lock(&self.hub.0.presence);
        let Some(waiting) = presence.batches.get_mut(&self.number) else { return };
        if self.looks_on {
            waiting.onlookers -= 1;
        } else {
            waiting.count -= 1;
        }
        let left = !self.looks_on && waiting.count == 0;
        let nobody = waiting.count + waiting.onlookers == 0;
        let ended = waiting.ended.borrow().is_some();
        let session = left.then(|| waiting.session.clone());
        if nobody {
            presence.batches.remove(&self.number);
        }
        if let Some(session) = session {
            presence.disconnect(&session);
        }
        drop(presence);
        if left && !ended {
            self.hub.check_presence_later(self.number);
        }
    }
}

impl Hub {
    /// Takes a waiter's place on a batch. Afterwards read the batch: it may have ended before.
    pub(crate) fn attach(&self, number: u64, session: &str, caller: &Caller) -> Waiter {
        let looks_on = caller.scope == Scope::Person;
        let mut presence = lock(&self.0.presence);
        let waiting = presence.batches.entry(number).or_insert_with(|| Waiting {
            count: 0,
            onlookers: 0,
            session: session.to_owned(),
            ended: watch::Sender::new(None),
        });
        let ended = waiting.ended.subscribe();
        if looks_on {
            waiting.onlookers += 1;
            return Waiter { hub: self.clone(), number, looks_on, ended };
        }
        waiting.count += 1;
        if waiting.count == 1 {
            *presence.connected.entry(session.to_owned()).or_default() += 1;
        }
        presence.expected.remove(&number);
        presence.remember_agent(number, caller);
        let was_away = presence.away.contains(&number);
        drop(presence);
        if was_away {
            self.record_presence(number);
        }
        Waiter { hub: self.clone(), number, looks_on, ended }
    }

    /// An ask begins; see [`Asking`].
    pub(crate) fn asking(&self, caller: &Caller) -> Asking {
        Asking { hub: self.clone(), connection: caller.connection, state: Arc::default() }
    }

    /// The asker of a batch counts as waiting until its connection closes or the grace ends; not
    /// at all if it is gone already.
    pub(crate) fn expect_asker(&self, number: u64, caller: &Caller, asking: &AskingState) {
        let mut presence = lock(&self.0.presence);
        // Under the lock of the presence, as its other half in `Asking::drop`.
        let gone = asking.gone.load(Ordering::Relaxed);
        if !gone || cfg!(feature = "broken-gone-asker") {
            asking.number.store(number, Ordering::Relaxed);
            presence.expected.insert(number, caller.connection);
            presence.remember_agent(number, caller);
        }
        drop(presence);
        self.check_presence_later(number);
    }

    /// A transport's connection closed: nobody that asked over it will come to wait.
    pub fn connection_closed(&self, connection: u64) {
        lock(&self.0.presence).expected.retain(|_, asked_over| *asked_over != Some(connection));
    }

    /// Whether somebody waits on the batch, or is about to.
    pub(crate) fn has_live_waiter(&self, number: u64) -> bool {
        let presence = lock(&self.0.presence);
        let live = presence.is_waited_on(number) || presence.expected.contains_key(&number);
        live && !cfg!(feature = "broken-reattach")
    }

    /// Whether a client waits on any batch of the session.
    pub(crate) fn is_connected(&self, session: &str) -> bool {
        lock(&self.0.presence).connected.contains_key(session)
    }

    /// Hands the end to everyone who waits.
    pub(crate) fn batch_ended(&self, row: &Arc<BatchRow>) {
        let number = row.number;
        let mut presence = lock(&self.0.presence);
        presence.away.remove(&number);
        presence.expected.remove(&number);
        presence.agents.retain(|_, batches| {
            batches.remove(&number);
            !batches.is_empty()
        });
        if let Some(waiting) = presence.batches.get(&number) {
            waiting.ended.send_replace(Some(row.clone()));
        }
    }

    pub(crate) fn presence_committed(&self, number: u64, away: bool) {
        let mut presence = lock(&self.0.presence);
        if away {
            presence.away.insert(number);
        } else {
            presence.away.remove(&number);
        }
    }

    /// The grace of a batch is over: records whether somebody waits on it.
    pub(crate) fn record_presence(&self, number: u64) {
        lock(&self.0.presence).expected.remove(&number);
        let hub = self.clone();
        tokio::spawn(async move {
            let recorder = hub.clone();
            let recorded: Result<(), WireError> = hub
                .change(move |change| {
                    let Some(row) = batches::by_number(change.connection, number)? else {
                        return Ok(());
                    };
                    let waited_on = lock(&recorder.0.presence).is_waited_on(number);
                    if !waited_on && recorder.leaves_later(number) {
                        return Ok(());
                    }
                    let event = if waited_on { Event::Attach } else { Event::Detach };
                    change.apply(row, event, None)?;
                    Ok(())
                })
                .await;
            if let Err(error) = recorded {
                tracing::warn!(%error, number, "presence was not recorded");
            }
        });
    }

    /// The person follows the events for as long as this lives.
    pub(crate) fn follow(&self) -> Follower {
        lock(&self.0.presence).followers += 1;
        Follower(self.clone())
    }

    /// Whether a window or another client of the person follows the events.
    pub(crate) fn has_follower(&self) -> bool {
        lock(&self.0.presence).followers > 0
    }

    /// Why this process may not act as the person: an agent that waits here is its ancestor.
    pub fn person_refusal(&self, peer: &Peer) -> Option<WireError> {
        let presence = lock(&self.0.presence);
        let agent = std::iter::once(&peer.process)
            .chain(&peer.ancestors)
            .find(|process| presence.agents.contains_key(process))
            .filter(|_| !cfg!(feature = "broken-ancestry"))?;
        Some(WireError::new(
            askdock_wire::Code::Forbidden,
            format!(
                "Only the person may do this, and {} (pid {}) was started by an agent that waits \
                 for an answer (pid {}). Use your own terminal, the window or the notification.",
                peer.program, peer.process.pid, agent.pid
            ),
        ))
    }
}

impl Presence {
    /// Whether an agent waits on the batch now.
    fn is_waited_on(&self, number: u64) -> bool {
        self.batches.get(&number).is_some_and(|waiting| waiting.count > 0)
    }

    /// One batch of the session fewer is waited on.
    fn disconnect(&mut self, session: &str) {
        if let Some(batches) = self.connected.get_mut(session) {
            *batches -= 1;
            if *batches == 0 {
                self.connected.remove(session);
            }
        }
    }

    fn remember_agent(&mut self, number: u64, caller: &Caller) {
        if let Some(agent) = caller.agent() {
            self.agents.entry(agent).or_default().insert(number);
        }
    }

    /// Who asked what still waits, from before this hub was started: until it waits again it may
    /// answer no more than then.
    pub(crate) fn restore_agent(&mut self, row: &BatchRow) {
        if let (Some((pid, _)), Some(started)) = (&row.origin, row.agent_started) {
            self.agents.entry(ProcessId { pid: *pid, started }).or_default().insert(row.number);
        }
    }

    pub(crate) fn mark_away(&mut self, number: u64) {
        self.away.insert(number);
    }
}

/// Somebody of the person's who follows the events.
pub(crate) struct Follower(Hub);

impl Drop for Follower {
    fn drop(&mut self) {
        lock(&self.0.0.presence).followers -= 1;
    }
}
