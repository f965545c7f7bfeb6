//! The store on real files: group commit, refusals, full disks, damaged and newer files.

#![allow(clippy::unwrap_used, reason = "fixtures are tests too")]

use std::sync::mpsc;

use askdock_domain::{Act, BatchState, End, EndKind, Responder, ResponderKind, Timestamp};
use askdock_store::batches::{self, NewBatch};
use askdock_store::sessions::SessionRow;
use askdock_store::{Connection, OpenError, SqlError, Store, WriteError, events, sessions};

fn open(dir: &tempfile::TempDir) -> Store {
    Store::open(&dir.path().join("askdock.db")).unwrap()
}

/// Runs a write and waits for its commit.
fn write<T: Send + 'static>(
    store: &Store,
    job: impl FnOnce(&Connection) -> Result<T, SqlError> + Send + 'static,
) -> Result<T, WriteError<SqlError>> {
    let (send, receive) = mpsc::channel();
    store.write(job, move |result| send.send(result).unwrap());
    receive.recv().unwrap()
}

fn session(id: &str) -> SessionRow {
    SessionRow {
        id: id.into(),
        identity: format!("id:{id}"),
        title: "Ship".into(),
        agent: "script".into(),
        folder: None,
        branch: None,
        parent: None,
        secret: "s".into(),
        created_at: Timestamp(1),
        last_activity_at: Timestamp(1),
        pinned: false,
        archived: false,
        composer: String::new(),
    }
}

fn batch(id: &str, session: &str) -> NewBatch {
    NewBatch {
        id: id.into(),
        session: session.into(),
        turn: None,
        teammate: None,
        origin: Some((12, "sh".into())),
        agent_started: Some(5150),
        dialect: "askdock".into(),
        source: "{}".into(),
        content: "{}".into(),
        warnings: "[]".into(),
        asked_at: Timestamp(5),
        state: BatchState::asked("hash".into(), Some(Timestamp(9))),
    }
}

fn answered(by: &str) -> End {
    End {
        kind: EndKind::Answered,
        reason: None,
        at: Timestamp(7),
        responder: Responder { kind: ResponderKind::User, id: "local".into(), via: by.into() },
        act: Some(Act { answer_id: by.into(), fingerprint: "f".into() }),
    }
}

#[test]
fn what_was_acknowledged_is_read_back_by_the_next_process() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let number = write(&store, |c| {
        sessions::insert(c, &session("s"))?;
        batches::insert(c, &batch("b", "s"))
    })
    .unwrap();
    drop(store);
    let row = open(&dir).read(|c| batches::by_number(c, number)).unwrap().unwrap();
    assert_eq!((row.id.as_str(), row.origin), ("b", Some((12, "sh".into()))));
    assert_eq!(row.agent_started, Some(5150));
    assert_eq!(row.state, BatchState::asked("hash".into(), Some(Timestamp(9))));
}

#[test]
fn only_the_first_end_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let (first, second) = write(&store, |c| {
        sessions::insert(c, &session("s"))?;
        let number = batches::insert(c, &batch("b", "s"))?;
        let first = batches::end(c, number, &answered("dock"), Some("{}"))?;
        let second = batches::end(c, number, &answered("cli"), Some("{}"))?;
        Ok((first, second))
    })
    .unwrap();
    assert_eq!((first, second), (true, false));
    let row = store.read(|c| batches::by_id(c, "b")).unwrap().unwrap();
    assert_eq!(row.state.end, Some(answered("dock")));
}

#[test]
fn a_refused_job_undoes_only_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let (send, receive) = mpsc::channel();
    // All queued before the first runs: they share a transaction.
    let (hold, held) = mpsc::channel::<()>();
    store.write(move |_| held.recv().map_err(|_| SqlError::InvalidQuery), |_| {});
    for index in 0..10 {
        let send = send.clone();
        store.write(
            move |c| {
                events::append(c, "session", &index.to_string())?;
                if index % 2 == 1 { Err(SqlError::InvalidQuery) } else { Ok(index) }
            },
            move |result: Result<i32, WriteError<SqlError>>| send.send(result.is_ok()).unwrap(),
        );
    }
    hold.send(()).unwrap();
    let results: Vec<bool> = (0..10).map(|_| receive.recv().unwrap()).collect();
    assert_eq!(results, [true, false, true, false, true, false, true, false, true, false]);
    let logged = store.read(|c| events::after(c, 0, 100)).unwrap().unwrap();
    let logged: Vec<_> = logged.iter().map(|row| row.reference.as_str()).collect();
    assert_eq!(logged, ["0", "2", "4", "6", "8"]);
}

#[test]
fn a_job_that_panics_is_undone_alone_and_the_writer_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let (hold, held) = mpsc::channel::<()>();
    store.write(move |_| held.recv().map_err(|_| SqlError::InvalidQuery), |_| {});
    let (send, receive) = mpsc::channel();
    let panicking = move |c: &Connection| -> Result<(), SqlError> {
        events::append(c, "session", "lost")?;
        panic!("a fault of the job")
    };
    let answer = send.clone();
    store.write(panicking, move |result| answer.send(result.map(|()| 0)).unwrap());
    store.write(|c| events::append(c, "session", "kept"), move |result| send.send(result).unwrap());
    hold.send(()).unwrap();
    let panicked = receive.recv().unwrap();
    assert!(
        matches!(&panicked, Err(WriteError::Panicked(message)) if message == "a fault of the job"),
        "{panicked:?}"
    );
    receive.recv().unwrap().unwrap();
    write(&store, |c| events::append(c, "session", "later")).unwrap();
    let logged = store.read(|c| events::after(c, 0, 100)).unwrap().unwrap();
    let logged: Vec<_> = logged.iter().map(|row| row.reference.as_str()).collect();
    assert_eq!(logged, ["kept", "later"]);
}

