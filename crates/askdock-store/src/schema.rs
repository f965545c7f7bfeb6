//! The schema as a list of migrations; `user_version` counts those done. Released migrations are
//! never edited: a change is a new one at the end.

use rusqlite::{Connection, TransactionBehavior};

use crate::SqlError;

/// The newest schema that this program knows.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
];

pub(crate) fn version(connection: &Connection) -> Result<i64, SqlError> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

/// Runs what is missing, each migration in a transaction of its own with its version.
pub(crate) fn migrate(connection: &mut Connection, from: i64) -> Result<(), SqlError> {
    let done = usize::try_from(from).unwrap_or(0);
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", index as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}
