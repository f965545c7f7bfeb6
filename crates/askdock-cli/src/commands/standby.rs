//! Waiting for the hub lock while the desktop app, or another `serve`, has it.

use std::time::Duration;

use askdock_client::{HubFile, HubLock, Paths};

use super::serve::Termination;
use crate::output::say;

/// How long the app that took over may take to announce itself. If it doesn't, it has died.
const TAKEOVER: Duration = Duration::from_secs(15);

/// Whose turn it is.
pub(super) enum Turn {
    /// The lock is ours.
    Ours(HubLock),
    /// The process is to end.
    Over,
}

/// Waits for the lock. `last_run` is our own hub that was just handed over: the app waits for
/// the same lock, and must get it first.
pub(super) async fn wait_for_lock(
    paths: &Paths,
    by_person: bool,
    last_run: Option<String>,
    termination: &mut Termination,
) -> anyhow::Result<Turn> {
    if let Some(run) = last_run {
        say("The desktop app takes over; standing by until it leaves.");
        let taken_over = tokio::time::timeout(TAKEOVER, HubFile::other_than(paths, &run));
        tokio::select! {
            _ = taken_over => {}
            () = termination.requested() => return Ok(Turn::Over),
        }
    }
    if let Some(lock) = HubLock::try_acquire(paths)? {
        return Ok(Turn::Ours(lock));
    }
    if !by_person {
        // Another hub is there for the ask that started this one.
        return Ok(Turn::Over);
    }
    say("Another Askdock hub is running; standing by until it leaves.");
    tokio::select! {
        lock = HubLock::acquire(paths) => Ok(Turn::Ours(lock?)),
        () = termination.requested() => Ok(Turn::Over),
    }
}