#[test]
fn a_panic_after_the_commit_harms_no_other_write() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let change = |c: &Connection| events::append(c, "session", "s");
    store.write(change, |_: Result<u64, WriteError<SqlError>>| panic!("a fault of the caller"));
    write(&store, change).unwrap();
    assert_eq!(store.read(events::last).unwrap(), 2);
}

#[test]
fn an_error_that_ends_the_transaction_is_everybodys_reason() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let (hold, held) = mpsc::channel::<()>();
    let (send, receive) = mpsc::channel();
    let first = send.clone();
    store.write(
        move |c| {
            held.recv().map_err(|_| SqlError::InvalidQuery)?;
            events::append(c, "session", "s")
        },
        move |result| first.send(result).unwrap(),
    );
    // A constraint whose conflict clause rolls back stands in for an I/O error.
    store.write(
        |c| {
            c.execute_batch(
                "CREATE TEMP TABLE one (id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK); \
                 INSERT INTO one VALUES (1); INSERT INTO one VALUES (1);",
            )?;
            Ok(0)
        },
        move |result| send.send(result).unwrap(),
    );
    hold.send(()).unwrap();
    let mut failed = 0;
    for result in receive.iter() {
        match result {
            // The first may have been committed alone.
            Ok(_) => {}
            Err(WriteError::Commit(reason)) => {
                assert!(reason.contains("UNIQUE constraint failed"), "{reason}");
                failed += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(failed >= 1);
    write(&store, |c| events::append(c, "session", "after")).unwrap();
}

#[test]
fn a_panic_while_reading_costs_no_connection() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    for _ in 0..2 {
        let reading = || store.read(|_| -> Result<(), SqlError> { panic!("a fault of the query") });
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(reading)).unwrap_err();
    }
    // Both connections are used at once: the second read runs while the first holds its own.
    let nested = store.read(|_| {
        let store = &store;
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            scope.spawn(move || store.read(events::last).map(|last| send.send(last)));
            receive.recv_timeout(std::time::Duration::from_secs(10))
        })
    });
    assert_eq!(nested, Ok(0));
}

#[test]
fn numbers_are_not_used_again_after_a_session_is_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let next = write(&store, |c| {
        sessions::insert(c, &session("s"))?;
        batches::insert(c, &batch("b1", "s"))?;
        sessions::delete(c, "s")?;
        sessions::insert(c, &session("s"))?;
        batches::insert(c, &batch("b2", "s"))
    })
    .unwrap();
    assert_eq!(next, 2);
    assert!(store.read(|c| batches::by_id(c, "b1")).unwrap().is_none());
}

#[test]
fn a_newer_file_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(&dir));
    let path = dir.path().join("askdock.db");
    let newer = Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 999).unwrap();
    drop(newer);
    let error = Store::open(&path).err().unwrap();
    assert!(matches!(error, OpenError::NewerSchema { found: 999, .. }), "{error}");
    assert!(path.exists());
}

#[test]
fn a_damaged_file_is_moved_aside_never_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("askdock.db");
    std::fs::write(&path, b"this is not a database, but somebody's bytes".repeat(100)).unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.read(events::last).unwrap(), 0);
    let aside = std::fs::read(dir.path().join("askdock.db.damaged-1")).unwrap();
    assert!(aside.starts_with(b"this is not a database"));
}

#[test]
fn durability_settings_are_in_force() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    let (journal, synchronous, foreign_keys) = write(&store, |c| {
        let text = |sql: &str| c.query_row(sql, [], |row| row.get::<_, String>(0));
        let number = |sql: &str| c.query_row(sql, [], |row| row.get::<_, i64>(0));
        Ok((
            text("PRAGMA journal_mode")?,
            number("PRAGMA synchronous")?,
            number("PRAGMA foreign_keys")?,
        ))
    })
    .unwrap();
    assert_eq!((journal.as_str(), synchronous, foreign_keys), ("wal", 2, 1));
}

#[test]
fn a_full_disk_refuses_and_recovers() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    write(&store, |c| sessions::insert(c, &session("s"))).unwrap();
    // SQLite's own page limit stands in for the disk: it fails with the same code.
    write(&store, |c| c.pragma_update(None, "max_page_count", 40)).unwrap();
    let mut acknowledged = 0;
    let refused = loop {
        let id = format!("b{acknowledged}");
        let result = write(&store, move |c| {
            let mut big = batch(&id, "s");
            big.content = "x".repeat(20_000);
            batches::insert(c, &big)
        });
        match result {
            Ok(_) => acknowledged += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, WriteError::StorageFull | WriteError::Refused(_)), "{refused:?}");
    let stored = store.read(batches::pending).unwrap().len();
    assert_eq!(stored, acknowledged, "all that was acknowledged and nothing else");
    write(&store, |c| c.pragma_update(None, "max_page_count", 1_000_000)).unwrap();
    write(&store, |c| batches::insert(c, &batch("after", "s"))).unwrap();
}
