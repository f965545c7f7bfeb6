//! Where notices are shown.

use rusqlite::{Connection, OptionalExtension, params};

use crate::SqlError;

/// Remembers that the notice `key` is shown by this run of the server under this id.
///
/// # Errors
/// SQLite's.
pub fn save(connection: &Connection, key: &str, server: &str, id: u32) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT INTO notices (key, server, id) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO \
             UPDATE SET server = ?2, id = ?3",
        )?
        .execute(params![key, server, id])?;
    Ok(())
}

/// Where the notice `key` was shown last.
///
/// # Errors
/// SQLite's.
pub fn find(connection: &Connection, key: &str) -> Result<Option<(String, u32)>, SqlError> {
    connection
        .prepare_cached("SELECT server, id FROM notices WHERE key = ?1")?
        .query_row([key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Forgets a notice.
///
/// # Errors
/// SQLite's.
pub fn delete(connection: &Connection, key: &str) -> Result<(), SqlError> {
    connection.prepare_cached("DELETE FROM notices WHERE key = ?1")?.execute([key])?;
    Ok(())
}
