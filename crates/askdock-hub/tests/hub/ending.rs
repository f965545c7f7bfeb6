//! Answering and the other ends: at most one, told to all.

use askdock_hub::Caller;
use askdock_wire::ops::{AnswerRequest, AskBackRequest, CancelRequest, DismissRequest, Handler};
use askdock_wire::{AnswerInput, BatchStatus, Code, Outcome, WireError};
use serde_json::{Value, json};

use crate::fixture::{Bench, owner, question};

pub async fn choose(bench: &Bench, id: &str, option: &str) -> Result<Outcome, WireError> {
    let request = answer(id, json!({ "target": { "selected": [option] } }));
    bench.hub.batch_answer(&Caller::window(), request).await
}

fn answer(id: &str, answers: Value) -> AnswerRequest {
    AnswerRequest {
        id: id.into(),
        answers: Some(answers),
        reply: None,
        answer_id: None,
        content_hash: None,
        via: None,
    }
}

#[tokio::test]
async fn everybody_who_waits_gets_the_one_answer() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let (one, two) = (bench.wait(&asked).await, bench.wait(&asked).await);
    let given = choose(&bench, &asked.id, "Production").await.unwrap();
    assert_eq!(given.status, BatchStatus::Answered);
    assert_eq!(given.answers["target"].selected[0].id, "production");
    assert_eq!(given.answers_by_id.len(), 1);
    assert_eq!((given.responder.kind.as_str(), given.responder.via.as_str()), ("user", "dock"));
    assert_eq!(one.await.unwrap(), given);
    assert_eq!(two.await.unwrap(), given);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_racing_answerers_one_wins_and_the_others_are_told_who() {
    let bench = Bench::new();
    for round in 0..20 {
        let asked = bench.ask(question()).await;
        let racers: Vec<_> = (0..64)
            .map(|racer| {
                let (hub, id) = (bench.hub.clone(), asked.id.clone());
                tokio::spawn(async move {
                    let option = if racer % 2 == 0 { "staging" } else { "production" };
                    let mut request = answer(&id, json!({ "target": { "selected": [option] } }));
                    request.answer_id = Some(format!("racer-{racer}"));
                    request.via = Some(format!("surface-{racer}"));
                    hub.batch_answer(&Caller::window(), request).await
                })
            })
            .collect();
        let (mut winners, mut told) = (vec![], vec![]);
        for racer in racers {
            match racer.await.unwrap() {
                Ok(outcome) => winners.push(outcome),
                Err(error) => {
                    assert_eq!(error.code, Code::AlreadyEnded);
                    told.push(*error.outcome.expect("told who won"));
                }
            }
        }
        assert_eq!((winners.len(), told.len()), (1, 63), "round {round}");
        assert!(told.iter().all(|outcome| *outcome == winners[0]));
    }
}

#[tokio::test]
async fn the_same_answer_id_gives_the_first_result_again_or_is_refused() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let mut request = answer(&asked.id, json!({ "target": { "selected": ["staging"] } }));
    request.answer_id = Some("mine".into());
    let first = bench.hub.batch_answer(&Caller::window(), request.clone()).await.unwrap();
    let again = bench.hub.batch_answer(&Caller::window(), request.clone()).await.unwrap();
    assert_eq!(first, again);
    request.answers = Some(json!({ "target": { "selected": ["production"] } }));
    let other = bench.hub.batch_answer(&Caller::window(), request).await.unwrap_err();
    assert_eq!(other.code, Code::AnswerIdReused);
}

#[tokio::test]
async fn an_answer_to_other_content_changes_nothing() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let mut request = answer(&asked.id, json!({ "target": { "selected": ["staging"] } }));
    request.content_hash = Some("0".repeat(64));
    let error = bench.hub.batch_answer(&Caller::window(), request.clone()).await.unwrap_err();
    assert_eq!(error.code, Code::StaleContent);
    request.content_hash = Some(asked.content_hash);
    bench.hub.batch_answer(&Caller::window(), request).await.unwrap();
}

