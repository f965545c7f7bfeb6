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
