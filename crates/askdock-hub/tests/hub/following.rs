//! Live updates: snapshot, deltas, continuing, starting over.

use askdock_hub::Caller;
use askdock_wire::ops::{Handler, MessageListRequest, MessagePostRequest, SessionUpdateRequest};
use askdock_wire::{Code, Delta};
use serde_json::json;

use crate::fixture::{Bench, owner, question, question_with};

#[tokio::test]
async fn a_reader_gets_a_snapshot_and_then_every_change() {
    let bench = Bench::new();
    let first = bench.ask(question()).await;
    let mut events = bench.hub.events(None);
    let Delta::Snapshot(snapshot) = events.next().await.unwrap().delta else { panic!() };
    assert_eq!(snapshot.pending.len(), 1);
    assert_eq!(snapshot.sessions[0].pending, 1);
    let mut seen = snapshot.seq;
    let second = bench.ask(question()).await;
    crate::ending::choose(&bench, &first.id, "staging").await.unwrap();
    let (mut asked, mut ended) = (false, false);
    while !(asked && ended) {
        let event = events.next().await.unwrap();
        assert!(event.seq > seen, "numbers rise");
        seen = event.seq;
        if let Delta::Batch(batch) = event.delta {
            asked |= batch.id == second.id;
            ended |= batch.id == first.id && batch.outcome.is_some();
        }
    }
}

#[tokio::test]
async fn a_reader_that_comes_back_misses_nothing() {
    let bench = Bench::new();
    let mut events = bench.hub.events(None);
    let seq = events.next().await.unwrap().seq;
    drop(events);
    let asked = bench.ask(question()).await;
    let mut events = bench.hub.events(Some(seq));
    let mut found = false;
    while !found {
        let event = events.next().await.unwrap();
        assert!(!matches!(event.delta, Delta::Snapshot(_)), "continues where it left");
        found = matches!(event.delta, Delta::Batch(batch) if batch.id == asked.id);
    }
}

#[tokio::test]
async fn a_reader_of_another_database_starts_over() {
    let bench = Bench::new();
    bench.ask(question()).await;
    let mut events = bench.hub.events(Some(1_000_000));
    assert!(matches!(events.next().await.unwrap().delta, Delta::Snapshot(_)));
}

#[tokio::test]
async fn what_the_person_writes_waits_for_the_agent_and_is_taken_once() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "session": "s1" }))).await;
    let post = MessagePostRequest {
        session: "s1".into(),
        text: "Keep it reversible.".into(),
        key: Some("m1".into()),
    };
    let posted = bench.hub.message_post(&Caller::window(), post.clone()).await.unwrap();
    let again = bench.hub.message_post(&Caller::window(), post).await.unwrap();
    assert_eq!(posted.id, again.id, "the same key posts nothing twice");
    let take = MessageListRequest { session: "s1".into(), after: None, take: true };
    let taken = bench.hub.message_list(&owner(&asked), take.clone()).await.unwrap();
    assert_eq!(taken.len(), 1);
    assert!(taken[0].delivered_at.is_some());
    assert!(bench.hub.message_list(&owner(&asked), take).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_composers_text_is_kept_with_its_session() {
    let bench = Bench::new();
    bench.ask(question_with(json!({ "session": "s1" }))).await;
    let update = SessionUpdateRequest {
        id: "s1".into(),
        title: None,
        pinned: None,
        archived: None,
        composer: Some("half a sent".into()),
    };
    bench.hub.session_update(&Caller::window(), update).await.unwrap();
    let bench = bench.restart().await;
    let sessions =
        bench.hub.session_list(&Caller::window(), askdock_wire::ops::NoFields {}).await.unwrap();
    assert_eq!(sessions[0].composer, "half a sent");
}

#[tokio::test]
async fn a_session_that_waits_is_never_put_out_of_sight() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "session": "s1" }))).await;
    let archive = SessionUpdateRequest {
        id: "s1".into(),
        title: None,
        pinned: None,
        archived: Some(true),
        composer: None,
    };
    let refused = bench.hub.session_update(&Caller::window(), archive.clone()).await.unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    assert!(refused.message.contains("#1"), "{}", refused.message);

    crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    assert!(bench.hub.session_update(&Caller::window(), archive).await.unwrap().archived);
    // The agent is back.
    bench.ask(question_with(json!({ "session": "s1" }))).await;
    let sessions =
        bench.hub.session_list(&Caller::window(), askdock_wire::ops::NoFields {}).await.unwrap();
    assert!(!sessions[0].archived);
}

#[tokio::test]
async fn a_childs_batch_is_shown_with_its_ancestors() {
    let bench = Bench::new();
    bench.ask(question_with(json!({ "session": "parent" }))).await;
    let child = json!({ "id": "child", "parent": "parent", "teammate": "Reviewer" });
    let asked = bench.ask(question_with(json!({ "session": child }))).await;
    let id = askdock_wire::ops::BatchRef { id: asked.id };
    let batch = bench.hub.batch_get(&Caller::window(), id).await.unwrap();
    assert_eq!(batch.shown_in, ["child", "parent"]);
    assert_eq!(batch.teammate.as_deref(), Some("Reviewer"));
}
