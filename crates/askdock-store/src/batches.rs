//! Batches: content, state, end.

use askdock_domain::{
    Act, BatchState, End, EndKind, Lease, Millis, Responder, ResponderKind, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, named_params, params};

use crate::SqlError;

/// A batch to insert.
#[derive(Debug, Clone)]
pub struct NewBatch {
    /// UUIDv7.
    pub id: String,
    /// Session id.
    pub session: String,
    /// The caller's turn.
    pub turn: Option<String>,
    /// The child that asks.
    pub teammate: Option<String>,
    /// The asking process: pid and program.
    pub origin: Option<(u32, String)>,
    /// When the process with the origin's pid was started, if it is an agent's.
    pub agent_started: Option<u64>,
    /// Name of the ask format.
    pub dialect: String,
    /// What the caller sent, JSON.
    pub source: String,
    /// What is shown, JSON.
    pub content: String,
    /// Warnings, JSON.
    pub warnings: String,
    /// When.
    pub asked_at: Timestamp,
    /// Its state.
    pub state: BatchState,
}

/// A batch as stored.
#[derive(Debug, Clone)]
pub struct BatchRow {
    /// Person-friendly number.
    pub number: u64,
    /// UUIDv7.
    pub id: String,
    /// Session id.
    pub session: String,
    /// The caller's turn.
    pub turn: Option<String>,
    /// The child that asked.
    pub teammate: Option<String>,
    /// The asking process: pid and program.
    pub origin: Option<(u32, String)>,
    /// When the process with the origin's pid was started, if it is an agent's.
    pub agent_started: Option<u64>,
    /// Name of the ask format.
    pub dialect: String,
    /// What is shown, JSON.
    pub content: String,
    /// Warnings, JSON.
    pub warnings: String,
    /// When.
    pub asked_at: Timestamp,
    /// Its state.
    pub state: BatchState,
    /// Answers, message, partial and the answering process, JSON; set with the end.
    pub result: Option<String>,
    /// The saved draft: revision and JSON.
    pub draft: Option<(u64, String)>,
}

const COLUMNS: &str = "b.number, b.id, b.session, b.turn, b.teammate, b.origin_pid, \
    b.origin_program, b.agent_started, b.dialect, b.content, b.content_hash, b.warnings, b.asked_at, b.deadline, \
    b.lease_since, b.lease_until, b.lease_used, b.not_before, b.detached_since, b.delivered_at, \
    b.end_kind, b.end_reason, b.ended_at, b.responder_kind, b.responder_id, b.responder_via, \
    b.answer_id, b.fingerprint, b.result, d.rev, d.body";

const FROM: &str = "FROM batches b LEFT JOIN drafts d ON d.batch = b.number";

/// Inserts and returns the new number.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, batch: &NewBatch) -> Result<u64, SqlError> {
    connection
        .prepare_cached(
            "INSERT INTO batches (id, session, turn, teammate, origin_pid, origin_program, agent_started, \
             dialect, source, content, content_hash, warnings, asked_at, deadline) VALUES (:id, \
             :session, :turn, :teammate, :origin_pid, :origin_program, :agent_started, :dialect, :source, \
             :content, :content_hash, :warnings, :asked_at, :deadline)",
        )?
        .execute(named_params! {
            ":id": batch.id,
            ":session": batch.session,
            ":turn": batch.turn,
            ":teammate": batch.teammate,
            ":origin_pid": batch.origin.as_ref().map(|(pid, _)| pid),
            ":origin_program": batch.origin.as_ref().map(|(_, program)| program),
            ":agent_started": batch.agent_started,
            ":dialect": batch.dialect,
            ":source": batch.source,
            ":content": batch.content,
            ":content_hash": batch.state.content_hash,
            ":warnings": batch.warnings,
            ":asked_at": batch.asked_at.0,
            ":deadline": batch.state.deadline.map(|t| t.0),
        })?;
    Ok(connection.last_insert_rowid().unsigned_abs())
}

/// Saves what of a state may change while a batch waits. Never touches an ended batch's end.
///
/// # Errors
/// SQLite's.
pub fn save_state(
    connection: &Connection,
    number: u64,
    state: &BatchState,
) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "UPDATE batches SET deadline = ?2, lease_since = ?3, lease_until = ?4, lease_used = \
             ?5, not_before = ?6, detached_since = ?7, delivered_at = ?8 WHERE number = ?1",
        )?
        .execute(params![
            number,
            state.deadline.map(|t| t.0),
            state.lease.map(|l| l.since.0),
            state.lease.map(|l| l.until.0),
            state.lease_used.0,
            state.not_before.map(|t| t.0),
            state.detached_since.map(|t| t.0),
            state.delivered_at.map(|t| t.0),
        ])?;
    Ok(())
}

