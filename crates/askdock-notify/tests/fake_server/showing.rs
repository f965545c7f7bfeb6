//! What a notice looks like to each kind of server, and how it is replaced and taken down.

use anyhow::Result;
use askdock_hub::{NoticeEvent, Shown};
use askdock_tests::notification_server::{Emission, Manner, NotificationServer, Persona};
use askdock_tests::session_bus::SessionBus;

use crate::desk::{Desk, Line, key, notice};

#[tokio::test]
async fn a_notice_carries_what_the_desktop_needs() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["staging", "production"]));

    let seen = desk.server.wait_notified(1).await?;
    assert_eq!(seen.app_name, "Askdock");
    assert_eq!(seen.app_icon, "askdock");
    assert_eq!(seen.summary, "Claude Code — 42");
    assert_eq!(seen.body, "Deploy target\nWhere should it go?");
    assert_eq!((seen.replaces, seen.expire), (0, 0));
    assert_eq!(seen.hint("urgency").as_deref(), Some("1"));
    assert_eq!(seen.hint("category").as_deref(), Some("im.received"));
    assert_eq!(seen.hint("desktop-entry").as_deref(), Some("askdock"));
    assert_eq!(seen.hint("sound-name").as_deref(), Some("message-new-instant"));
    assert_eq!(seen.hint("suppress-sound"), None);
    assert_eq!(seen.hint("resident").as_deref(), Some("true"));
    assert_eq!(seen.key("staging"), Some("42/staging"));

    let title = desk.notifier.availability().await?;
    assert_eq!(title, Ok("Plasma 1.0".to_owned()));
    let shown = desk.notifier.posted("42").await?;
    assert_eq!(shown, Shown { server: desk.server.unique_name(), id: seen.id });

    let mut urgent = notice("42", &[]);
    (urgent.critical, urgent.sound) = (true, false);
    desk.notifier.show(urgent);
    let seen = desk.server.wait_notified(2).await?;
    assert_eq!(seen.replaces, shown.id);
    assert_eq!(seen.hint("urgency").as_deref(), Some("2"));
    assert_eq!(seen.hint("suppress-sound").as_deref(), Some("true"));
    Ok(())
}

#[tokio::test]
async fn answers_are_buttons_only_where_all_of_them_are_shown() -> Result<()> {
    let own_words = ["Open", "Skip", "Later"];
    let cases: [(Persona, &[&str], &[&str]); 8] = [
        (Persona::gnome(), &["a", "b"], &["a", "b", "Skip"]),
        (Persona::gnome(), &["a", "b", "c"], &own_words),
        (Persona::plasma(), &["a", "b", "c"], &["a", "b", "c", "Skip"]),
        (Persona::plasma(), &["a", "b", "c", "d"], &own_words),
        (Persona::xfce(), &["a"], &["Open", "Skip", "a"]),
        // The default action is a button there: it would say "Open" twice.
        (Persona::xfce(), &[], &["Later", "Open", "Skip"]),
        (Persona::new("never heard of", &["actions"]), &["a", "b", "c"], &["a", "b", "c", "Skip"]),
        (Persona::plain(), &["a"], &[]),
    ];
    for (persona, answers, buttons) in cases {
        let name = persona.name.clone();
        let desk = Desk::open(persona).await?;
        desk.notifier.show(notice("42", answers));
        let seen = desk.server.wait_notified(1).await?;
        let mut drawn = seen.buttons();
        if name == Persona::xfce().name {
            drawn.extend(seen.actions.iter().find(|(key, _)| key == "default").map(|(_, l)| &**l));
            drawn.sort_unstable();
        }
        assert_eq!(drawn, buttons, "{name} with {answers:?}");
        let default = seen.actions.iter().any(|(key, _)| key == "default");
        assert_eq!(default, !buttons.is_empty(), "{name} and a click on the body");
    }
    Ok(())
}

