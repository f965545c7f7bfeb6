//! The agent's MCP process is killed while it waits, and its agent starts it again.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_client::{Client, Role};
use askdock_tests::home::{Home, PATIENCE};
use askdock_wire::BatchSummary;
use askdock_wire::ops::{AnswerRequest, BatchAnswer, BatchList, ListRequest};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::random;

const ROUNDS: usize = 30;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_mcp_process_is_found_again_by_the_same_call() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = home.client(Role::Person);
    let mut random = random::generator("mcp killed");
    for round in 0..ROUNDS {
        let mut first = Agent::start(&home).await?;
        first.ask(round).await?;
        let delay = random::span(&mut random, Duration::from_millis(30));
        // The random point: before, while or after the ask becomes durable.
        tokio::time::sleep(delay).await;
        first.process.kill().await?;
        let mut second = Agent::start(&home).await?;
        second.ask(round).await?;
        let batch = pending(&person, round).await?;
        person.call::<BatchAnswer>(&answer(&batch.id)).await?;
        let result = second.result().await.with_context(|| format!("round {round}"))?;
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

/// An agent that speaks MCP line by line with a process of its own.
struct Agent {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Agent {
    async fn start(home: &Home) -> Result<Self> {
        let mut process = home.askdock(&["mcp"]).stdin(Stdio::piped()).spawn()?;
        let input = process.stdin.take().context("its input")?;
        let output = BufReader::new(process.stdout.take().context("its output")?).lines();
        let mut agent = Self { process, input, output };
        agent
            .send(&json!({
                "jsonrpc": "2.0", "id": 0, "method": "initialize",
                "params": {
                    "protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": { "name": "crash-test", "version": "1" },
                },
            }))
            .await?;
        agent.response(0).await?;
        agent.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok(agent)
    }

    async fn ask(&mut self, round: usize) -> Result<()> {
        self.send(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "ask_user", "arguments": { "questions": [{
                "id": "go", "question": question(round), "options": ["Staging", "Production"],
            }] } },
        }))
        .await
    }

    async fn result(&mut self) -> Result<Value> {
        Ok(self.response(1).await?["result"].clone())
    }

    async fn send(&mut self, message: &Value) -> Result<()> {
        self.input.write_all(format!("{message}\n").as_bytes()).await?;
        Ok(self.input.flush().await?)
    }

    async fn response(&mut self, id: u64) -> Result<Value> {
        let read = async {
            while let Some(line) = self.output.next_line().await? {
                let message: Value = serde_json::from_str(&line)?;
                if message["id"] == id && message.get("method").is_none() {
                    return Ok(message);
                }
            }
            anyhow::bail!("the MCP process ended")
        };
        tokio::time::timeout(PATIENCE, read).await.context("no response")?
    }
}
