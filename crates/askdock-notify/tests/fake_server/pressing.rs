//! Which presses are believed.

use anyhow::Result;
use askdock_hub::NoticeEvent;
use askdock_tests::notification_server::{Emission, Manner, Persona};

use crate::desk::{Desk, invoked, key, notice};

#[tokio::test]
async fn a_button_the_body_and_a_reply_come_back_as_their_nonces() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["a", "b"]));
    let id = desk.notifier.posted("42").await?.id;

    desk.server.emit(&Emission::Token(id, "focus".to_owned())).await?;
    desk.server.click(id, "default").await?;
    let open = NoticeEvent::Invoked {
        key: key("42"),
        nonce: "42/open".to_owned(),
        activation_token: Some("focus".to_owned()),
    };
    assert_eq!(desk.notifier.report().await?, open);

    desk.server.click(id, "42/b").await?;
    assert_eq!(desk.notifier.report().await?, invoked("42", "42/b"));

    desk.server.emit(&Emission::Replied(id, "the old one".to_owned())).await?;
    let replied = NoticeEvent::Replied {
        key: key("42"),
        nonce: "42/Reply".to_owned(),
        text: "the old one".to_owned(),
    };
    assert_eq!(desk.notifier.report().await?, replied);
    Ok(())
}

#[tokio::test]
async fn a_reply_field_is_offered_only_where_there_is_one() -> Result<()> {
    for (persona, offered) in [(Persona::plasma(), true), (Persona::xfce(), false)] {
        let mut desk = Desk::open(persona).await?;
        desk.notifier.show(notice("42", &["a"]));
        let seen = desk.server.wait_notified(1).await?;
        assert_eq!(seen.actions.iter().any(|(key, _)| key == "inline-reply"), offered);
        desk.notifier.posted("42").await?;
        // Unasked for, it is no reply.
        desk.server.emit(&Emission::Replied(seen.id, "x".to_owned())).await?;
        desk.server.click(seen.id, "default").await?;
        let first = desk.notifier.report().await?;
        assert_eq!(matches!(first, NoticeEvent::Replied { .. }), offered);
    }
    Ok(())
}

#[tokio::test]
async fn a_forged_press_is_dropped() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["a", "b"]));
    let id = desk.notifier.posted("42").await?.id;
    let victim = desk.server.wait_notified(1).await?.sender;
    let forged = [
        Emission::Invoked(id, "42/a".to_owned()),
        Emission::Invoked(id, "default".to_owned()),
        Emission::Replied(id, "forged".to_owned()),
        Emission::Token(id, "forged".to_owned()),
        Emission::Closed(id, 2),
    ];
    for emission in &forged {
        desk.server.forge(&victim, emission).await?;
    }
    // The bus keeps the order: had one been believed, it would come first.
    desk.server.click(id, "42/b").await?;
    assert_eq!(desk.notifier.report().await?, invoked("42", "42/b"));
    Ok(())
}

#[tokio::test]
async fn a_press_before_the_server_named_the_notice_is_kept() -> Result<()> {
    let mut desk = Desk::open(Persona::xfce()).await?;
    desk.server.emit_before_answer(|notified| {
        let other = notified.id + 1000;
        vec![
            Emission::Invoked(other, "default".to_owned()),
            Emission::Token(notified.id, "focus".to_owned()),
            Emission::Invoked(notified.id, "42/a".to_owned()),
            Emission::Closed(notified.id, 2),
        ]
    });
    desk.notifier.show(notice("42", &["a"]));
    desk.notifier.posted("42").await?;
    let press = NoticeEvent::Invoked {
        key: key("42"),
        nonce: "42/a".to_owned(),
        activation_token: Some("focus".to_owned()),
    };
    assert_eq!(desk.notifier.report().await?, press);
    assert_eq!(desk.notifier.report().await?, NoticeEvent::Closed { key: key("42") });
    Ok(())
}

#[tokio::test]
async fn a_doubled_press_counts_once_but_opening_is_free() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("42", &["a"]));
    let id = desk.notifier.posted("42").await?.id;
    for action in ["42/a", "42/a", "default", "default"] {
        desk.server.click(id, action).await?;
    }
    assert_eq!(desk.notifier.report().await?, invoked("42", "42/a"));
    assert_eq!(desk.notifier.report().await?, invoked("42", "42/open"));
    assert_eq!(desk.notifier.report().await?, invoked("42", "42/open"));
    Ok(())
}

