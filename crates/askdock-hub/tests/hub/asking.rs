//! Asking, finding again, whose is whose.

use std::time::Duration;

use askdock_hub::{Caller, ClientProgram};
use askdock_wire::ops::{
    AnswerRequest, BatchRef, DraftRequest, Handler, ListRequest, Scope, SessionIdRequest,
    TurnBeginRequest, TurnEndRequest, TurnRequest, WaitRequest,
};
use askdock_wire::{BatchStatus, Code, Draft, DraftAnswer};
use serde_json::json;

use crate::fixture::{Bench, agent, owner, poll_once, process, question, question_with};

#[tokio::test]
async fn an_ask_is_pending_and_listed() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    assert!(asked.created);
    assert_eq!((asked.number, asked.status), (1, BatchStatus::Pending));
    let person = Caller::window();
    let listed = bench.hub.batch_list(&person, ListRequest::default()).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].questions, ["Where should it go first?"]);
    for name in ["1", "#1", asked.id.as_str()] {
        let got = bench.hub.batch_get(&person, BatchRef { id: name.into() }).await.unwrap();
        assert_eq!(got.id, asked.id);
        assert_eq!(got.questions[0].options[0].label, "Staging (Recommended)");
        assert_eq!(got.questions[0].options[0].display_label, "Staging");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_request_id_from_32_clients_is_one_batch_and_one_notice() {
    let bench = Bench::new();
    let asks = (0..32).map(|_| {
        let hub = bench.hub.clone();
        let body = question_with(json!({ "request_id": "deploy-1", "session": "s1" }));
        tokio::spawn(async move {
            let request = askdock_wire::AskRequest::from_body(body).unwrap();
            hub.batch_ask(&agent(), askdock_wire::ops::AskBody(request)).await.unwrap()
        })
    });
    let mut created = 0;
    for ask in asks.collect::<Vec<_>>() {
        let asked = ask.await.unwrap();
        assert_eq!(asked.number, 1);
        created += usize::from(asked.created);
    }
    assert_eq!(created, 1);
    assert_eq!(bench.notifier.shown().len(), 1);
}

#[tokio::test]
async fn the_same_request_id_with_other_content_conflicts() {
    let bench = Bench::new();
    bench.ask(question_with(json!({ "request_id": "k", "session": "s1" }))).await;
    let other = json!({ "questions": ["Something else?"], "request_id": "k", "session": "s1" });
    let error = bench.try_ask(&agent(), other.clone()).await.unwrap_err();
    assert_eq!(error.code, Code::KeyConflict);
    // Keys are scoped to session and turn.
    for scope in [json!({ "session": "s2" }), json!({ "session": "s1", "turn": "t1" })] {
        let mut body = other.clone();
        for (name, value) in scope.as_object().unwrap() {
            body[name] = value.clone();
        }
        assert!(bench.ask(body).await.created);
    }
}

#[tokio::test]
async fn an_explicit_key_returns_the_outcome_for_ten_minutes_after_delivery() {
    let bench = Bench::new();
    let body = question_with(json!({ "request_id": "k", "session": "s1" }));
    let asked = bench.ask(body.clone()).await;
    crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    bench.hub.batch_ack(&owner(&asked), BatchRef { id: asked.id.clone() }).await.unwrap();
    bench.clock.pass(Duration::from_secs(9 * 60));
    let again = bench.ask(body.clone()).await;
    assert_eq!((again.created, again.status), (false, BatchStatus::Answered));
    assert!(again.outcome.is_some());
    bench.clock.pass(Duration::from_secs(2 * 60));
    assert!(bench.ask(body).await.created);
}

#[tokio::test]
async fn two_live_calls_that_share_a_call_id_are_two_batches() {
    let bench = Bench::new();
    let body = question_with(json!({ "call_keys": ["toolu_1"], "session": "s1", "resume": true }));
    let first = bench.ask(body.clone()).await;
    let waiting = bench.wait(&first).await;
    let second = bench.ask(body.clone()).await;
    assert!(second.created);
    assert_ne!(first.id, second.id);
    // The first call is gone: the same call again is the same batch.
    waiting.abort();
    waiting.await.unwrap_err();
    let third = bench.ask(body).await;
    assert_eq!((third.created, third.id), (false, first.id));
}

#[tokio::test]
async fn an_asker_whose_connection_closed_before_it_waited_is_found_again() {
    let bench = Bench::new();
    let body = question_with(json!({ "session": "s1", "resume": true }));
    let caller = Caller { connection: Some(7), ..agent() };
    let first = bench.try_ask(&caller, body.clone()).await.unwrap();
    // Its asker is about to wait: an identical call now is another batch.
    let twin = bench.try_ask(&caller, body.clone()).await.unwrap();
    assert!(twin.created);
    bench.hub.connection_closed(7);
    let again = bench.try_ask(&agent(), body).await.unwrap();
    assert!(!again.created);
    assert!([first.id, twin.id].contains(&again.id));
}

#[tokio::test]
async fn an_asker_that_is_gone_before_its_ask_is_recorded_is_found_again() {
    let bench = Bench::new();
    let body = question_with(json!({ "session": "s1", "resume": true }));
    let caller = Caller { connection: Some(7), ..agent() };
    {
        let ask = bench.try_ask(&caller, body.clone());
        tokio::pin!(ask);
        // Queues the write; then the connection is cut and the ask dropped.
        assert!(poll_once(ask.as_mut()).await.is_none());
        bench.hub.connection_closed(7);
    }
    // Queued behind the first, so that one is recorded by now.
    let again = bench.try_ask(&agent(), body).await.unwrap();
    assert_eq!((again.created, again.number), (false, 1));
}

#[tokio::test]
async fn of_two_calls_that_come_back_at_once_each_finds_its_own() {
    let bench = Bench::new();
    let body = question_with(json!({ "session": "s1", "resume": true }));
    let over = |connection| Caller { connection: Some(connection), ..agent() };
    let mut asked = vec![];
    for connection in [1, 2] {
        asked.push(bench.try_ask(&over(connection), body.clone()).await.unwrap().number);
    }
    // One is answered meanwhile: its answer is for one of them only.
    crate::ending::choose(&bench, "1", "staging").await.unwrap();
    bench.hub.connection_closed(1);
    bench.hub.connection_closed(2);
    let mut found = vec![];
    for connection in [3, 4] {
        found.push(bench.try_ask(&over(connection), body.clone()).await.unwrap().number);
    }
    found.sort_unstable();
    assert_eq!(found, asked);
}

#[tokio::test]
async fn an_undelivered_answer_is_found_again_and_a_cancelled_ask_is_not() {
    let bench = Bench::new();
    let body = question_with(json!({ "session": "s1", "resume": true }));
    let first = bench.ask(body.clone()).await;
    crate::ending::choose(&bench, &first.id, "production").await.unwrap();
    let again = bench.ask(body.clone()).await;
    assert_eq!((again.created, &again.id), (false, &first.id));
    assert_eq!(again.outcome.unwrap().answers["target"].selected[0].label, "Production");
    bench.hub.batch_ack(&owner(&first), BatchRef { id: first.id.clone() }).await.unwrap();
    let second = bench.ask(body.clone()).await;
    assert!(second.created, "a delivered answer is not given to a new call");
    let cancel = askdock_wire::ops::CancelRequest { id: second.id.clone(), reason: None };
    bench.hub.batch_cancel(&owner(&second), cancel).await.unwrap();
    assert!(bench.ask(body).await.created, "a cancelled ask is not resurrected");
}

#[tokio::test]
async fn an_agent_reaches_only_its_own() {
    let bench = Bench::new();
    let mine = bench.ask(question_with(json!({ "session": "mine" }))).await;
    let theirs = bench.ask(question_with(json!({ "session": "theirs" }))).await;
    let me = owner(&mine);
    let id = theirs.id.clone();
    let wait = WaitRequest { id: id.clone(), wait: None, full: true };
    let errors = [
        bench.hub.batch_get(&me, BatchRef { id: id.clone() }).await.unwrap_err(),
        bench.hub.batch_wait(&me, wait).await.unwrap_err(),
        bench.hub.batch_ack(&me, BatchRef { id: id.clone() }).await.unwrap_err(),
        bench
            .hub
            .batch_cancel(&me, askdock_wire::ops::CancelRequest { id, reason: None })
            .await
            .unwrap_err(),
        bench.hub.batch_list(&me, ListRequest::default()).await.unwrap_err(),
        bench.hub.session_get(&me, SessionIdRequest { id: "theirs".into() }).await.unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.code == Code::Forbidden), "{errors:?}");
    let own = ListRequest { session: Some("mine".into()), ..ListRequest::default() };
    assert_eq!(bench.hub.batch_list(&me, own).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_agent_never_sees_a_draft() {
    let bench = Bench::new();
    let asked = bench.ask(question()).await;
    let mut draft = Draft::default();
    let selected = vec!["production".into()];
    draft.answers.insert("target".into(), DraftAnswer { selected, ..Default::default() });
    let request = DraftRequest { id: asked.id.clone(), draft: draft.clone(), draft_rev: Some(0) };
    bench.hub.batch_draft(&Caller::window(), request.clone()).await.unwrap();
    let stale = bench.hub.batch_draft(&Caller::window(), request).await.unwrap_err();
    assert_eq!(stale.code, Code::StaleDraft);
    let id = BatchRef { id: asked.id.clone() };
    assert_eq!(bench.hub.batch_get(&owner(&asked), id.clone()).await.unwrap().draft, None);
    let seen = bench.hub.batch_get(&Caller::window(), id).await.unwrap();
    assert_eq!((seen.draft, seen.draft_rev), (Some(draft), 1));
}

#[tokio::test]
async fn a_child_of_a_waiting_agent_may_not_act_as_the_person() {
    let bench = Bench::new();
    // Agent 100 started `askdock mcp` (101) and a shell (102) that runs `askdock answer` (103).
    let mcp = process(Scope::Agent, ClientProgram::Mcp, 101, &[100, 50]);
    let asked = bench.try_ask(&mcp, question()).await.unwrap();
    let child = process(Scope::Person, ClientProgram::Cli, 103, &[102, 100, 50]).peer.unwrap();
    let refusal = bench.hub.person_refusal(&child).expect("refused");
    assert_eq!(refusal.code, Code::Forbidden);
    // The person's own terminal has another parent.
    let person = process(Scope::Person, ClientProgram::Cli, 200, &[50]).peer.unwrap();
    assert!(bench.hub.person_refusal(&person).is_none());
    // A later process with the agent's number is not the agent.
    let mut reused = child.clone();
    for ancestor in &mut reused.ancestors {
        ancestor.started += 1;
    }
    assert!(bench.hub.person_refusal(&reused).is_none());
    // Another hub knows it too, before the agent waits again.
    let bench = bench.restart().await;
    assert!(bench.hub.person_refusal(&child).is_some());
    assert!(bench.hub.person_refusal(&person).is_none());
    crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    assert!(bench.hub.person_refusal(&child).is_none(), "nothing of the agent's waits any more");
}

#[tokio::test]
async fn ending_a_turn_withdraws_what_it_asked() {
    let bench = Bench::new();
    let opened = bench.ask(question_with(json!({ "session": "s1" }))).await;
    let me = owner(&opened);
    let begin =
        TurnBeginRequest { session: "s1".into(), turn: Some("t1".into()), max_duration: None };
    bench.hub.turn_begin(&me, begin).await.unwrap();
    let asked = bench.ask(question_with(json!({ "session": "s1", "turn": "t1" }))).await;
    let waiting = bench.wait(&asked).await;
    let end = TurnEndRequest { session: "s1".into(), turn: "t1".into(), state: None };
    let turn = bench.hub.turn_end(&me, end).await.unwrap();
    assert_eq!(turn.state, "failed", "it finished while a batch of its own was pending");
    let outcome = waiting.await.unwrap();
    assert_eq!(outcome.status, BatchStatus::Cancelled);
    assert_eq!(outcome.reason.as_deref(), Some("turn_ended"));
    let closed = bench
        .try_ask(&agent(), question_with(json!({ "session": "s1", "turn": "t1" })))
        .await
        .unwrap_err();
    assert_eq!(closed.code, Code::TurnClosed);
    let late = crate::ending::choose(&bench, &asked.id, "staging").await.unwrap_err();
    assert_eq!(late.code, Code::AlreadyEnded);
}

#[tokio::test]
async fn an_unattended_ask_fails_fast_unless_it_insists() {
    let bench = Bench::new();
    let body = question_with(json!({ "unattended": true }));
    let error = bench.try_ask(&agent(), body.clone()).await.unwrap_err();
    assert_eq!(error.code, Code::NoPerson);
    assert!(
        bench.hub.batch_list(&Caller::window(), ListRequest::default()).await.unwrap().is_empty()
    );
    let mut insisting = body;
    insisting["wait_for_person"] = json!(true);
    assert!(bench.ask(insisting).await.created);
}

#[tokio::test]
async fn an_answer_is_handed_over_in_a_turn_that_is_closing() {
    let bench = Bench::new();
    let body = || question_with(json!({ "session": "s1", "turn": "t1", "request_id": "r1" }));
    let asked = bench.ask(body()).await;
    crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    let turn = TurnRequest { session: "s1".into(), turn: "t1".into() };
    bench.hub.turn_finalize(&owner(&asked), turn).await.unwrap();
    let again = bench.ask(body()).await;
    assert_eq!(again.outcome.unwrap().status, BatchStatus::Answered);
    let new = question_with(json!({ "session": "s1", "turn": "t1", "request_id": "r2" }));
    assert_eq!(bench.try_ask(&agent(), new).await.unwrap_err().code, Code::TurnClosed);
}

#[tokio::test]
async fn a_person_who_looks_on_takes_nothing_from_the_agent() {
    let bench = Bench::new();
    let body = || question_with(json!({ "session": "s1", "call_keys": ["k1"] }));
    let asked = bench.ask(body()).await;
    let person = process(Scope::Person, ClientProgram::Cli, 7, &[]);
    let looking = bench.wait_as(person.clone(), &asked).await;
    bench.clock.planned_within(Duration::from_secs(3)).await;
    bench.clock.pass(Duration::from_secs(3));
    let batch = BatchRef { id: asked.id.clone() };
    while !bench.hub.batch_get(&person, batch.clone()).await.unwrap().away {
        tokio::task::yield_now().await;
    }
    crate::ending::choose(&bench, &asked.id, "staging").await.unwrap();
    looking.await.unwrap();
    bench.hub.batch_ack(&person, batch).await.unwrap();
    // The agent is back with the same call: its answer is still there.
    let again = bench.ask(body()).await;
    assert_eq!(again.id, asked.id);
    assert_eq!(again.outcome.unwrap().status, BatchStatus::Answered);
}

#[tokio::test]
async fn a_secret_is_handed_to_who_waits_and_kept_nowhere() {
    let bench = Bench::new();
    let body = json!({ "session": "s1", "questions": [{
        "id": "key", "question": "The deploy key?", "secret": true,
    }] });
    let asked = bench.ask(body).await;
    let answer = || AnswerRequest {
        id: asked.id.clone(),
        answers: Some(json!({ "key": { "text": "hunter2-deploy" } })),
        reply: None,
        answer_id: None,
        content_hash: None,
        via: None,
    };
    let waiting = bench.wait(&asked).await;
    let shown = bench.hub.batch_answer(&Caller::window(), answer()).await.unwrap();
    assert_eq!(shown.answers["key"].text.as_deref(), Some("[secret given]"));
    let got = waiting.await.unwrap();
    assert_eq!(got.answers["key"].text.as_deref(), Some("hunter2-deploy"));
    bench.hub.batch_ack(&owner(&asked), BatchRef { id: asked.id.clone() }).await.unwrap();
    let later = WaitRequest { id: asked.id.clone(), wait: None, full: false };
    let later = bench.hub.batch_wait(&owner(&asked), later).await.unwrap().outcome.unwrap();
    assert_eq!(later.answers["key"].text.as_deref(), Some("[secret given]"));
    bench.hub.close().await;
    for file in std::fs::read_dir(bench.dir.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        assert!(!bytes.windows(14).any(|part| part == b"hunter2-deploy"));
    }
}

#[tokio::test]
async fn a_secret_is_not_taken_for_an_agent_that_is_away() {
    let bench = Bench::new();
    let body = json!({ "questions": [{ "id": "key", "question": "Key?", "secret": true }] });
    let asked = bench.ask(body).await;
    bench.clock.planned_within(Duration::from_secs(3)).await;
    bench.clock.pass(Duration::from_secs(3));
    let batch = BatchRef { id: asked.id.clone() };
    while !bench.hub.batch_get(&Caller::window(), batch.clone()).await.unwrap().away {
        tokio::task::yield_now().await;
    }
    let request = AnswerRequest {
        id: asked.id,
        answers: Some(json!({ "key": { "text": "hunter2" } })),
        reply: None,
        answer_id: None,
        content_hash: None,
        via: None,
    };
    let refused = bench.hub.batch_answer(&Caller::window(), request).await.unwrap_err();
    assert_eq!(refused.code, Code::Invalid);
    let batch = bench.hub.batch_get(&Caller::window(), batch).await.unwrap();
    assert_eq!(batch.status, BatchStatus::Pending);
}

#[tokio::test]
async fn a_refused_secret_is_not_handed_over_with_the_next_answer() {
    let bench = Bench::new();
    let body = json!({ "session": "s1", "questions": [
        { "id": "key", "question": "The deploy key?", "secret": true },
        { "id": "why", "question": "Why?" },
    ] });
    let asked = bench.ask(body).await;
    let answer = |key: serde_json::Value, hash: Option<&str>| AnswerRequest {
        id: asked.id.clone(),
        answers: Some(json!({ "key": key, "why": { "text": "because" } })),
        reply: None,
        answer_id: None,
        content_hash: hash.map(str::to_owned),
        via: None,
    };
    let waiting = bench.wait(&asked).await;
    let typed = answer(json!({ "text": "hunter2" }), Some("other content"));
    let refused = bench.hub.batch_answer(&Caller::window(), typed).await.unwrap_err();
    assert_eq!(refused.code, Code::StaleContent);
    let blank = answer(json!({ "blank": true }), None);
    bench.hub.batch_answer(&Caller::window(), blank).await.unwrap();
    let got = waiting.await.unwrap();
    assert!(got.answers["key"].blank);
    assert_eq!(got.answers["key"].text, None);
}
