//! Askers that are killed while they wait, and ask again.

use anyhow::{Result, ensure};
use askdock_tests::home::Home;
use askdock_tests::http::Caller;
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::session_bus::SessionBus;
use askdock_tests::until::until;
use serde_json::{Value, json};

use crate::{Asker, ended, waited_on};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_ask_run_again_is_the_same_ask() -> Result<()> {
    let bus = SessionBus::start().await?;
    let server = NotificationServer::start(bus.address(), Persona::xfce()).await?;
    let home = Home::with_bus(bus.address())?;
    let _hub = home.serve().await?;
    // Killed and run again at once, several times.
    for round in 0..5 {
        let mut asker = Asker::start(&home, "s")?;
        waited_on(&home, 1).await?;
        asker.process.kill().await?;
        gone(&home).await?;
        ensure!(asked(&home).await? == 1, "round {round} asked again");
    }
    // Long gone: shown as away, still answerable, and the answer waits.
    let person = Caller::person(&home)?;
    until("the asker never counted as away", async || {
        let batch = person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
        Ok((batch["away"] == true).then_some(()))
    })
    .await?;
    let health = person.call("GET /v1/health", Value::Null).await?.expect(200)?;
    ensure!(health["pending"] == 0 && health["away"] == 1, "{health}");
    let answer = json!({ "answers": { "q1": { "selected": ["Yes"] } } });
    let outcome = person.call("POST /v1/batches/1/answer", answer).await?.expect(200)?;
    let again = ended(Asker::start(&home, "s")?.process).await?;
    ensure!(again.code == Some(0) && again.json()? == outcome, "{again:?}");
    ensure!(again.stderr == "Asked before as #1; waiting for the answer.\n", "{again:?}");
    ensure!(asked(&home).await? == 1);

    // Collected: from now on it is a new question, and the next notification is its own.
    let next = Asker::start(&home, "s")?;
    waited_on(&home, 1).await?;
    let shown = server.wait_notified(2).await?;
    ensure!(shown.replaces == 0 && server.notified().len() == 2);
    ensure!(asked(&home).await? == 2);
    drop(next);
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_ask_that_nobody_runs_again_keeps_its_answer() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut asker = Asker::start(&home, "s")?;
    waited_on(&home, 1).await?;
    asker.process.kill().await?;
    gone(&home).await?;
    ensure!(home.run(&["answer", "1", "Yes"]).await?.code == Some(0));
    // Another process of the agent's waits for it by number.
    let waited = home.run(&["wait", "1", "--json"]).await?;
    ensure!(waited.code == Some(0), "{waited:?}");
    ensure!(waited.json()?["answers"]["q1"]["selected"][0]["label"] == "Yes", "{waited:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blank_zero_and_negative_timeouts_of_the_command_are_none() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let mut number = 0;
    for timeout in [vec!["--timeout", ""], vec!["--timeout", "0"], vec!["--timeout", "-5"]] {
        number += 1;
        let arguments = [&["ask", "--question", "Go?", "--no-wait"], &timeout[..]].concat();
        let ran = home.run(&arguments).await?;
        ensure!(ran.code == Some(0) && ran.stderr.is_empty(), "{timeout:?}: {ran:?}");
        let batch = home.run(&["get", &number.to_string(), "--json"]).await?.json()?;
        ensure!(batch["deadline"].is_null(), "{timeout:?}: {batch}");
    }
    let ran = home.run(&["ask", "--question", "Go?", "--no-wait", "--timeout", "5"]).await?;
    ensure!(ran.stderr.contains("The timeout was changed to 30 seconds"), "{ran:?}");
    let ran = home.run(&["ask", "--question", "Go?", "--timeout", "soon"]).await?;
    ensure!(ran.code == Some(2), "{ran:?}");
    Ok(())
}

/// Until the hub has noticed that nobody waits any more.
async fn gone(home: &Home) -> Result<()> {
    let person = Caller::person(home)?;
    until("somebody still waits", async || {
        let sessions = person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
        Ok((sessions[0]["connected"] == false).then_some(()))
    })
    .await
}

/// How many batches there are.
async fn asked(home: &Home) -> Result<usize> {
    let person = Caller::person(home)?;
    let all = person.call("GET /v1/batches?status=all", Value::Null).await?.expect(200)?;
    Ok(all.as_array().map_or(0, Vec::len))
}
