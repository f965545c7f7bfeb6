//! Calls that are alive at the same time are different asks, whatever they share; each caller
//! gets its own answer.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use askdock_tests::home::Home;
use askdock_tests::http::{Caller, Connection};
use askdock_tests::until::until;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

const CALLS: usize = 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn live_calls_that_share_a_call_id_are_as_many_batches() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let agent = Caller::agent(&home)?;
    let first = ask_at_once(&agent).await?;
    let numbers: BTreeSet<u64> = first.iter().map(|call| call.number).collect();
    ensure!(numbers.len() == CALLS, "{} batches for {CALLS} calls", numbers.len());
    ensure!(first.iter().all(|call| call.created));
    // All are cut off and come back at once: each is one of the old ones, no two the same.
    drop(first);
    let person = Caller::person(&home)?;
    until("somebody still waits", async || {
        let sessions = person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
        Ok((sessions[0]["connected"] == false).then_some(()))
    })
    .await?;
    let again = ask_at_once(&agent).await?;
    ensure!(again.iter().all(|call| !call.created), "asked a second time");
    let back: BTreeSet<u64> = again.iter().map(|call| call.number).collect();
    ensure!(back == numbers, "only {} of {CALLS} were found again", back.len());
    // Each gets the answer to its own.
    for mut call in again {
        let line = format!("POST /v1/batches/{}/answer", call.number);
        let reply = json!({ "reply": format!("\"to {}\"", call.number) });
        person.call(&line, reply).await?.expect(200)?;
        let outcome = call.waiting.response().await?.expect(200)?;
        ensure!(outcome["number"] == call.number, "{outcome}");
        let expected = format!("to {}", call.number);
        ensure!(outcome["answers"]["q1"]["text"] == *expected, "{outcome}");
    }
    Ok(())
}

struct Call {
    number: u64,
    created: bool,
    /// Asked over this and waits on it.
    waiting: Connection,
}

/// Half of the calls ask one thing and half another, all under one call id.
async fn ask_at_once(agent: &Caller) -> Result<Vec<Call>> {
    let start = Arc::new(Barrier::new(CALLS));
    let mut calls: JoinSet<Result<Call>> = JoinSet::new();
    for position in 0..CALLS {
        let (agent, start) = (agent.clone(), start.clone());
        calls.spawn(async move {
            let opened = agent.call("POST /v1/sessions", json!({ "session": "s" })).await?;
            let agent = agent.owning(&opened.expect(200)?["session_secret"]);
            let mut waiting = agent.connect().await?;
            let question = ["Go left?", "Go right?"][position % 2];
            let body = json!({ "session": "s", "call_keys": ["toolu_1"], "resume": true,
                "questions": [{ "question": question }] });
            start.wait().await;
            let asked = waiting.call("POST /v1/batches", body).await?;
            let created = asked.status == 201;
            let asked = asked.expect(if created { 201 } else { 200 })?;
            let number = asked["number"].as_u64().context("a number")?;
            let line = format!("GET /v1/batches/{number}/outcome?wait=60");
            waiting.send(&line, Value::Null).await?;
            Ok(Call { number, created, waiting })
        });
    }
    let mut made = vec![];
    while let Some(call) = calls.join_next().await {
        made.push(call??);
    }
    Ok(made)
}

const AGENTS: usize = 16;
const ASKS_EACH: usize = 25;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_returns_to_its_own_caller() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut agents: JoinSet<Result<()>> = JoinSet::new();
    for folder in 0..AGENTS {
        let (agent, person) = (Caller::agent(&home)?, Caller::person(&home)?);
        agents.spawn(async move {
            // The same client in folders of its own, asking the same words.
            let session = json!({ "agent": "robot", "folder": format!("/code/{folder}") });
            let body = json!({ "session": session, "resume": true,
                "questions": [{ "id": "go", "question": "Go on?" }] });
            for round in 0..ASKS_EACH {
                let asked = agent.call("POST /v1/batches", body.clone()).await?.expect(201)?;
                let owner = agent.clone().owning(&asked["session_secret"]);
                let id = asked["id"].as_str().context("an id")?;
                let mut waiting = owner.connect().await?;
                waiting.send(&format!("GET /v1/batches/{id}/outcome?wait=60"), Value::Null).await?;
                let text = format!("{folder}, {round}");
                let answer = json!({ "answers": { "go": { "text": text } } });
                let line = format!("POST /v1/batches/{id}/answer");
                person.call(&line, answer).await?.expect(200)?;
                let outcome = waiting.response().await?.expect(200)?;
                ensure!(outcome["batch"] == id && outcome["answers"]["go"]["text"] == *text);
                owner.call(&format!("POST /v1/batches/{id}/ack"), json!({})).await?.expect(200)?;
            }
            Ok(())
        });
    }
    while let Some(done) = agents.join_next().await {
        done??;
    }
    let sessions =
        Caller::person(&home)?.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
    let sessions = sessions.as_array().cloned().unwrap_or_default();
    ensure!(sessions.len() == AGENTS);
    ensure!(sessions.iter().all(|one| one["answered"] == ASKS_EACH), "{sessions:?}");
    Ok(())
}