#[tokio::test]
async fn texts_are_escaped_exactly_where_they_are_read_as_markup() -> Result<()> {
    let body = "<b>rm</b> & \"x\" > /dev/null";
    let cases = [
        (Persona::xfce(), "&lt;b&gt;rm&lt;/b&gt; &amp; \"x\" &gt; /dev/null"),
        (Persona::new("plain", &["body"]), body),
    ];
    for (persona, expected) in cases {
        let desk = Desk::open(persona).await?;
        let mut hostile = notice("42", &["<i>&</i>"]);
        body.clone_into(&mut hostile.body);
        hostile.title = "a <b> & c\0d".to_owned();
        desk.notifier.show(hostile);
        let seen = desk.server.wait_notified(1).await?;
        assert_eq!(seen.body, expected);
        assert_eq!(seen.summary, "a <b> & c\u{2400}d");
        assert!(seen.buttons().iter().all(|label| ["<i>&</i>", "Skip"].contains(label)));
    }
    Ok(())
}

#[tokio::test]
async fn a_server_without_bodies_gets_everything_in_the_title() -> Result<()> {
    let desk = Desk::open(Persona::new("terse", &[])).await?;
    desk.notifier.show(notice("42", &[]));
    let seen = desk.server.wait_notified(1).await?;
    assert_eq!(seen.summary, "Claude Code — 42: Deploy target\nWhere should it go?");
    assert_eq!(seen.body, "");
    Ok(())
}

#[tokio::test]
async fn closing_takes_down_what_is_shown_and_nothing_else() -> Result<()> {
    let mut desk = Desk::open(Persona::xfce()).await?;
    desk.notifier.show(notice("1", &[]));
    let one = desk.notifier.posted("1").await?;
    desk.notifier.show(notice("2", &[]));
    desk.notifier.posted("2").await?;
    desk.notifier.close("unheard of");
    desk.notifier.close("1");
    desk.server.wait_until(|server| !server.closed().is_empty()).await?;
    assert_eq!(desk.server.closed(), [one.id]);

    // Our own closing is not the person's.
    desk.server.dismiss(2).await?;
    assert_eq!(desk.notifier.report().await?, NoticeEvent::Closed { key: key("2") });
    Ok(())
}

#[tokio::test]
async fn a_last_word_replaces_the_notice_and_passes() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["a"]));
    let shown = desk.notifier.posted("42").await?;
    desk.notifier.farewell("42", "Answered in the window: a & b");
    let seen = desk.server.wait_notified(2).await?;
    assert_eq!(seen.replaces, shown.id);
    assert_eq!(seen.summary, "Claude Code — 42");
    assert_eq!(seen.body, "Answered in the window: a &amp; b");
    assert!(seen.actions.is_empty());
    assert!((1..=10_000).contains(&seen.expire));
    assert_eq!(seen.hint("transient").as_deref(), Some("true"));
    assert_eq!(seen.hint("suppress-sound").as_deref(), Some("true"));
    Ok(())
}

#[tokio::test]
async fn a_last_word_about_a_dismissed_notice_is_not_shown() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("1", &[]));
    let one = desk.notifier.posted("1").await?;
    desk.server.dismiss(one.id).await?;
    assert_eq!(desk.notifier.report().await?, NoticeEvent::Closed { key: key("1") });
    desk.notifier.farewell("1", "Answered in the window");
    desk.notifier.show(notice("2", &[]));
    assert_eq!(desk.server.wait_notified(2).await?.summary, "Claude Code — 2");
    Ok(())
}

#[tokio::test]
async fn a_last_word_follows_a_press_that_took_the_notice_down() -> Result<()> {
    let mut desk = Desk::open(Persona::xfce()).await?;
    desk.notifier.show(notice("1", &["a"]));
    let one = desk.notifier.posted("1").await?;
    desk.server.click(one.id, "1/a").await?;
    desk.server.emit(&Emission::Closed(one.id, 2)).await?;
    desk.notifier.report().await?;
    assert_eq!(desk.notifier.report().await?, NoticeEvent::Closed { key: key("1") });
    desk.notifier.farewell("1", "Already answered: b");
    let seen = desk.server.wait_notified(2).await?;
    assert_eq!((seen.replaces, seen.body.as_str()), (0, "Already answered: b"));
    Ok(())
}

