//! The numbered log of what changed.

use rusqlite::{Connection, params};

use crate::SqlError;

/// One logged change: which entity, and its id or number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Strictly rising, over restarts too.
    pub seq: u64,
    /// `session`, `session_deleted`, `batch`, `message` or `settings`.
    pub entity: String,
    /// Its id or number.
    pub reference: String,
}

/// How many changes are kept; a reader further behind starts from a snapshot.
const KEPT: u64 = 20_000;

/// Logs a change and returns its number.
///
/// # Errors
/// SQLite's.
pub fn append(connection: &Connection, entity: &str, reference: &str) -> Result<u64, SqlError> {
    connection
        .prepare_cached("INSERT INTO events (entity, ref) VALUES (?1, ?2)")?
        .execute(params![entity, reference])?;
    let seq = connection.last_insert_rowid().unsigned_abs();
    if seq.is_multiple_of(1000) {
        connection.execute("DELETE FROM events WHERE seq <= ?1", [seq.saturating_sub(KEPT)])?;
    }
    Ok(seq)
}

/// The number of the last change; 0 before the first.
///
/// # Errors
/// SQLite's.
pub fn last(connection: &Connection) -> Result<u64, SqlError> {
    connection
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM events")?
        .query_row([], |row| row.get(0))
}

/// Up to `limit` changes after `seq`; `None`: some of them are no longer kept, or `seq` is from
/// another database.
///
/// # Errors
/// SQLite's.
pub fn after(
    connection: &Connection,
    seq: u64,
    limit: u64,
) -> Result<Option<Vec<EventRow>>, SqlError> {
    if seq > last(connection)? {
        return Ok(None);
    }
    let rows: Vec<EventRow> = connection
        .prepare_cached("SELECT seq, entity, ref FROM events WHERE seq > ?1 ORDER BY seq LIMIT ?2")?
        .query_map(params![seq, limit], |row| {
            Ok(EventRow { seq: row.get(0)?, entity: row.get(1)?, reference: row.get(2)? })
        })?
        .collect::<Result<_, _>>()?;
    // Only a deletion from the front can leave a gap behind `seq`.
    let gap = rows.first().is_some_and(|row| row.seq > seq + 1)
        && connection
            .prepare_cached("SELECT min(seq) FROM events")?
            .query_row([], |row| row.get::<_, u64>(0))?
            > seq + 1;
    Ok((!gap).then_some(rows))
}
