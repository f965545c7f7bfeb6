//! Turns: one run of an agent inside a session.

use askdock_domain::{TurnEnd, TurnEvent, TurnState, turn_transition};
use askdock_store::turns::{self, TurnRow};
use askdock_store::{batches, sessions as session_rows};
use askdock_wire::ops::{TurnBeginRequest, TurnEndRequest, TurnRequest};
use askdock_wire::{Code, TurnDto, WireError};

use crate::commit::{Change, Refusal};
use crate::due::Due;
use crate::{Caller, Hub, access, sessions};

/// Checks that `turn` takes questions; a turn not seen before is open.
pub(crate) fn check_asking(
    change: &mut Change<'_>,
    session: &str,
    turn: &str,
) -> Result<(), Refusal> {
    let row = match turns::find(change.connection, session, turn)? {
        Some(row) => row,
        None => {
            for other in turns::unfinished(change.connection, Some(session))? {
                finish(change, other, TurnEnd::Failed)?;
            }
            let row = TurnRow {
                session: session.into(),
                id: turn.into(),
                state: "open".into(),
                opened_at: change.now,
                deadline: None,
            };
            turns::save(change.connection, &row)?;
            row
        }
    };
    turn_transition(state(&row.state), TurnEvent::Ask, false)
        .map(|_| ())
        .map_err(|rejection| WireError::new(Code::TurnClosed, sentence(&rejection)).into())
}

impl Hub {
    /// Opens a turn or resumes it. Another unfinished turn of the session has failed then.
    pub(crate) async fn begin_turn(
        &self,
        caller: &Caller,
        request: TurnBeginRequest,
    ) -> Result<TurnDto, WireError> {
        let (caller, hub) = (caller.clone(), self.clone());
        let row = self
            .change(move |change| {
                own(change, &caller, &request.session)?;
                let id = request.turn.unwrap_or_else(|| hub.0.ids.id(change.now));
                if let Some(row) = turns::find(change.connection, &request.session, &id)? {
                    turn_transition(state(&row.state), TurnEvent::Ask, false).map_err(|r| {
                        Refusal::from(WireError::new(Code::TurnClosed, sentence(&r)))
                    })?;
                    return Ok(row);
                }
                for other in turns::unfinished(change.connection, Some(&request.session))? {
                    finish(change, other, TurnEnd::Failed)?;
                }
                let row = TurnRow {
                    session: request.session,
                    id,
                    state: "open".into(),
                    opened_at: change.now,
                    deadline: sessions::seconds_from(change.now, request.max_duration),
                };
                turns::save(change.connection, &row)?;
                Ok(row)
            })
            .await?;
        self.due_at(Due::Turn { session: row.session.clone(), turn: row.id.clone() }, row.deadline);
        Ok(dto(row))
    }

    pub(crate) async fn finalize_turn(
        &self,
        caller: &Caller,
        request: TurnRequest,
    ) -> Result<TurnDto, WireError> {
        let caller = caller.clone();
        self.change(move |change| {
            own(change, &caller, &request.session)?;
            let mut row = existing(change, &request.session, &request.turn)?;
            turn_transition(state(&row.state), TurnEvent::Finalize, false)
                .map_err(|r| Refusal::from(WireError::new(Code::TurnClosed, sentence(&r))))?;
            row.state = "finalizing".into();
            turns::save(change.connection, &row)?;
            Ok(dto(row))
        })
        .await
    }

    pub(crate) async fn end_turn(
        &self,
        caller: &Caller,
        request: TurnEndRequest,
    ) -> Result<TurnDto, WireError> {
        let end = match request.state.as_deref() {
            None | Some("finished") => TurnEnd::Finished,
            Some("interrupted") => TurnEnd::Interrupted,
            Some("failed") => TurnEnd::Failed,
            Some(_) => {
                let problem = askdock_domain::Problem::new(
                    "unknown_state",
                    "state",
                    "Send finished, interrupted or failed.",
                );
                return Err(WireError::invalid(vec![problem.into()]));
            }
        };
        let caller = caller.clone();
        let due = Due::Turn { session: request.session.clone(), turn: request.turn.clone() };
        let ended = self
            .change(move |change| {
                own(change, &caller, &request.session)?;
                let row = existing(change, &request.session, &request.turn)?;
                finish(change, row, end).map(dto)
            })
            .await?;
        self.due_at(due, None);
        Ok(ended)
    }

    /// The turn took longer than it said it would at most.
    pub(crate) async fn turn_overdue(
        &self,
        session: String,
        turn: String,
    ) -> Result<(), WireError> {
        self.change(move |change| {
            if let Some(row) = turns::find(change.connection, &session, &turn)?
                && !matches!(state(&row.state), TurnState::Ended(_))
            {
                finish(change, row, TurnEnd::Failed)?;
            }
            Ok(())
        })
        .await
    }
}

/// Ends a turn and withdraws what is pending in it.
pub(crate) fn finish(
    change: &mut Change<'_>,
    row: TurnRow,
    end: TurnEnd,
) -> Result<TurnRow, Refusal> {
    let filter = batches::Filter {
        status: Some("pending"),
        session: Some(&row.session),
        turn: Some(&row.id),
        after: 0,
        limit: 1,
    };
    let own_pending = !batches::list(change.connection, &filter)?.is_empty();
    let ended = turn_transition(state(&row.state), TurnEvent::End(end), own_pending)
        .map_err(|r| Refusal::from(WireError::new(Code::TurnClosed, sentence(&r))))?;
    let row = TurnRow { state: state_name(ended).into(), ..row };
    turns::save(change.connection, &row)?;
    sessions::withdraw(change, &row.session.clone(), Some(&row.id.clone()), "turn_ended")?;
    Ok(row)
}

fn own(change: &Change<'_>, caller: &Caller, session: &str) -> Result<(), Refusal> {
    if session_rows::by_id(change.connection, session)?.is_none() {
        return Err(WireError::new(Code::NotFound, "There is no such session.").into());
    }
    access::own_session(change.connection, caller, session)
}

fn existing(change: &Change<'_>, session: &str, turn: &str) -> Result<TurnRow, Refusal> {
    turns::find(change.connection, session, turn)?.ok_or_else(|| {
        WireError::new(Code::NotFound, "There is no such turn in this session.").into()
    })
}

fn sentence(rejection: &askdock_domain::TurnRejection) -> String {
    let text = rejection.to_string();
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    format!("{}{}.", first.into_iter().flatten().collect::<String>(), chars.as_str())
}

fn dto(row: TurnRow) -> TurnDto {
    TurnDto { id: row.id, session: row.session, state: row.state }
}

fn state(name: &str) -> TurnState {
    match name {
        "open" => TurnState::Open,
        "finalizing" => TurnState::Finalizing,
        "finished" => TurnState::Ended(TurnEnd::Finished),
        "interrupted" => TurnState::Ended(TurnEnd::Interrupted),
        _ => TurnState::Ended(TurnEnd::Failed),
    }
}

fn state_name(state: TurnState) -> &'static str {
    match state {
        TurnState::Open => "open",
        TurnState::Finalizing => "finalizing",
        TurnState::Ended(TurnEnd::Finished) => "finished",
        TurnState::Ended(TurnEnd::Interrupted) => "interrupted",
        TurnState::Ended(TurnEnd::Failed) => "failed",
    }
}