/// Compare-and-set: records the end of a pending batch. `false`: it had ended before, and
/// nothing was changed.
///
/// # Errors
/// SQLite's.
pub fn end(
    connection: &Connection,
    number: u64,
    end: &End,
    result: Option<&str>,
) -> Result<bool, SqlError> {
    let changed = connection
        .prepare_cached(
            "UPDATE batches SET end_kind = ?2, end_reason = ?3, ended_at = ?4, responder_kind = \
             ?5, responder_id = ?6, responder_via = ?7, answer_id = ?8, fingerprint = ?9, result \
             = ?10, lease_since = NULL, lease_until = NULL WHERE number = ?1 AND (end_kind IS \
             NULL OR ?11)",
        )?
        .execute(params![
            number,
            end_kind_text(end.kind),
            end.reason,
            end.at.0,
            responder_kind_text(end.responder.kind),
            end.responder.id,
            end.responder.via,
            end.act.as_ref().map(|act| &act.answer_id),
            end.act.as_ref().map(|act| &act.fingerprint),
            result,
            cfg!(feature = "broken-compare-and-set"),
        ])?;
    Ok(changed == 1)
}

/// One batch by number.
///
/// # Errors
/// SQLite's.
pub fn by_number(connection: &Connection, number: u64) -> Result<Option<BatchRow>, SqlError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} {FROM} WHERE b.number = ?1"))?
        .query_row([number], read)
        .optional()
}

/// One batch by id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &str) -> Result<Option<BatchRow>, SqlError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} {FROM} WHERE b.id = ?1"))?
        .query_row([id], read)
        .optional()
}

/// All pending batches, oldest first.
///
/// # Errors
/// SQLite's.
pub fn pending(connection: &Connection) -> Result<Vec<BatchRow>, SqlError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} {FROM} WHERE b.end_kind IS NULL ORDER BY b.number"
        ))?
        .query_map([], read)?
        .collect()
}

/// How many batches are pending: with a waiter, and without.
///
/// # Errors
/// SQLite's.
pub fn count_pending(connection: &Connection) -> Result<(u32, u32), SqlError> {
    connection
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE detached_since IS NULL), count(detached_since) FROM \
             batches WHERE end_kind IS NULL",
        )?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Which batches to list.
#[derive(Debug, Clone, Default)]
pub struct Filter<'a> {
    /// `None`: all; `Some("pending")`: without an end; else the end's name.
    pub status: Option<&'a str>,
    /// Of this session.
    pub session: Option<&'a str>,
    /// Of this turn.
    pub turn: Option<&'a str>,
    /// Only higher numbers.
    pub after: u64,
    /// At most so many: the newest.
    pub limit: u64,
}

/// Batches that pass the filter, oldest first.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection, filter: &Filter<'_>) -> Result<Vec<BatchRow>, SqlError> {
    let (sql, values) = selection(filter);
    let mut rows: Vec<BatchRow> =
        connection.prepare_cached(&sql)?.query_map(&*values, read)?.collect::<Result<_, _>>()?;
    rows.reverse();
    Ok(rows)
}

/// The statement for a filter and its values. Names only what is asked for: SQLite can't use an
/// index for a condition that may be switched off by a value.
fn selection<'a>(filter: &'a Filter<'_>) -> (String, Vec<(&'static str, &'a dyn ToSql)>) {
    let mut values: Vec<(&'static str, &dyn ToSql)> = vec![(":limit", &filter.limit)];
    let mut conditions = vec![];
    // Few batches are pending and many of a session have ended: a `+` keeps SQLite from walking
    // through the session's instead.
    let pending = filter.status == Some("pending");
    if let Some(session) = &filter.session {
        conditions.push(if pending { "+b.session = :session" } else { "b.session = :session" });
        values.push((":session", session));
    }
    if let Some(turn) = &filter.turn {
        conditions.push(if pending { "+b.turn = :turn" } else { "b.turn = :turn" });
        values.push((":turn", turn));
    }
    match &filter.status {
        Some("pending") => conditions.push("b.end_kind IS NULL"),
        Some(status) => {
            conditions.push("b.end_kind = :status");
            values.push((":status", status));
        }
        None => {}
    }
    if filter.after > 0 {
        conditions.push("b.number > :after");
        values.push((":after", &filter.after));
    }
    let conditions = match conditions.is_empty() {
        true => String::new(),
        false => format!("WHERE {} ", conditions.join(" AND ")),
    };
    let sql = format!("SELECT {COLUMNS} {FROM} {conditions}ORDER BY b.number DESC LIMIT :limit");
    (sql, values)
}

