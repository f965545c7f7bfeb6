//! Opening: pragmas, integrity, migrations, damaged and foreign files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::{SqlError, schema};

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Written by a newer Askdock.
    #[error(
        "{path} was written by a newer Askdock (schema {found}, this one knows {known}); install \
         the newer version, or set ASKDOCK_HOME to another folder"
    )]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// The folder could not be made or the file not opened.
    #[error("{path} could not be opened: {source}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// SQLite's reason.
        source: SqlError,
    },
    /// A damaged file that could not be moved aside either.
    #[error("{path} is damaged and could not be moved aside: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why moving failed.
        source: std::io::Error,
    },
    /// The system started no thread for the writer.
    #[error("{path} could be opened but not written to: {source}")]
    NoWriter {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// How long a statement waits for another process's lock. Only the hub opens the file, so this
/// matters for somebody's own `sqlite3` at most.
const BUSY: Duration = Duration::from_secs(10);

pub(crate) fn open_writer(path: &Path) -> Result<Connection, OpenError> {
    match try_open_writer(path) {
        Err(OpenError::Unusable { source, .. }) if is_damage(&source) => {
            move_aside(path)?;
            tracing::error!(path = %path.display(), "the database was damaged and moved aside");
            try_open_writer(path)
        }
        other => other,
    }
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection, OpenError> {
    let unusable = |source| OpenError::Unusable { path: path.to_owned(), source };
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(unusable)?;
    connection.busy_timeout(BUSY).map_err(unusable)?;
    connection
        .execute_batch("PRAGMA trusted_schema=OFF; PRAGMA query_only=ON;")
        .map_err(unusable)?;
    keep_statements(&connection).map_err(unusable)?;
    Ok(connection)
}

fn try_open_writer(path: &Path) -> Result<Connection, OpenError> {
    let unusable = |source| OpenError::Unusable { path: path.to_owned(), source };
    let mut connection = Connection::open(path).map_err(unusable)?;
    connection.busy_timeout(BUSY).map_err(unusable)?;
    connection
        .execute_batch(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON; \
             PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cache_size=-2000;",
        )
        .map_err(unusable)?;
    keep_statements(&connection).map_err(unusable)?;
    let found = schema::version(&connection).map_err(unusable)?;
    if found > schema::SCHEMA_VERSION {
        let known = schema::SCHEMA_VERSION;
        return Err(OpenError::NewerSchema { path: path.to_owned(), found, known });
    }
    schema::migrate(&mut connection, found).map_err(unusable)?;
    Ok(connection)
}

/// Lets a cached statement be used again as it is. Without the stability guarantee SQLite plans a
/// statement anew whenever another value is bound to it, which costs more than the statement.
fn keep_statements(connection: &Connection) -> Result<(), SqlError> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

fn is_damage(error: &SqlError) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase)
    )
}

/// Renames the file and its companions to the first free `….damaged-N`.
fn move_aside(path: &Path) -> Result<(), OpenError> {
    let damaged = |source| OpenError::Damaged { path: path.to_owned(), source };
    let with_suffix = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let aside = (1..)
        .map(|n| format!(".damaged-{n}"))
        .find(|suffix| !with_suffix(suffix).exists())
        .unwrap_or_default();
    std::fs::rename(path, with_suffix(&aside)).map_err(damaged)?;
    for companion in ["-wal", "-shm"] {
        let from = with_suffix(companion);
        if from.exists() {
            std::fs::rename(&from, with_suffix(&format!("{aside}{companion}"))).map_err(damaged)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::open_writer;

    #[test]
    fn another_value_does_not_make_a_new_plan() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let connection = open_writer(&folder.path().join("askdock.db"))?;
        let mut statement =
            connection.prepare("SELECT seq FROM events WHERE ref = ?1 ORDER BY seq LIMIT ?2")?;
        for limit in 1..4 {
            statement.exists(("1", limit))?;
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
        Ok(())
    }
}