#[tokio::test]
async fn what_is_no_answer_leaves_the_batch_pending() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let nothing = [
        json!({}),
        json!({ "target": {} }),
        json!({ "target": { "selected": [] } }),
        json!({ "target": { "text": "  " } }),
        json!({ "target": { "notes": "soon" } }),
        json!({ "target": { "selected": ["nowhere"] } }),
        json!({ "unknown": { "selected": ["staging"] } }),
        json!({ "target": { "selected": ["staging", "production"] } }),
        json!({ "target": { "blank": true } }),
    ];
    for answers in nothing {
        let refused =
            bench.hub.batch_answer(&Caller::window(), answer(&asked.id, answers.clone())).await;
        let error = refused.expect_err(&answers.to_string());
        assert_eq!(error.code, Code::Invalid, "{answers}");
        assert!(!error.problems.is_empty(), "{answers}");
    }
    choose(&bench, &asked.id, "staging").await.unwrap();
}

#[tokio::test]
async fn a_typed_reply_answers_a_batch_of_one_question() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let reply = |text: &str| AnswerRequest {
        id: asked.id.clone(),
        answers: None,
        reply: Some(text.into()),
        answer_id: None,
        content_hash: None,
        via: Some("cli".into()),
    };
    let out_of_range = bench.hub.batch_answer(&Caller::window(), reply("7")).await.unwrap_err();
    assert_eq!(out_of_range.code, Code::Invalid);
    let outcome = bench.hub.batch_answer(&Caller::window(), reply("2")).await.unwrap();
    assert_eq!(outcome.answers["target"].selected[0].label, "Production");
    assert_eq!(outcome.responder.via, "cli");
}

#[tokio::test]
async fn asking_back_ends_the_batch_with_the_answers_so_far() {
    let bench = Bench::new();
    let asked = bench
        .ask(json!({ "questions": [
            { "id": "a", "question": "First?", "options": ["Yes", "No"] },
            { "id": "b", "question": "Second?", "options": ["Yes", "No"] },
        ] }))
        .await;
    let waiting = bench.wait(&asked).await;
    let selected = vec!["yes".into()];
    let request = AskBackRequest {
        id: asked.id.clone(),
        message: "Which cluster do you mean?".into(),
        answers: [("a".to_owned(), AnswerInput { selected, ..Default::default() })].into(),
        answer_id: None,
        content_hash: None,
        via: None,
    };
    bench.hub.batch_ask_back(&Caller::window(), request).await.unwrap();
    let outcome = waiting.await.unwrap();
    assert_eq!(outcome.status, BatchStatus::Dismissed);
    assert_eq!(outcome.reason.as_deref(), Some("ask_back"));
    assert_eq!(outcome.message.as_deref(), Some("Which cluster do you mean?"));
    let partial = outcome.partial.unwrap();
    assert_eq!(partial.keys().collect::<Vec<_>>(), ["a"]);
    assert!(outcome.answers.is_empty());
}

#[tokio::test]
async fn dismissing_and_withdrawing_are_not_answers() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let dismissed =
        DismissRequest { id: asked.id.clone(), answer_id: None, content_hash: None, via: None };
    let outcome = bench.hub.batch_dismiss(&Caller::window(), dismissed).await.unwrap();
    assert_eq!(outcome.status, BatchStatus::Dismissed);
    assert!(outcome.guidance.unwrap().contains("chose not to answer"));
    let second = bench.ask(question()).await;
    let request = CancelRequest { id: second.id.clone(), reason: Some("found it myself".into()) };
    let outcome = bench.hub.batch_cancel(&owner(&second), request).await.unwrap();
    assert_eq!(outcome.status, BatchStatus::Cancelled);
    assert_eq!(outcome.reason.as_deref(), Some("found it myself"));
    assert_eq!(outcome.responder.kind, "system");
}
