//! What is shown outside our windows, and what clicks mean.

use std::time::Duration;

use askdock_hub::Clock;
use askdock_hub::{HostRequest, NoticeCommand, NoticeEvent, NoticeKey, Shown};
use askdock_wire::BatchStatus;
use serde_json::json;

use crate::fixture::{Bench, question, question_with};

/// The server took the notice of the batch; returns once the hub has remembered that.
pub async fn posted(bench: &Bench, id: &str, server_id: u32) {
    let key = NoticeKey(id.to_owned());
    let shown = Shown { server: ":1.7".into(), id: server_id };
    bench.notices.send(NoticeEvent::Posted { key, shown }).unwrap();
    settled(bench).await;
}

/// Everything sent to the hub as a notice event was acted on: an `Open` sent last came back.
async fn settled(bench: &Bench) {
    let availability = NoticeEvent::Available(Ok("test".into()));
    bench.notices.send(availability).unwrap();
    // The listener serves events in order, and availability is visible in `health`.
    let person = askdock_hub::Caller::window();
    loop {
        use askdock_wire::ops::{Handler, NoFields};
        let health = bench.hub.health(&person, NoFields {}).await.unwrap();
        if health.reachable_by.iter().any(|by| by == "notifications") {
            break;
        }
        tokio::task::yield_now().await;
    }
    bench.notices.send(NoticeEvent::Available(Err("reset".into()))).unwrap();
}

fn click(bench: &Bench, notice: &askdock_hub::Notice, nonce: &str) {
    let (key, nonce) = (notice.key.clone(), nonce.to_owned());
    bench.notices.send(NoticeEvent::Invoked { key, nonce, activation_token: None }).unwrap();
}

#[tokio::test]
async fn a_single_choice_is_answered_by_its_button() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let waiting = bench.wait(&asked).await;
    let notice = bench.notifier.shown().remove(0);
    assert_eq!(notice.title, "script");
    assert_eq!(notice.body, "Deploy target: Where should it go first?");
    let labels: Vec<_> = notice.answers.iter().map(|action| action.label.as_str()).collect();
    assert_eq!(labels, ["Staging (Recommended)", "Production"]);
    click(&bench, &notice, &notice.answers[1].nonce);
    let outcome = waiting.await.unwrap();
    assert_eq!(outcome.status, BatchStatus::Answered);
    assert_eq!(outcome.responder.via, "notification");
    assert_eq!(outcome.answers["target"].selected[0].label, "Production");
}

#[tokio::test]
async fn an_unknown_nonce_and_a_closed_notice_answer_nothing() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let notice = bench.notifier.shown().remove(0);
    click(&bench, &notice, "forged");
    click(&bench, &notice, "production");
    bench.notices.send(NoticeEvent::Closed { key: notice.key.clone() }).unwrap();
    settled(&bench).await;
    let person = askdock_hub::Caller::window();
    use askdock_wire::ops::{BatchRef, Handler};
    let batch = bench.hub.batch_get(&person, BatchRef { id: asked.id }).await.unwrap();
    assert_eq!(batch.status, BatchStatus::Pending);
}

