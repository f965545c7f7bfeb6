//! Turns.

use askdock_domain::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::SqlError;

/// A turn as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRow {
    /// Session id.
    pub session: String,
    /// The caller's id.
    pub id: String,
    /// `open`, `finalizing`, `finished`, `interrupted` or `failed`.
    pub state: String,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it fails by itself.
    pub deadline: Option<Timestamp>,
}

/// Inserts or replaces a turn.
///
/// # Errors
/// SQLite's.
pub fn save(connection: &Connection, turn: &TurnRow) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT INTO turns (session, id, state, opened_at, deadline) VALUES (?1, ?2, ?3, ?4, \
             ?5) ON CONFLICT (session, id) DO UPDATE SET state = ?3, deadline = ?5",
        )?
        .execute(params![
            turn.session,
            turn.id,
            turn.state,
            turn.opened_at.0,
            turn.deadline.map(|t| t.0),
        ])?;
    Ok(())
}

/// One turn.
///
/// # Errors
/// SQLite's.
pub fn find(connection: &Connection, session: &str, id: &str) -> Result<Option<TurnRow>, SqlError> {
    connection
        .prepare_cached(
            "SELECT session, id, state, opened_at, deadline FROM turns WHERE session = ?1 AND id \
             = ?2",
        )?
        .query_row(params![session, id], read)
        .optional()
}

/// Turns that have not ended, of one session or of all.
///
/// # Errors
/// SQLite's.
pub fn unfinished(
    connection: &Connection,
    session: Option<&str>,
) -> Result<Vec<TurnRow>, SqlError> {
    connection
        .prepare_cached(
            "SELECT session, id, state, opened_at, deadline FROM turns WHERE state IN ('open', \
             'finalizing') AND (?1 IS NULL OR session = ?1)",
        )?
        .query_map([session], read)?
        .collect()
}

fn read(row: &Row<'_>) -> Result<TurnRow, SqlError> {
    Ok(TurnRow {
        session: row.get(0)?,
        id: row.get(1)?,
        state: row.get(2)?,
        opened_at: Timestamp(row.get(3)?),
        deadline: row.get::<_, Option<i64>>(4)?.map(Timestamp),
    })
}
