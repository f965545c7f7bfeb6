//! How long calls wait, and how they end without ending the question.

use anyhow::{Context, Result, ensure};
use askdock_tests::agent::Agent;
use askdock_tests::home::Home;
use askdock_tests::person::{Person, go, went};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

const IMPATIENT: &[(&str, &str)] = &[("ASKDOCK_MCP_BUDGET_SECONDS", "1")];

#[tokio::test]
async fn a_client_without_progress_gets_the_question_back_and_waits_on() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", IMPATIENT).await?;
    let call = agent.call("ask_user", go()).await?;
    let result = agent.result(call).await?;
    let batch = person.only().await?;
    let expected = json!({
        "status": "pending", "batch": batch.id, "number": 1, "next": "call wait_for_answer",
    });
    ensure!(result["structuredContent"] == expected, "{result}");
    ensure!(result["isError"] == false, "{result}");
    ensure!(agent.unread().next().is_none(), "progress that nobody asked for");
    // Still nobody, asked by number; then the answer.
    let call = agent.call("wait_for_answer", json!({ "batch": 1 })).await?;
    let result = agent.result(call).await?;
    ensure!(result["structuredContent"] == expected, "{result}");
    let call = agent.call("wait_for_answer", json!({ "batch": batch.id })).await?;
    person.selects(&batch.id, "Staging").await?;
    let result = agent.result(call).await?;
    ensure!(went(&result) == "Staging", "{result}");
    person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    Ok(())
}

#[tokio::test]
async fn a_client_with_progress_hears_at_once_and_is_never_sent_away() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", IMPATIENT).await?;
    let patient = agent.call_with("ask_user", go(), json!({ "progressToken": "p" })).await?;
    let progress = agent.notification("notifications/progress").await?;
    ensure!(progress["progressToken"] == "p", "{progress}");
    ensure!(progress["progress"].as_f64() > Some(0.0), "{progress}");
    let batch = person.only().await?;
    // A second call, made later, outlives the budget first.
    let other = json!({ "questions": [{ "question": "And then?" }] });
    let impatient = agent.call("ask_user", other).await?;
    let result = agent.result(impatient).await?;
    ensure!(result["structuredContent"]["status"] == "pending", "{result}");
    ensure!(!agent.unread().any(|message| message["id"] == patient), "it was sent away");
    person.selects(&batch.id, "Staging").await?;
    ensure!(went(&agent.result(patient).await?) == "Staging");
    Ok(())
}

#[tokio::test]
async fn a_cancelled_call_leaves_the_question_open_and_gets_no_response() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let given_up = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    ensure!(!batch.away);
    agent.cancel(given_up).await?;
    person.once(&batch.id, |batch| batch.away).await?;
    let again = agent.call("ask_user", go()).await?;
    person.once(&batch.id, |batch| !batch.away).await?;
    person.asked(1).await?;
    person.selects(&batch.id, "Staging").await?;
    ensure!(went(&agent.result(again).await?) == "Staging");
    // Some clients cancel every call, also the finished ones.
    agent.cancel(again).await?;
    let ping = agent.request("ping", json!({})).await?;
    agent.result(ping).await?;
    ensure!(
        !agent.unread().any(|message| message["id"] == given_up),
        "a cancelled call's response"
    );
    Ok(())
}

#[tokio::test]
async fn a_client_that_gives_up_and_calls_again_in_one_breath_asks_once() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let mut call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    for _ in 0..50 {
        agent.cancel(call).await?;
        call = agent.call("ask_user", go()).await?;
    }
    person.selects(&batch.id, "Staging").await?;
    ensure!(went(&agent.result(call).await?) == "Staging");
    person.asked(1).await?;
    Ok(())
}

#[tokio::test]
async fn a_client_that_leaves_loses_nothing() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    for (round, ending) in ["its input closes", "SIGTERM", "SIGINT"].into_iter().enumerate() {
        let mut agent = Agent::start(&home, "test", &[]).await?;
        agent.call("ask_user", go()).await?;
        let batches = person.asked(round + 1).await?;
        let id = &batches.last().context("a batch")?.id;
        let server = Pid::from_raw(agent.server_pid()?).context("a process id")?;
        match ending {
            "SIGTERM" => kill_process(server, Signal::TERM)?,
            "SIGINT" => kill_process(server, Signal::INT)?,
            _ => agent.leave(),
        }
        let (code, complaints) = agent.ended().await?;
        ensure!(code == Some(0), "{ending}: {code:?} {complaints}");
        ensure!(complaints.is_empty(), "{ending}: {complaints}");
        person.once(id, |batch| batch.away && batch.outcome.is_none()).await?;
        let mut back = Agent::start(&home, "test", &[]).await?;
        let call = back.call("ask_user", go()).await?;
        person.once(id, |batch| !batch.away).await?;
        person.selects(id, "Staging").await?;
        ensure!(went(&back.result(call).await?) == "Staging", "{ending}");
        person.once(id, |batch| batch.delivered_at.is_some()).await?;
    }
    person.asked(3).await?;
    Ok(())
}
