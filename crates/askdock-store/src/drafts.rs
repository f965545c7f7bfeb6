//! Drafts: the person's work in progress.

use askdock_domain::Timestamp;
use rusqlite::{Connection, params};

use crate::SqlError;

/// Saves a draft under its next revision.
///
/// # Errors
/// SQLite's.
pub fn save(
    connection: &Connection,
    batch: u64,
    rev: u64,
    body: &str,
    at: Timestamp,
) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT INTO drafts (batch, rev, body, saved_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT \
             (batch) DO UPDATE SET rev = ?2, body = ?3, saved_at = ?4",
        )?
        .execute(params![batch, rev, body, at.0])?;
    Ok(())
}

/// Deletes the draft of a batch whose answer was recorded.
///
/// # Errors
/// SQLite's.
pub fn delete(connection: &Connection, batch: u64) -> Result<(), SqlError> {
    connection.prepare_cached("DELETE FROM drafts WHERE batch = ?1")?.execute([batch])?;
    Ok(())
}
