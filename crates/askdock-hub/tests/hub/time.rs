//! Deadlines, pauses, jumps of the clock, presence, restarts.

use std::time::Duration;

use askdock_hub::Caller;
use askdock_wire::ops::{BatchRef, DraftRequest, ExtendRequest, Handler};
use askdock_wire::{BatchDto, BatchStatus, Draft};
use serde_json::json;

use crate::fixture::{Bench, question, question_with};

const SECOND: Duration = Duration::from_secs(1);

async fn get(bench: &Bench, id: &str) -> BatchDto {
    bench.hub.batch_get(&Caller::window(), BatchRef { id: id.into() }).await.unwrap()
}

/// Waits until the batch looks as `expected` says; every change is an event.
async fn until(bench: &Bench, id: &str, expected: impl Fn(&BatchDto) -> bool) -> BatchDto {
    let mut events = bench.hub.events(None);
    loop {
        let batch = get(bench, id).await;
        if expected(&batch) {
            return batch;
        }
        events.next().await.unwrap();
    }
}

#[tokio::test]
async fn a_batch_without_a_limit_waits() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "timeout_seconds": null }))).await;
    assert_eq!(asked.deadline, None);
    let _waiting = bench.wait(&asked).await;
    bench.clock.pass(Duration::from_secs(30 * 24 * 3600));
    assert_eq!(get(&bench, &asked.id).await.status, BatchStatus::Pending);
}

#[tokio::test]
async fn a_deadline_expires_the_batch() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "timeout_seconds": 600 }))).await;
    let waiting = bench.wait(&asked).await;
    bench.clock.planned_within(601 * SECOND).await;
    bench.clock.pass(599 * SECOND);
    assert_eq!(get(&bench, &asked.id).await.status, BatchStatus::Pending);
    bench.clock.planned_within(2 * SECOND).await;
    bench.clock.pass(2 * SECOND);
    let outcome = waiting.await.unwrap();
    assert_eq!(outcome.status, BatchStatus::Expired);
    assert!(outcome.answers.is_empty());
    assert_eq!(outcome.responder.kind, "system");
}

#[tokio::test]
async fn extending_moves_the_deadline() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "timeout_seconds": 60 }))).await;
    let before = get(&bench, &asked.id).await.deadline.unwrap();
    let request = ExtendRequest { id: asked.id.clone(), seconds: 300 };
    let after = bench.hub.batch_extend(&Caller::window(), request).await.unwrap();
    let (before, after) = (before, after.deadline.unwrap());
    let millis = |text: &str| askdock_wire::parse_timestamp(text).unwrap().0;
    assert_eq!(millis(&after) - millis(&before), 300_000);
}

#[tokio::test]
async fn the_persons_input_pauses_the_clock() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "timeout_seconds": 60 }))).await;
    let waiting = bench.wait(&asked).await;
    bench.clock.planned_within(61 * SECOND).await;
    bench.clock.pass(50 * SECOND);
    let request = DraftRequest { id: asked.id.clone(), draft: Draft::default(), draft_rev: None };
    bench.hub.batch_draft(&Caller::window(), request).await.unwrap();
    assert!(get(&bench, &asked.id).await.paused_since.is_some());
    bench.clock.planned_within(16 * SECOND).await;
    bench.clock.pass(15 * SECOND);
    let running = until(&bench, &asked.id, |batch| batch.paused_since.is_none()).await;
    assert_eq!(running.status, BatchStatus::Pending, "15 s were given back");
    bench.clock.planned_within(11 * SECOND).await;
    bench.clock.pass(11 * SECOND);
    assert_eq!(waiting.await.unwrap().status, BatchStatus::Expired);
}

#[tokio::test]
async fn a_machine_that_slept_over_the_deadline_gives_30_seconds() {
    let bench = Bench::new();
    let asked = bench.ask(question_with(json!({ "timeout_seconds": 60 }))).await;
    let waiting = bench.wait(&asked).await;
    bench.clock.planned_within(61 * SECOND).await;
    bench.clock.jump(3_600_000);
    // The hub looks when its timer fires, sees the jump, and plans the end of the grace.
    bench.clock.pass(61 * SECOND);
    bench.clock.planned_within(30 * SECOND).await;
    assert_eq!(get(&bench, &asked.id).await.status, BatchStatus::Pending);
    bench.clock.pass(31 * SECOND);
    assert_eq!(waiting.await.unwrap().status, BatchStatus::Expired);
}

#[tokio::test]
async fn a_batch_that_nobody_waits_on_is_away_until_somebody_does() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let waiting = bench.wait(&asked).await;
    bench.clock.planned_within(4 * SECOND).await;
    bench.clock.pass(4 * SECOND);
    waiting.abort();
    waiting.await.unwrap_err();
    bench.clock.planned_within(4 * SECOND).await;
    assert!(!get(&bench, &asked.id).await.away, "a client that reconnects at once never left");
    bench.clock.pass(4 * SECOND);
    until(&bench, &asked.id, |batch| batch.away).await;
    assert_eq!(bench.hub.counts().unwrap(), (0, 1));
    let _back = bench.wait(&asked).await;
    until(&bench, &asked.id, |batch| !batch.away).await;
    assert_eq!(bench.hub.counts().unwrap(), (1, 0));
}

#[tokio::test]
async fn a_batch_without_a_waiter_for_a_day_is_withdrawn() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    bench.clock.planned_within(4 * SECOND).await;
    bench.clock.pass(4 * SECOND);
    until(&bench, &asked.id, |batch| batch.away).await;
    bench.clock.planned_within(25 * 3600 * SECOND).await;
    bench.clock.pass(24 * 3600 * SECOND);
    let ended = until(&bench, &asked.id, |batch| batch.status != BatchStatus::Pending).await;
    let outcome = ended.outcome.unwrap();
    assert_eq!(outcome.status, BatchStatus::Cancelled);
    assert_eq!(outcome.reason.as_deref(), Some("abandoned"));
}

#[tokio::test]
async fn a_restarted_hub_has_everything_back_and_notifies_nobody_twice() {
    let bench = Bench::new();
    let body = question_with(json!({ "request_id": "k", "session": "s1" }));
    let asked = bench.ask(body.clone()).await;
    let draft = Draft { step: 1, ..Draft::default() };
    let request = DraftRequest { id: asked.id.clone(), draft: draft.clone(), draft_rev: None };
    bench.hub.batch_draft(&Caller::window(), request).await.unwrap();
    crate::noticing::posted(&bench, &asked.id, 17).await;
    let bench = bench.restart().await;
    let restored = get(&bench, &asked.id).await;
    assert_eq!((restored.number, restored.draft), (asked.number, Some(draft)));
    let shown = bench.notifier.shown();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].replaces.as_ref().map(|shown| shown.id), Some(17));
    let again = bench.ask(body).await;
    assert_eq!((again.created, again.id), (false, asked.id.clone()));
    let waiting = bench.wait(&asked).await;
    crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    assert_eq!(waiting.await.unwrap().status, BatchStatus::Answered);
    // Numbers are never used again.
    assert_eq!(bench.ask(question()).await.number, asked.number + 1);
}