#[tokio::test]
async fn what_was_never_offered_cannot_be_pressed() -> Result<()> {
    let mut desk = Desk::open(Persona::gnome()).await?;
    // Three answers do not fit here, so that our own words are the buttons.
    desk.notifier.show(notice("42", &["a", "b", "c"]));
    let id = desk.notifier.posted("42").await?.id;
    for action in ["42/a", "", "inline-reply", "43/open", "42/Later"] {
        desk.server.click(id, action).await?;
    }
    assert_eq!(desk.notifier.report().await?, invoked("42", "42/Later"));
    Ok(())
}

#[tokio::test]
async fn late_presses_on_closed_and_replaced_notices_are_ignored() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("1", &["a"]));
    let one = desk.notifier.posted("1").await?.id;
    desk.notifier.close("1");
    desk.notifier.show(notice("2", &["old"]));
    let two = desk.notifier.posted("2").await?.id;
    desk.server.click(one, "1/a").await?;
    desk.notifier.show(notice("2", &["new"]));
    desk.notifier.posted("2").await?;
    desk.server.click(two, "2/old").await?;
    desk.server.click(two, "2/new").await?;
    assert_eq!(desk.notifier.report().await?, invoked("2", "2/new"));

    desk.server.dismiss(two).await?;
    assert_eq!(desk.notifier.report().await?, NoticeEvent::Closed { key: key("2") });
    desk.server.click(two, "2/new").await?;
    desk.server.dismiss(two).await?;
    desk.notifier.show(notice("3", &[]));
    desk.notifier.posted("3").await?;
    Ok(())
}

#[tokio::test]
async fn a_press_that_crosses_a_close_is_told_that_it_came_too_late() -> Result<()> {
    let mut desk = Desk::open(Persona::xfce()).await?;
    desk.notifier.show(notice("1", &["a"]));
    let one = desk.notifier.posted("1").await?.id;
    desk.server.behave(Manner::Hanging);
    desk.notifier.close("1");
    desk.server.wait_until(|server| !server.closed().is_empty()).await?;
    // Pressed while the server had not carried out the close yet; a doubled signal counts once.
    for action in ["default", "1/b", "1/a", "1/a"] {
        desk.server.click(one, action).await?;
    }
    assert_eq!(desk.notifier.report().await?, invoked("1", "1/a"));
    desk.notifier.farewell("1", "Already answered: b");
    desk.server.behave(Manner::Prompt);
    let seen = desk.server.wait_notified(2).await?;
    assert_eq!((seen.replaces, seen.body.as_str()), (0, "Already answered: b"));
    assert_eq!(seen.summary, "Claude Code — 1");

    desk.notifier.show(notice("2", &[]));
    desk.notifier.posted("2").await?;
    Ok(())
}

#[tokio::test]
async fn a_reused_id_never_brings_another_notices_answer() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("1", &["a"]));
    let one = desk.notifier.posted("1").await?.id;
    desk.notifier.close("1");
    desk.server.set_next_id(one);
    desk.notifier.show(notice("2", &["a"]));
    assert_eq!(desk.notifier.posted("2").await?.id, one);
    desk.server.click(one, "1/a").await?;
    desk.server.click(one, "2/a").await?;
    assert_eq!(desk.notifier.report().await?, invoked("2", "2/a"));
    Ok(())
}

#[tokio::test]
async fn an_id_given_to_another_notice_is_lost_to_the_first() -> Result<()> {
    let mut desk = Desk::open(Persona::plasma()).await?;
    desk.notifier.show(notice("1", &["a"]));
    let one = desk.notifier.posted("1").await?.id;
    desk.server.set_next_id(one);
    desk.notifier.show(notice("2", &["a"]));
    assert_eq!(desk.notifier.report().await?, NoticeEvent::Closed { key: key("1") });
    assert_eq!(desk.notifier.posted("2").await?.id, one);
    desk.server.click(one, "1/a").await?;
    desk.server.click(one, "default").await?;
    assert_eq!(desk.notifier.report().await?, invoked("2", "2/open"));
    Ok(())
}
