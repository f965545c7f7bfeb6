//! Asking: reading the input, finding an earlier ask again, recording a new one, waiting.

use std::str::FromStr;
use std::sync::Arc;

use askdock_dialects::{Ask, Dialect, Timeout, normalise};
use askdock_domain::{BatchState, Millis, Problem, Timestamp, limits};
use askdock_store::batches::{self, BatchRow, NewBatch};
use askdock_store::sessions::SessionRow;
use askdock_store::{ask_keys, sessions as session_rows};
use askdock_wire::names::content_json;
use askdock_wire::ops::{WaitRequest, WaitResponse};
use askdock_wire::{
    AskRequest, AskResponse, Code, ProblemDto, SessionRef, WireError, content_hash, timestamp,
};

use crate::commit::{Change, Refusal};
use crate::presence::Waiter;
use crate::{Caller, Hub, HubKind, access, commit, lock, sessions, turns, views};

/// How long after its delivery an explicit key still returns the outcome.
const REMEMBERED: Millis = Millis::from_mins(10);
/// The scope of derived keys in the store; explicit ones are scoped to their turn.
const DERIVED: &str = "derived";

/// An ask that was read and only has to be recorded.
struct Reading {
    ask: Ask,
    dialect: Dialect,
    hash: String,
    content: String,
    source: String,
    session: SessionRef,
    turn: Option<String>,
    request_id: Option<String>,
    /// Strongest first.
    derived_keys: Vec<String>,
    unattended: bool,
    wait_for_person: bool,
}

impl Hub {
    pub(crate) async fn ask(
        &self,
        caller: &Caller,
        request: AskRequest,
    ) -> Result<AskResponse, WireError> {
        let reading = read(request)?;
        if !reading.wait_for_person && self.needs_notices() {
            self.notices_known().await;
        }
        let (hub, asker) = (self.clone(), caller.clone());
        let asking = self.asking(caller);
        let state = asking.state();
        let (row, secret, created) = self
            .change(move |change| {
                let session = sessions::open(change, hub.0.ids.as_ref(), &reading.session)?;
                let secret = session.secret.clone();
                if let Some(row) = hub.find_again(change, &session, &reading)? {
                    if row.state.is_pending() {
                        // As for a new one: of two calls that come back at once each finds its own.
                        hub.expect_asker(row.number, &asker, &state);
                    }
                    return Ok((row, secret, false));
                }
                // Only what is asked anew needs an open turn: an answer is still handed over.
                if let Some(turn) = &reading.turn {
                    turns::check_asking(change, &session.id, turn)?;
                }
                if !reading.wait_for_person {
                    hub.check_person(reading.unattended)?;
                }
                let row = hub.record(change, &asker, session, reading)?;
                // Before the commit: from then on others may find this batch and must see that
                // its asker is about to wait.
                hub.expect_asker(row.number, &asker, &state);
                Ok((row, secret, true))
            })
            .await?;
        asking.done();
        Ok(AskResponse {
            status: views::status(&row),
            deadline: row.state.deadline.map(timestamp),
            warnings: views::warnings(&row),
            outcome: self.outcome_for(caller, &row),
            content_hash: row.state.content_hash,
            id: row.id,
            number: row.number,
            session: row.session,
            session_secret: secret,
            created,
        })
    }

    /// The batch that this ask means, if it was asked before.
    fn find_again(
        &self,
        change: &Change<'_>,
        session: &SessionRow,
        reading: &Reading,
    ) -> Result<Option<BatchRow>, Refusal> {
        if let Some(key) = &reading.request_id {
            let scope = explicit_scope(reading.turn.as_deref());
            let newest = ask_keys::find(change.connection, &session.id, &scope, key)?;
            let Some(&number) = newest.first() else { return Ok(None) };
            let Some(row) = batches::by_number(change.connection, number)? else { return Ok(None) };
            let forgotten =
                row.state.delivered_at.is_some_and(|at| change.now.since(at) > REMEMBERED);
            if forgotten {
                return Ok(None);
            }
            if row.state.content_hash != reading.hash {
                return Err(WireError::new(
                    Code::KeyConflict,
                    format!(
                        "The request_id was used for batch #{} with other content; send a new one.",
                        row.number
                    ),
                )
                .into());
            }
            return Ok(Some(row));
        }
        for key in &reading.derived_keys {
            for number in ask_keys::find(change.connection, &session.id, DERIVED, key)? {
                let Some(row) = batches::by_number(change.connection, number)? else { continue };
                let resumable = row.state.is_pending() || row.state.delivered_at.is_none();
                if resumable
                    && row.turn == reading.turn
                    && row.state.content_hash == reading.hash
                    && !self.has_live_waiter(number)
                {
                    return Ok(Some(row));
                }
            }
        }
        Ok(None)
    }

