//! Settings and other named values, each a JSON text.

use rusqlite::{Connection, params};

use crate::SqlError;

/// Sets one value.
///
/// # Errors
/// SQLite's.
pub fn set(connection: &Connection, name: &str, value: &str) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET \
             value = ?2",
        )?
        .execute(params![name, value])?;
    Ok(())
}

/// All values by name.
///
/// # Errors
/// SQLite's.
pub fn all(connection: &Connection) -> Result<Vec<(String, String)>, SqlError> {
    connection
        .prepare_cached("SELECT name, value FROM settings")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}
