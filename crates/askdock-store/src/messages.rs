//! Messages of the timelines.

use askdock_domain::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::SqlError;

/// A message as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRow {
    /// Rises in posting order.
    pub id: u64,
    /// Session id.
    pub session: String,
    /// `person`, `agent` or `system`.
    pub author: String,
    /// Markdown.
    pub text: String,
    /// When.
    pub posted_at: Timestamp,
    /// When the agent took it.
    pub delivered_at: Option<Timestamp>,
}

const COLUMNS: &str = "id, session, author, text, posted_at, delivered_at";

/// Posts a message; the same `key` in the same session posts nothing twice and returns the first.
///
/// # Errors
/// SQLite's.
pub fn post(
    connection: &Connection,
    session: &str,
    author: &str,
    text: &str,
    key: Option<&str>,
    at: Timestamp,
) -> Result<(MessageRow, bool), SqlError> {
    if let Some(key) = key {
        let known = connection
            .prepare_cached(&format!(
                "SELECT {COLUMNS} FROM messages WHERE session = ?1 AND key = ?2"
            ))?
            .query_row(params![session, key], read)
            .optional()?;
        if let Some(known) = known {
            return Ok((known, false));
        }
    }
    connection
        .prepare_cached(
            "INSERT INTO messages (session, author, text, posted_at, key) VALUES (?1, ?2, ?3, ?4, \
             ?5)",
        )?
        .execute(params![session, author, text, at.0, key])?;
    let id = connection.last_insert_rowid().unsigned_abs();
    Ok((
        MessageRow {
            id,
            session: session.into(),
            author: author.into(),
            text: text.into(),
            posted_at: at,
            delivered_at: None,
        },
        true,
    ))
}

/// Messages of a session after `id`, oldest first.
///
/// # Errors
/// SQLite's.
pub fn list(
    connection: &Connection,
    session: &str,
    after: u64,
) -> Result<Vec<MessageRow>, SqlError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM messages WHERE session = ?1 AND id > ?2 ORDER BY id"
        ))?
        .query_map(params![session, after], read)?
        .collect()
}

/// One message.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: u64) -> Result<Option<MessageRow>, SqlError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM messages WHERE id = ?1"))?
        .query_row([id], read)
        .optional()
}

/// Marks the person's queued messages of a session as taken by the agent and returns them.
///
/// # Errors
/// SQLite's.
pub fn take(
    connection: &Connection,
    session: &str,
    at: Timestamp,
) -> Result<Vec<MessageRow>, SqlError> {
    let mut taken: Vec<MessageRow> = connection
        .prepare_cached(&format!(
            "UPDATE messages SET delivered_at = ?2 WHERE session = ?1 AND author = 'person' AND \
             delivered_at IS NULL RETURNING {COLUMNS}"
        ))?
        .query_map(params![session, at.0], read)?
        .collect::<Result<_, _>>()?;
    taken.sort_by_key(|message| message.id);
    Ok(taken)
}

fn read(row: &Row<'_>) -> Result<MessageRow, SqlError> {
    Ok(MessageRow {
        id: row.get(0)?,
        session: row.get(1)?,
        author: row.get(2)?,
        text: row.get(3)?,
        posted_at: Timestamp(row.get(4)?),
        delivered_at: row.get::<_, Option<i64>>(5)?.map(Timestamp),
    })
}