    fn record(
        &self,
        change: &mut Change<'_>,
        asker: &Caller,
        session: SessionRow,
        reading: Reading,
    ) -> Result<BatchRow, Refusal> {
        let deadline = self.deadline(change.now, reading.ask.timeout);
        let warnings: Vec<ProblemDto> = reading.ask.warnings.into_iter().map(Into::into).collect();
        let batch = NewBatch {
            id: self.0.ids.id(change.now),
            session: session.id,
            turn: reading.turn,
            teammate: reading.session.teammate,
            origin: asker.peer.as_ref().map(|peer| {
                let process = peer.agent.unwrap_or(peer.process);
                (process.pid, peer.program.clone())
            }),
            agent_started: asker.agent().map(|agent| agent.started),
            dialect: reading.dialect.name().to_owned(),
            source: reading.source,
            content: reading.content,
            warnings: serde_json::to_string(&warnings).unwrap_or_default(),
            asked_at: change.now,
            state: BatchState::asked(reading.hash, deadline),
        };
        let number = batches::insert(change.connection, &batch)?;
        if let Some(key) = &reading.request_id {
            let scope = explicit_scope(batch.turn.as_deref());
            ask_keys::insert(change.connection, &batch.session, &scope, key, number)?;
        }
        for key in &reading.derived_keys {
            ask_keys::insert(change.connection, &batch.session, DERIVED, key, number)?;
        }
        session_rows::touch(change.connection, &batch.session, change.now)?;
        let row = BatchRow {
            number,
            id: batch.id,
            session: batch.session,
            turn: batch.turn,
            teammate: batch.teammate,
            origin: batch.origin,
            agent_started: batch.agent_started,
            dialect: batch.dialect,
            content: batch.content,
            warnings: batch.warnings,
            asked_at: batch.asked_at,
            state: batch.state,
            result: None,
            draft: None,
        };
        change.asked(row.clone())?;
        Ok(row)
    }

    fn deadline(&self, now: Timestamp, timeout: Timeout) -> Option<Timestamp> {
        let seconds = match timeout {
            Timeout::Seconds(seconds) => seconds,
            Timeout::Absent => match lock(&self.0.settings).default_timeout_seconds {
                0 => 0,
                seconds => seconds.clamp(Timeout::SHORTEST, Timeout::LONGEST),
            },
        };
        (seconds > 0).then(|| now + Millis::from_secs(i64::from(seconds)))
    }

    /// Refuses an ask that nobody could answer.
    fn check_person(&self, unattended: bool) -> Result<(), WireError> {
        let why = if unattended {
            "CI is set in the asker's environment, so nobody is there to answer."
        } else if self.reachable_by().is_empty() {
            "No window, notification server or terminal of the person's is attached."
        } else {
            return Ok(());
        };
        Err(WireError::new(
            Code::NoPerson,
            format!(
                "{why} Continue with your best judgement and state the assumption, or ask with --wait."
            ),
        ))
    }

    /// By what the person can be reached now.
    pub(crate) fn reachable_by(&self) -> Vec<String> {
        let mut by = vec![];
        match self.0.kind {
            HubKind::Desktop => by.push("window".to_owned()),
            HubKind::Serve { by_person: true } => by.push("serve".to_owned()),
            HubKind::Serve { by_person: false } => {}
        }
        if self.notices_available() {
            by.push("notifications".to_owned());
        }
        if self.has_follower() {
            by.push("client".to_owned());
        }
        by
    }

