//! Turns: one run of an agent inside a session.

/// The states of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TurnState {
    /// Asking is permitted.
    #[default]
    Open,
    /// No new asks; answers are still accepted.
    Finalizing,
    /// Over.
    Ended(TurnEnd),
}

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEnd {
    /// The agent finished its work.
    Finished,
    /// It was interrupted.
    Interrupted,
    /// It failed; also a turn that finished while a batch of its own was pending, one over its
    /// longest duration, and one whose agent began another without resuming.
    Failed,
}

/// What happens to a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnEvent {
    /// The agent asks.
    Ask,
    /// The agent is about to end.
    Finalize,
    /// The agent ended it.
    End(TurnEnd),
}

/// Why a turn refuses an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TurnRejection {
    /// No new asks while the turn is closing.
    #[error("the turn is finalizing; it takes no new questions")]
    Finalizing,
    /// The turn is over.
    #[error("the turn has ended; begin another before asking")]
    Ended,
}

/// Applies `event`. `own_pending`: whether a batch of the turn is still pending.
///
/// # Errors
/// A turn that is closing takes no new ask, and one that has ended takes nothing.
pub fn turn_transition(
    state: TurnState,
    event: TurnEvent,
    own_pending: bool,
) -> Result<TurnState, TurnRejection> {
    match (state, event) {
        (TurnState::Ended(_), _) => Err(TurnRejection::Ended),
        (TurnState::Finalizing, TurnEvent::Ask) => Err(TurnRejection::Finalizing),
        (TurnState::Open, TurnEvent::Ask) => Ok(TurnState::Open),
        (_, TurnEvent::Finalize) => Ok(TurnState::Finalizing),
        (_, TurnEvent::End(TurnEnd::Finished)) if own_pending => {
            Ok(TurnState::Ended(TurnEnd::Failed))
        }
        (_, TurnEvent::End(end)) => Ok(TurnState::Ended(end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TurnEnd::{Failed, Finished, Interrupted};
    use TurnState::{Ended, Finalizing, Open};

    #[test]
    fn every_step() {
        let check = |state, event, own_pending, expect| {
            assert_eq!(turn_transition(state, event, own_pending), expect, "{state:?} {event:?}");
        };
        check(Open, TurnEvent::Ask, false, Ok(Open));
        check(Open, TurnEvent::Ask, true, Ok(Open));
        check(Finalizing, TurnEvent::Ask, false, Err(TurnRejection::Finalizing));
        for state in [Open, Finalizing] {
            check(state, TurnEvent::Finalize, true, Ok(Finalizing));
            check(state, TurnEvent::End(Finished), false, Ok(Ended(Finished)));
            check(state, TurnEvent::End(Finished), true, Ok(Ended(Failed)));
            check(state, TurnEvent::End(Interrupted), true, Ok(Ended(Interrupted)));
            check(state, TurnEvent::End(Failed), true, Ok(Ended(Failed)));
        }
        for event in [TurnEvent::Ask, TurnEvent::Finalize, TurnEvent::End(Finished)] {
            check(Ended(Interrupted), event, false, Err(TurnRejection::Ended));
        }
    }
}