#[tokio::test]
async fn a_restarted_hub_replaces_what_the_same_server_still_shows() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["a"]));
    let shown = desk.notifier.posted("42").await?;

    desk.notifier = Line::open(desk.bus.address());
    let mut again = notice("42", &["a"]);
    again.replaces = Some(shown.clone());
    desk.notifier.show(again);
    assert_eq!(desk.server.wait_notified(2).await?.replaces, shown.id);
    assert_eq!(desk.notifier.posted("42").await?, shown);
    assert_eq!(desk.server.shown(), [shown.id]);

    // Another server: the same number would be somebody else's notice.
    desk.server.restart().await?;
    let mut line = Line::open(desk.bus.address());
    let mut again = notice("43", &["a"]);
    again.replaces = Some(shown);
    line.show(again);
    line.posted("43").await?;
    let notified: Vec<_> =
        desk.server.notified().into_iter().filter(|seen| seen.summary.ends_with("43")).collect();
    assert_eq!(notified[0].replaces, 0);
    Ok(())
}

#[tokio::test]
async fn a_restarted_hub_takes_down_what_ended_meanwhile() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["a"]));
    let shown = desk.notifier.posted("42").await?;

    desk.notifier = Line::open(desk.bus.address());
    let mut ended = notice("42", &["a"]);
    ended.replaces = Some(shown.clone());
    desk.notifier.show(ended);
    desk.notifier.close("42");
    desk.server.wait_until(|server| !server.closed().is_empty()).await?;
    assert_eq!(desk.server.closed(), [shown.id]);
    assert_eq!(desk.server.notified().len(), 1, "it did not flash up again");
    Ok(())
}

#[tokio::test]
async fn a_notice_like_the_last_one_is_shown_when_kde_lets_it() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.server.refuse_similar_within(std::time::Duration::from_secs(1));
    let mut twin = notice("2", &[]);
    twin.title = notice("1", &[]).title;
    desk.notifier.show(notice("1", &[]));
    desk.notifier.show(twin);
    desk.notifier.posted("1").await?;
    desk.notifier.posted("2").await?;
    assert_eq!(desk.server.shown().len(), 2);
    assert_eq!(desk.server.notified().len(), 3);
    Ok(())
}

#[tokio::test]
async fn buttons_come_back_when_the_server_may_disturb_again() -> Result<()> {
    let busy = Persona::new("Xfce Notify Daemon", &["body"]);
    let mut desk = Desk::open(busy).await?;
    desk.notifier.show(notice("1", &["a"]));
    assert!(desk.server.wait_notified(1).await?.actions.is_empty());
    desk.notifier.posted("1").await?;
    desk.server.become_persona(Persona::xfce());
    desk.notifier.show(notice("2", &["a"]));
    assert_eq!(desk.server.wait_notified(2).await?.buttons(), ["a", "Skip"]);
    Ok(())
}

#[tokio::test]
async fn a_refusal_is_told_and_the_next_notice_is_tried() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.server.behave(Manner::Refusing("org.example.Error.Full".to_owned()));
    desk.notifier.show(notice("1", &[]));
    assert!(desk.notifier.availability().await?.is_ok());
    assert!(desk.notifier.availability().await?.is_err());
    desk.server.behave(Manner::Prompt);
    desk.notifier.show(notice("2", &[]));
    assert!(desk.notifier.availability().await?.is_ok());
    desk.notifier.posted("2").await?;
    Ok(())
}

#[tokio::test]
async fn what_the_server_is_can_be_asked() -> Result<()> {
    let bus = SessionBus::start().await?;
    let none = askdock_notify::probe_at(bus.address()).await;
    assert_eq!(none, Err(askdock_notify::Unavailable::NoServer));

    let _server = NotificationServer::start(bus.address(), Persona::gnome()).await?;
    let info = askdock_notify::probe_at(bus.address()).await?;
    assert_eq!((info.name.as_str(), info.version.as_str()), ("gnome-shell", "1.0"));
    assert!(info.can("actions") && !info.can("inline-reply"));

    let nowhere = askdock_notify::probe_at("unix:path=/nonexistent/bus").await;
    assert!(matches!(nowhere, Err(askdock_notify::Unavailable::NoBus(_))), "{nowhere:?}");
    Ok(())
}