fn read(row: &Row<'_>) -> Result<BatchRow, SqlError> {
    let time = |name: &str| row.get::<_, Option<i64>>(name).map(|t| t.map(Timestamp));
    let lease =
        time("lease_since")?.zip(time("lease_until")?).map(|(since, until)| Lease { since, until });
    let origin = row
        .get::<_, Option<u32>>("origin_pid")?
        .zip(row.get::<_, Option<String>>("origin_program")?);
    let draft = row.get::<_, Option<u64>>("rev")?.zip(row.get::<_, Option<String>>("body")?);
    Ok(BatchRow {
        number: row.get("number")?,
        id: row.get("id")?,
        session: row.get("session")?,
        turn: row.get("turn")?,
        teammate: row.get("teammate")?,
        origin,
        agent_started: row.get("agent_started")?,
        dialect: row.get("dialect")?,
        content: row.get("content")?,
        warnings: row.get("warnings")?,
        asked_at: Timestamp(row.get("asked_at")?),
        state: BatchState {
            content_hash: row.get("content_hash")?,
            end: read_end(row)?,
            deadline: time("deadline")?,
            lease,
            lease_used: Millis(row.get("lease_used")?),
            not_before: time("not_before")?,
            detached_since: time("detached_since")?,
            delivered_at: time("delivered_at")?,
        },
        result: row.get("result")?,
        draft,
    })
}

fn read_end(row: &Row<'_>) -> Result<Option<End>, SqlError> {
    let Some(kind) = row.get::<_, Option<String>>("end_kind")? else { return Ok(None) };
    let act = row
        .get::<_, Option<String>>("answer_id")?
        .zip(row.get::<_, Option<String>>("fingerprint")?)
        .map(|(answer_id, fingerprint)| Act { answer_id, fingerprint });
    Ok(Some(End {
        kind: end_kind(&kind),
        reason: row.get("end_reason")?,
        at: Timestamp(row.get("ended_at")?),
        responder: Responder {
            kind: responder_kind(&row.get::<_, String>("responder_kind")?),
            id: row.get("responder_id")?,
            via: row.get("responder_via")?,
        },
        act,
    }))
}

// The CHECK constraint admits exactly these.

fn end_kind_text(kind: EndKind) -> &'static str {
    match kind {
        EndKind::Answered => "answered",
        EndKind::Dismissed => "dismissed",
        EndKind::Expired => "expired",
        EndKind::Cancelled => "cancelled",
    }
}

fn end_kind(text: &str) -> EndKind {
    match text {
        "answered" => EndKind::Answered,
        "dismissed" => EndKind::Dismissed,
        "expired" => EndKind::Expired,
        _ => EndKind::Cancelled,
    }
}

fn responder_kind_text(kind: ResponderKind) -> &'static str {
    match kind {
        ResponderKind::User => "user",
        ResponderKind::ApiKey => "api_key",
        ResponderKind::Channel => "channel",
        ResponderKind::System => "system",
    }
}

fn responder_kind(text: &str) -> ResponderKind {
    match text {
        "user" => ResponderKind::User,
        "api_key" => ResponderKind::ApiKey,
        "channel" => ResponderKind::Channel,
        _ => ResponderKind::System,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How SQLite would run the statement for `filter`.
    fn plan(filter: &Filter<'_>) -> Result<String, Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let connection = crate::open::open_writer(&folder.path().join("askdock.db"))?;
        let (sql, values) = selection(filter);
        let steps: Vec<String> = connection
            .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?
            .query_map(&*values, |row| row.get("detail"))?
            .collect::<Result<_, _>>()?;
        Ok(steps.join("; "))
    }

    #[test]
    fn filters_use_an_index_and_need_no_sorting() -> Result<(), Box<dyn std::error::Error>> {
        let all = Filter { limit: 10, ..Filter::default() };
        let session = Filter { session: Some("s"), ..all.clone() };
        let turn = Filter { turn: Some("t"), ..all.clone() };
        let both = Filter { turn: Some("t"), ..session.clone() };
        let pending =
            |filter: &Filter<'static>| Filter { status: Some("pending"), ..filter.clone() };
        let ended = Filter { status: Some("expired"), ..session.clone() };
        let cases = [
            (session.clone(), "batches_of_session"),
            (Filter { after: 5, ..session.clone() }, "batches_of_session"),
            (ended, "batches_ended_of_session"),
            (turn.clone(), "batches_of_turn"),
            (both.clone(), "batches_of_"),
            (pending(&all), "batches_pending"),
            (pending(&session), "batches_pending"),
            (pending(&turn), "batches_pending"),
            (pending(&both), "batches_pending"),
        ];
        for (filter, index) in cases {
            let plan = plan(&filter)?;
            assert!(plan.contains(&format!("INDEX {index}")), "{filter:?}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{filter:?}: {plan}");
        }
        Ok(())
    }
}