#[tokio::test]
async fn a_late_click_says_who_was_first_and_changes_nothing() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let notice = bench.notifier.shown().remove(0);
    let first = crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    click(&bench, &notice, &notice.answers[1].nonce);
    settled(&bench).await;
    let commands = bench.notifier.0.lock().unwrap().clone();
    assert!(commands.contains(&NoticeCommand::Close(notice.key.clone())));
    let farewell = commands.iter().find_map(|command| match command {
        NoticeCommand::Farewell { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(farewell.as_deref(), Some("#1 was answered by user, via dock."));
    let person = askdock_hub::Caller::window();
    use askdock_wire::ops::{BatchRef, Handler};
    let batch = bench.hub.batch_get(&person, BatchRef { id: asked.id }).await.unwrap();
    assert_eq!(batch.outcome, Some(first));
}

#[tokio::test]
async fn several_questions_high_risk_and_multi_select_have_no_answer_buttons() {
    let bench = Bench::new();
    bench.ask(question_with(json!({ "risk": "high" }))).await;
    bench.ask(json!({ "questions": ["One?", "Two?"] })).await;
    bench
        .ask(json!({ "questions": [
            { "question": "Which?", "options": ["A", "B"], "multi_select": true }
        ] }))
        .await;
    let shown = bench.notifier.shown();
    assert_eq!(shown.len(), 3);
    for notice in shown {
        assert!(notice.answers.is_empty(), "{notice:?}");
        let labels: Vec<_> = notice.fallback.iter().map(|action| action.label.as_str()).collect();
        assert_eq!(labels, ["Open", "Skip", "Later"]);
    }
}

#[tokio::test]
async fn a_burst_becomes_one_notice() {
    let bench = Bench::new();
    for index in 0..8 {
        bench.ask(json!({ "questions": [format!("Question {index}?")] })).await;
    }
    let shown = bench.notifier.shown();
    let singles = shown.iter().filter(|notice| notice.key.0 != "digest").count();
    assert_eq!(singles, 3);
    assert_eq!(shown.last().unwrap().title, "8 questions are waiting");
}

#[tokio::test]
async fn the_body_opens_the_batch() {
    let mut bench = Bench::new();
    let asked = bench.ask(question()).await;
    let notice = bench.notifier.shown().remove(0);
    click(&bench, &notice, &notice.open.nonce);
    let request = bench.host.recv().await.unwrap();
    let (session, batch) = (Some(asked.session), Some(asked.id));
    assert_eq!(request, HostRequest::OpenWindow { session, batch, activation_token: None });
}

#[tokio::test]
async fn agent_text_is_plain_in_a_notice() {
    let bench = Bench::new();
    bench
        .ask(json!({ "questions": [{
            "question": "Deploy\u{1b}[31m now?\nSecond line \u{202e}evil",
            "options": ["Yes", "No"],
        }] }))
        .await;
    let body = bench.notifier.shown().remove(0).body;
    assert!(!body.contains(['\u{1b}', '\n', '\u{202e}']), "{body:?}");
}

#[tokio::test]
async fn what_is_asked_in_a_pause_is_shown_after_it() {
    use askdock_wire::ops::{Handler, SettingsPatch};
    let bench = Bench::new();
    let pause = |until: serde_json::Value| {
        let changes = [("paused_until".to_owned(), until)].into_iter().collect();
        SettingsPatch { changes }
    };
    let person = askdock_hub::Caller::window();
    let hour = bench.clock.now() + askdock_domain::Millis::from_hours(1);
    let until = json!(askdock_wire::timestamp(hour));
    bench.hub.settings_set(&person, pause(until.clone())).await.unwrap();
    bench.ask(question_with(json!({ "session": "one" }))).await;
    assert!(bench.notifier.shown().is_empty());
    bench.hub.settings_set(&person, pause(serde_json::Value::Null)).await.unwrap();
    assert_eq!(bench.notifier.shown().len(), 1, "the person is back");

    bench.hub.settings_set(&person, pause(until)).await.unwrap();
    bench.ask(question_with(json!({ "session": "two" }))).await;
    assert_eq!(bench.notifier.shown().len(), 1);
    bench.clock.planned_within(Duration::from_secs(3600)).await;
    bench.clock.pass(Duration::from_secs(3600));
    while bench.notifier.shown().len() < 2 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_new_hub_shows_again_what_was_shown_and_the_rest_as_one() {
    let bench = Bench::new();
    let first = bench.ask(question()).await;
    posted(&bench, &first.id, 7).await;
    for session in ["a", "b", "c", "d"] {
        bench.ask(question_with(json!({ "session": session }))).await;
    }
    let bench = bench.restart().await;
    let shown = bench.notifier.shown();
    let keys: Vec<_> = shown.iter().map(|notice| notice.key.0.as_str()).collect();
    assert_eq!(keys, [first.id.as_str(), "digest"]);
    assert_eq!(shown[0].replaces.as_ref().map(|at| at.id), Some(7));
    assert_eq!(shown[1].title, "5 questions are waiting");
}
