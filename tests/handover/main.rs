//! One hub after another: handed over, killed, quit, started by an ask, found again. Who waits
//! goes along, and nobody is asked or answered twice.

use anyhow::{Context, Result, ensure};
use askdock_tests::home::{Home, PATIENCE, Ran};
use askdock_tests::http::Caller;
use askdock_tests::until::until;
use serde_json::{Value, json};
use tokio::process::Child;

mod askers;
mod desktop;
mod found;
#[cfg(target_os = "linux")]
mod headless;
mod quit;
mod restarts;

/// `askdock ask --json` in a session of its own.
struct Asker {
    process: Child,
    session: String,
}

impl Asker {
    fn start(home: &Home, session: &str) -> Result<Self> {
        let process = home.askdock(&Self::command(session)).spawn()?;
        Ok(Self { process, session: session.to_owned() })
    }

    fn command(session: &str) -> [&str; 10] {
        let [ask, question] = ["ask", "--question"];
        [ask, question, "Go?", "--option", "Yes", "--option", "No", "--session", session, "--json"]
    }

    /// Its only output: the outcome.
    async fn outcome(self) -> Result<Value> {
        let ran = ended(self.process).await?;
        ensure!(ran.code == Some(0), "{}: {ran:?}", self.session);
        ensure!(ran.stdout.lines().count() == 1, "{}: {ran:?}", self.session);
        ran.json()
    }
}

async fn ended(process: Child) -> Result<Ran> {
    let output = tokio::time::timeout(PATIENCE, process.wait_with_output())
        .await
        .context("it did not end")??;
    Ok(Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout)?,
        stderr: String::from_utf8(output.stderr)?,
    })
}

/// Until so many batches are pending, each with somebody of its session waiting on whichever
/// hub runs now.
async fn waited_on(home: &Home, count: usize) -> Result<()> {
    until("nobody waits", async || {
        // The hub may just be changing.
        let Ok(person) = Caller::person(home) else { return Ok(None) };
        let Ok(response) = person.call("GET /v1/sessions", Value::Null).await else {
            return Ok(None);
        };
        let Ok(sessions) = response.expect(200) else { return Ok(None) };
        let sessions = sessions.as_array().cloned().unwrap_or_default();
        let asking = |one: &&Value| one["pending"] != 0 || one["away"] != 0;
        let asking: Vec<_> = sessions.iter().filter(asking).collect();
        let all = asking.len() == count && asking.iter().all(|one| one["connected"] == true);
        Ok(all.then_some(()))
    })
    .await
}

/// Answers every pending batch, each in words of its own, and returns the outcomes by session.
async fn answer_all(home: &Home) -> Result<Vec<(String, Value)>> {
    let person = Caller::person(home)?;
    let pending = person.call("GET /v1/batches", Value::Null).await?.expect(200)?;
    let mut outcomes = vec![];
    for batch in pending.as_array().into_iter().flatten() {
        let text = format!("for {}", batch["session"]);
        let line = format!("POST /v1/batches/{}/answer", batch["number"]);
        let answer = json!({ "answers": { "q1": { "text": text } } });
        let outcome = person.call(&line, answer).await?.expect(200)?;
        outcomes.push((batch["session"].as_str().unwrap_or_default().to_owned(), outcome));
    }
    Ok(outcomes)
}

/// Each asker prints exactly the outcome of its own session, and all have been collected.
async fn all_answered(home: &Home, askers: Vec<Asker>) -> Result<()> {
    let count = askers.len();
    let outcomes = answer_all(home).await?;
    ensure!(outcomes.len() == count, "{} batches for {count} asks", outcomes.len());
    for asker in askers {
        let own = outcomes.iter().find(|(session, _)| *session == asker.session);
        let (_, expected) = own.context("a batch of its session")?.clone();
        let printed = asker.outcome().await?;
        ensure!(printed == expected, "{printed} instead of {expected}");
    }
    let person = Caller::person(home)?;
    let all = person.call("GET /v1/batches?status=all", Value::Null).await?.expect(200)?;
    ensure!(all.as_array().map(Vec::len) == Some(count), "somebody was asked twice: {all}");
    for number in 1..=count {
        let line = format!("GET /v1/batches/{number}");
        let batch = person.call(&line, Value::Null).await?.expect(200)?;
        ensure!(batch["delivered_at"].is_string(), "{batch}");
    }
    Ok(())
}

/// Ends a hub that an ask started, which isn't a child of the test.
struct Ends(u32);

impl Drop for Ends {
    fn drop(&mut self) {
        if let Some(pid) = rustix::process::Pid::from_raw(self.0.cast_signed()) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}
