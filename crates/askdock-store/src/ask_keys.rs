//! Keys under which an ask is found again.

use rusqlite::{Connection, params};

use crate::SqlError;

/// Remembers that `key` in `scope` of `session` named `batch`.
///
/// # Errors
/// SQLite's.
pub fn insert(
    connection: &Connection,
    session: &str,
    scope: &str,
    key: &str,
    batch: u64,
) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO ask_keys (session, scope, key, batch) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![session, scope, key, batch])?;
    Ok(())
}

/// Numbers of the batches that carry the key, newest first.
///
/// # Errors
/// SQLite's.
pub fn find(
    connection: &Connection,
    session: &str,
    scope: &str,
    key: &str,
) -> Result<Vec<u64>, SqlError> {
    connection
        .prepare_cached(
            "SELECT batch FROM ask_keys WHERE session = ?1 AND scope = ?2 AND key = ?3 ORDER BY \
             batch DESC",
        )?
        .query_map(params![session, scope, key], |row| row.get(0))?
        .collect()
}

/// Releases all keys of a batch: nothing finds it again by them.
///
/// # Errors
/// SQLite's.
pub fn release(connection: &Connection, batch: u64) -> Result<(), SqlError> {
    connection.prepare_cached("DELETE FROM ask_keys WHERE batch = ?1")?.execute([batch])?;
    Ok(())
}
