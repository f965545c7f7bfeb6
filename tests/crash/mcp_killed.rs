//! The agent's MCP process is killed while it waits, and its agent starts it again.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_client::{Client, Role};
use askdock_tests::agent::Agent;
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::random;
use askdock_wire::BatchSummary;
use askdock_wire::ops::{AnswerRequest, BatchAnswer, BatchList, ListRequest};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const ROUNDS: usize = 30;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_mcp_process_is_found_again_by_the_same_call() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = home.client(Role::Person);
    let mut random = random::generator("mcp killed");
    for round in 0..ROUNDS {
        let mut first = Agent::start(&home, "test", &[]).await?;
        first.call("ask_user", ask(round)).await?;
        let delay = random::span(&mut random, Duration::from_millis(30));
        // The random point: before, while or after the ask becomes durable.
        tokio::time::sleep(delay).await;
        let pid = Pid::from_raw(first.server_pid()?).context("a process id")?;
        kill_process(pid, Signal::KILL)?;
        first.ended().await?;
        let mut second = Agent::start(&home, "test", &[]).await?;
        let call = second.call("ask_user", ask(round)).await?;
        let batch = pending(&person, round).await?;
        person.call::<BatchAnswer>(&answer(&batch.id)).await?;
        let result = second.result(call).await.with_context(|| format!("round {round}"))?;
        let selected = &result["structuredContent"]["answers"]["go"]["selected"][0]["label"];
        ensure!(selected == "Production", "round {round}: {result}");
    }
    let all = ListRequest { status: Some("all".into()), ..ListRequest::default() };
    let asked = person.call::<BatchList>(&all).await?.len();
    ensure!(asked == ROUNDS, "{asked} batches for {ROUNDS} asks");
    Ok(())
}

fn question(round: usize) -> String {
    format!("Go with plan {round}?")
}

fn ask(round: usize) -> Value {
    json!({ "questions": [{
        "id": "go", "question": question(round), "options": ["Staging", "Production"],
    }] })
}

async fn pending(person: &Client, round: usize) -> Result<BatchSummary> {
    let wanted = question(round);
    let look = async {
        loop {
            let listed = person.call::<BatchList>(&ListRequest::default()).await?;
            if let Some(batch) =
                listed.into_iter().find(|batch| batch.questions == [wanted.as_str()])
            {
                return anyhow::Ok(batch);
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, look).await.context("never asked")?
}

fn answer(id: &str) -> AnswerRequest {
    AnswerRequest {
        id: id.to_owned(),
        answers: Some(json!({ "go": { "selected": ["Production"] } })),
        reply: None,
        answer_id: None,
        content_hash: None,
        via: None,
    }
}
