//! Sessions.

use askdock_domain::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::SqlError;

/// A session as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Stable id.
    pub id: String,
    /// The client's conversation id, else agent and folder.
    pub identity: String,
    /// Title.
    pub title: String,
    /// Agent name.
    pub agent: String,
    /// Folder.
    pub folder: Option<String>,
    /// Git branch.
    pub branch: Option<String>,
    /// Parent session as claimed.
    pub parent: Option<String>,
    /// Shows that a caller is the same asker.
    pub secret: String,
    /// When first seen.
    pub created_at: Timestamp,
    /// When something last happened in it.
    pub last_activity_at: Timestamp,
    /// Kept at the top.
    pub pinned: bool,
    /// Hidden from the list.
    pub archived: bool,
    /// The composer's unsent text.
    pub composer: String,
}

/// The batches of a session, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Pending, with a waiter.
    pub pending: u32,
    /// Pending, without one.
    pub away: u32,
    /// Ended.
    pub ended: u32,
}

const SELECT: &str = "SELECT id, identity, title, agent, folder, branch, parent, secret, \
    created_at, last_activity_at, pinned, archived, composer FROM sessions";

/// Inserts a session.
///
/// # Errors
/// SQLite's.
pub fn insert(connection: &Connection, session: &SessionRow) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT INTO sessions (id, identity, title, agent, folder, branch, parent, secret, \
             created_at, last_activity_at, pinned, archived, composer) VALUES (?1, ?2, ?3, ?4, \
             ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            session.id,
            session.identity,
            session.title,
            session.agent,
            session.folder,
            session.branch,
            session.parent,
            session.secret,
            session.created_at.0,
            session.last_activity_at.0,
            session.pinned,
            session.archived,
            session.composer,
        ])?;
    Ok(())
}

/// Saves what may change about a session.
///
/// # Errors
/// SQLite's.
pub fn update(connection: &Connection, session: &SessionRow) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "UPDATE sessions SET title = ?2, agent = ?3, folder = ?4, branch = ?5, parent = ?6, \
             last_activity_at = ?7, pinned = ?8, archived = ?9, composer = ?10 WHERE id = ?1",
        )?
        .execute(params![
            session.id,
            session.title,
            session.agent,
            session.folder,
            session.branch,
            session.parent,
            session.last_activity_at.0,
            session.pinned,
            session.archived,
            session.composer,
        ])?;
    Ok(())
}

/// Notes that something happened in a session, and shows it in the list again.
///
/// # Errors
/// SQLite's.
pub fn touch(connection: &Connection, id: &str, at: Timestamp) -> Result<(), SqlError> {
    connection
        .prepare_cached("UPDATE sessions SET last_activity_at = ?2, archived = 0 WHERE id = ?1")?
        .execute(params![id, at.0])?;
    Ok(())
}

/// One session by id.
///
/// # Errors
/// SQLite's.
pub fn by_id(connection: &Connection, id: &str) -> Result<Option<SessionRow>, SqlError> {
    connection.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?.query_row([id], read).optional()
}

/// One session by identity.
///
/// # Errors
/// SQLite's.
pub fn by_identity(
    connection: &Connection,
    identity: &str,
) -> Result<Option<SessionRow>, SqlError> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE identity = ?1"))?
        .query_row([identity], read)
        .optional()
}

/// All sessions, newest activity first.
///
/// # Errors
/// SQLite's.
pub fn list(connection: &Connection) -> Result<Vec<SessionRow>, SqlError> {
    connection
        .prepare_cached(&format!("{SELECT} ORDER BY last_activity_at DESC, id"))?
        .query_map([], read)?
        .collect()
}

/// Counts the batches of a session.
///
/// # Errors
/// SQLite's.
pub fn counts(connection: &Connection, id: &str) -> Result<Counts, SqlError> {
    connection
        .prepare_cached(
            "SELECT (SELECT count(*) FROM batches WHERE session = ?1 AND end_kind IS NULL AND \
             detached_since IS NULL), (SELECT count(*) FROM batches WHERE session = ?1 AND \
             end_kind IS NULL AND detached_since IS NOT NULL), (SELECT count(*) FROM batches \
             WHERE session = ?1 AND end_kind IS NOT NULL)",
        )?
        .query_row([id], |row| {
            Ok(Counts { pending: row.get(0)?, away: row.get(1)?, ended: row.get(2)? })
        })
}

/// Deletes a session with everything in it.
///
/// # Errors
/// SQLite's.
pub fn delete(connection: &Connection, id: &str) -> Result<bool, SqlError> {
    Ok(connection.prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([id])? == 1)
}

fn read(row: &Row<'_>) -> Result<SessionRow, SqlError> {
    Ok(SessionRow {
        id: row.get(0)?,
        identity: row.get(1)?,
        title: row.get(2)?,
        agent: row.get(3)?,
        folder: row.get(4)?,
        branch: row.get(5)?,
        parent: row.get(6)?,
        secret: row.get(7)?,
        created_at: Timestamp(row.get(8)?),
        last_activity_at: Timestamp(row.get(9)?),
        pinned: row.get(10)?,
        archived: row.get(11)?,
        composer: row.get(12)?,
    })
}