    /// Waits for the outcome, at most `request.wait` seconds.
    pub(crate) async fn wait(
        &self,
        caller: &Caller,
        request: WaitRequest,
    ) -> Result<WaitResponse, WireError> {
        let find = |hub: &Hub| -> Result<BatchRow, WireError> {
            let found =
                hub.0.store.read(|connection| access::find_own(connection, caller, &request.id));
            found.map_err(Refusal::into_wire)
        };
        let mut row = find(self)?;
        let wait = request.wait.unwrap_or(0.0);
        if row.state.is_pending() && wait != 0.0 {
            let waiter = self.attach(row.number, &row.session, caller);
            row = find(self)?;
            if row.state.is_pending() {
                // The record may be gone by now, with its session; the end is not.
                row = match self.wait_for_end(waiter, wait).await? {
                    Some(ended) => Arc::unwrap_or_clone(ended),
                    None => find(self)?,
                };
            }
        }
        let outcome = self.outcome_for(caller, &row);
        let asked_form = outcome.as_ref().and_then(|outcome| {
            let dialect = Dialect::from_str(&row.dialect).ok()?;
            askdock_dialects::outcome_in(dialect, outcome, &views::content(&row))
        });
        Ok(WaitResponse { outcome, asked_form, full: request.full })
    }

    /// Completes with the ended batch, when the time is over, or with an error when the hub closes.
    async fn wait_for_end(
        &self,
        mut waiter: Waiter,
        wait: f64,
    ) -> Result<Option<Arc<BatchRow>>, WireError> {
        let limit = async {
            if wait > 0.0 && wait.is_finite() {
                // A year is longer than any client waits and within what a timer takes.
                let seconds = wait.min(31_536_000.0);
                self.0.clock.sleep(std::time::Duration::from_secs_f64(seconds)).await;
            } else {
                std::future::pending().await
            }
        };
        tokio::select! {
            biased;
            ended = waiter.ended() => Ok(ended),
            () = self.closed() => Err(commit::closing()),
            () = limit => Ok(None),
        }
    }
}

/// Reads the input in its dialect; nothing is recorded yet.
fn read(request: AskRequest) -> Result<Reading, WireError> {
    let source = request.input.to_string();
    if source.len() > limits::BATCH.max {
        let limit = limits::BATCH;
        let message = format!(
            "{} may have at most {} {}; this one has {}. Ask in several parts.",
            limit.what,
            limit.max,
            limit.unit,
            source.len()
        );
        return Err(WireError::new(Code::TooLarge, message));
    }
    let dialect = match &request.dialect {
        Some(name) => Dialect::from_str(name).map_err(problem_error)?,
        None => Dialect::Askdock,
    };
    let mut ask = normalise(&request.input, dialect)
        .map_err(|problems| WireError::invalid(problems.into_iter().map(Into::into).collect()))?;
    if let Some(seconds) = request.timeout_seconds {
        let (timeout, warning) = Timeout::from_seconds(seconds, "timeout_seconds");
        ask.timeout = timeout;
        ask.warnings.extend(warning);
    }
    let mut session = request.session;
    session.id = session.id.or(ask.session.take());
    session.parent = session.parent.or(ask.owner_session.take());
    session.teammate = session.teammate.or(ask.teammate.take());
    // What stands for "none" names nothing.
    let request_id =
        request.request_id.or(ask.request_id.take()).filter(|id| !id.trim().is_empty());
    let hash = content_hash(&ask.content);
    let mut derived_keys: Vec<String> =
        request.call_keys.into_iter().map(|key| format!("call:{key}")).collect();
    if request.resume {
        derived_keys.push(format!("content:{hash}"));
    }
    Ok(Reading {
        content: content_json(&ask.content).to_string(),
        ask,
        dialect,
        hash,
        source,
        session,
        turn: request.turn,
        request_id,
        derived_keys,
        unattended: request.unattended,
        wait_for_person: request.wait_for_person,
    })
}

fn problem_error(problem: Problem) -> WireError {
    WireError::invalid(vec![problem.into()])
}

/// Explicit keys are scoped to session and turn.
fn explicit_scope(turn: Option<&str>) -> String {
    format!("request:{}", turn.unwrap_or_default())
}
