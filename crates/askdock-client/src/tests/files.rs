use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::running::Home;
use crate::{DesktopEnvironment, HubFile, HubKind, HubLock, OwnSessions, Paths};

fn hub_file() -> HubFile {
    HubFile {
        socket: "/x.sock".into(),
        pid: 1,
        hub: "run".into(),
        version: "0.1.0".into(),
        wire: 1,
        kind: HubKind::Desktop,
        quit: false,
        desktop: None,
    }
}

#[test]
fn sockets_lie_in_folders_of_their_own_and_are_short() {
    let short = Paths::under("/home/me/askdock".into());
    assert_eq!(short.sockets()[0], PathBuf::from("/home/me/askdock/run/askdock.sock"));
    let deep = PathBuf::from("/home").join("x".repeat(100));
    let long = Paths::under(deep.clone()).sockets();
    assert_eq!(long.len(), 1);
    assert!(long[0].starts_with(format!("/tmp/askdock-{}", rustix::process::geteuid().as_raw())));
    // Two installations don't meet there.
    assert_ne!(long, Paths::under(deep.join("other")).sockets());
    assert!(short.sockets().iter().chain(&long).all(|path| path.as_os_str().len() <= 100));
}

#[test]
fn the_discovery_file_is_private_and_keeps_the_last_desktop() {
    let home = Home::new();
    assert_eq!(HubFile::read(&home.paths), None);
    let desktop: DesktopEnvironment =
        serde_json::from_str(r#"{"DISPLAY":":7","LD_PRELOAD":"/evil.so"}"#).unwrap();
    let with_desktop = HubFile { desktop: Some(desktop.clone()), ..hub_file() };
    with_desktop.clone().announce(&home.paths).unwrap();
    assert_eq!(HubFile::read(&home.paths), Some(with_desktop));
    let mode = std::fs::metadata(home.paths.hub_file()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    HubFile { kind: HubKind::Serve, ..hub_file() }.announce(&home.paths).unwrap();
    HubFile::record_quit(&home.paths).unwrap();
    let last = HubFile::read(&home.paths).unwrap();
    assert_eq!((last.kind, last.quit, last.desktop), (HubKind::Serve, true, Some(desktop.clone())));
    // Nothing but the desktop's own variables reaches a program that is started.
    assert_eq!(desktop.variables().collect::<Vec<_>>(), [("DISPLAY", ":7")]);
    // The next hub is a new life.
    hub_file().announce(&home.paths).unwrap();
    assert!(!HubFile::read(&home.paths).unwrap().quit);
    // One that can't be read is none.
    std::fs::write(home.paths.hub_file(), "{").unwrap();
    assert_eq!(HubFile::read(&home.paths), None);
}

#[tokio::test]
async fn another_hub_is_noticed_when_it_announces_itself() {
    let home = Home::new();
    hub_file().announce(&home.paths).unwrap();
    let paths = home.paths.clone();
    let other = tokio::spawn(async move { HubFile::other_than(&paths, "run").await });
    for _ in 0..3 {
        tokio::task::yield_now().await;
        hub_file().announce(&home.paths).unwrap();
    }
    assert!(!other.is_finished());
    HubFile { hub: "next".into(), ..hub_file() }.announce(&home.paths).unwrap();
    assert_eq!(other.await.unwrap().hub, "next");
}

#[tokio::test]
async fn the_lock_is_one_processs_and_the_next_in_line_gets_it() {
    let home = Home::new();
    let lock = HubLock::try_acquire(&home.paths).unwrap().unwrap();
    assert!(HubLock::try_acquire(&home.paths).unwrap().is_none());
    let paths = home.paths.clone();
    let next = tokio::spawn(async move { HubLock::acquire(&paths).await.unwrap() });
    tokio::task::yield_now().await;
    assert!(!next.is_finished());
    drop(lock);
    let next = next.await.unwrap();
    assert!(HubLock::try_acquire(&home.paths).unwrap().is_none());
    drop(next);
    assert!(HubLock::try_acquire(&home.paths).unwrap().is_some());
}

#[test]
fn own_sessions_are_kept_by_many_at_once() {
    let home = Home::new();
    std::thread::scope(|threads| {
        for n in 0..8 {
            let paths = &home.paths;
            threads.spawn(move || {
                for m in 0..4 {
                    OwnSessions::remember(paths, &format!("{n}-{m}"), &format!("{n}{m}")).unwrap();
                }
            });
        }
    });
    assert_eq!(OwnSessions::load(&home.paths).secrets().len(), 32);
    // A session has one secret, the last used comes last, and only so many are kept.
    OwnSessions::remember(&home.paths, "0-0", "new").unwrap();
    let secrets = OwnSessions::load(&home.paths).secrets();
    assert_eq!((secrets.len(), secrets.last().unwrap().as_str()), (32, "new"));
    for n in 0..64 {
        OwnSessions::remember(&home.paths, &format!("later-{n}"), "x").unwrap();
    }
    assert_eq!(OwnSessions::load(&home.paths).secrets(), vec!["x"; 64]);
    let mode = std::fs::metadata(home.paths.own_sessions()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
