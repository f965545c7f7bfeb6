//! No server, a silent one, a new one; no bus, a new one.

use anyhow::Result;
use askdock_tests::notification_server::{Manner, NotificationServer, Persona, Record};
use askdock_tests::session_bus::SessionBus;

use crate::desk::{Desk, Line, invoked, notice};

#[tokio::test]
async fn notices_wait_for_a_server_to_appear() -> Result<()> {
    let bus = SessionBus::start().await?;
    let mut line = Line::open(bus.address());
    line.show(notice("1", &["a"]));
    assert!(line.availability().await?.is_err());
    line.show(notice("2", &["a"]));
    line.show(notice("3", &["a"]));
    line.close("2");

    let server = NotificationServer::start(bus.address(), Persona::xfce()).await?;
    assert!(line.availability().await?.is_ok());
    let one = line.posted("1").await?;
    line.posted("3").await?;
    server.click(one.id, "1/a").await?;
    assert_eq!(line.report().await?, invoked("1", "1/a"));
    assert_eq!(server.notified().len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_new_server_is_shown_everything_again_without_a_sound() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    for name in ["1", "2", "3", "4"] {
        desk.notifier.show(notice(name, &["a"]));
        desk.notifier.posted(name).await?;
    }
    let old = desk.server.unique_name();
    desk.server.dismiss(2).await?;
    desk.notifier.report().await?;
    desk.notifier.close("3");
    desk.server.wait_until(|server| !server.closed().is_empty()).await?;
    desk.server.set_next_id(100);
    desk.server.restart().await?;

    let one = desk.notifier.posted("1").await?;
    let four = desk.notifier.posted("4").await?;
    assert_ne!(one.server, old);
    assert_eq!(one.server, desk.server.unique_name());
    let again = desk.server.notified().split_off(4);
    assert_eq!(again.len(), 2);
    for seen in again {
        assert_eq!(seen.replaces, 0);
        assert_eq!(seen.hint("suppress-sound").as_deref(), Some("true"));
    }
    desk.server.click(four.id, "4/a").await?;
    assert_eq!(desk.notifier.report().await?, invoked("4", "4/a"));
    Ok(())
}

#[tokio::test]
async fn a_silent_server_blocks_nothing_and_nobody_is_notified_twice() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("0", &[]));
    desk.notifier.posted("0").await?;
    desk.server.behave(Manner::Hanging);
    desk.notifier.show(notice("1", &["old"]));
    desk.notifier.show(notice("2", &["a"]));
    desk.server.wait_notified(3).await?;
    desk.notifier.show(notice("1", &["new"]));
    desk.notifier.close("2");
    let silent = desk.notifier.availability().await?;
    assert_eq!(silent, Err("The notification server does not answer.".to_owned()));
    // Still served: this one is only held back by the server.
    desk.notifier.show(notice("3", &["a"]));
    desk.server.wait_notified(4).await?;

    desk.server.behave(Manner::Prompt);
    assert!(desk.notifier.availability().await?.is_ok());
    let one = desk.notifier.posted("1").await?;
    desk.notifier.posted("3").await?;
    desk.notifier.posted("1").await?;
    desk.server.wait_until(|server| server.shown().len() == 3).await?;
    let last = desk.server.notified().pop().map(|seen| (seen.replaces, seen.id));
    assert_eq!(last, Some((one.id, one.id)));
    desk.server.click(one.id, "1/new").await?;
    assert_eq!(desk.notifier.report().await?, invoked("1", "1/new"));
    Ok(())
}

#[tokio::test]
async fn a_server_that_is_silent_from_the_start_is_asked_again() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.server.behave(Manner::Hanging);
    desk.notifier.show(notice("1", &["a"]));
    assert!(desk.notifier.availability().await?.is_err());
    desk.notifier.show(notice("2", &["a"]));
    let asked = |server: &NotificationServer| {
        server.records().iter().filter(|record| matches!(record, Record::Asked { .. })).count()
    };
    desk.server.wait_until(|server| asked(server) == 4).await?;
    desk.server.behave(Manner::Prompt);
    desk.notifier.posted("1").await?;
    desk.notifier.posted("2").await?;
    assert_eq!(desk.server.notified().len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_notice_that_the_server_forgot_is_sent_again() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.server.behave(Manner::Forgetful);
    desk.notifier.show(notice("1", &["a"]));
    assert!(desk.notifier.availability().await?.is_ok());
    assert!(desk.notifier.availability().await?.is_err());
    desk.server.behave(Manner::Prompt);
    desk.notifier.show(notice("2", &["a"]));
    desk.notifier.posted("2").await?;
    desk.notifier.posted("1").await?;
    assert_eq!(desk.server.shown().len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_bus_that_comes_late_or_comes_back_is_found_by_the_next_notice() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let address = SessionBus::address_in(folder.path());
    let mut line = Line::open(&address);
    line.show(notice("1", &["a"]));
    assert!(line.availability().await?.is_err());

    let bus = SessionBus::start_in(folder.path()).await?;
    let server = NotificationServer::start(&address, Persona::plasma()).await?;
    line.show(notice("2", &["a"]));
    line.posted("1").await?;
    line.posted("2").await?;

    bus.stop().await?;
    drop(server);
    assert!(line.availability().await?.is_err());
    let _bus = SessionBus::start_in(folder.path()).await?;
    let server = NotificationServer::start(&address, Persona::plasma()).await?;
    line.show(notice("3", &["a"]));
    for name in ["1", "2", "3"] {
        line.posted(name).await?;
    }
    server.click(1, "1/a").await?;
    assert_eq!(line.report().await?, invoked("1", "1/a"));
    Ok(())
}
