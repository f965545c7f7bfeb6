//! The same call again, and calls that only look the same.

use anyhow::{Result, ensure};
use askdock_tests::agent::Agent;
use askdock_tests::home::Home;
use askdock_tests::person::{Person, go, went};
use serde_json::{Value, json};

#[tokio::test]
async fn an_answer_given_while_the_agent_is_away_waits_for_it() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let call_id = json!({ "claudecode/toolUseId": "toolu_1" });
    let mut agent = Agent::start(&home, "claude-code", &[]).await?;
    agent.call_with("ask_user", go(), call_id.clone()).await?;
    let batch = person.only().await?;
    drop(agent);
    person.once(&batch.id, |batch| batch.away).await?;
    person.selects(&batch.id, "Staging").await?;
    let mut back = Agent::start(&home, "claude-code", &[]).await?;
    let call = back.call_with("ask_user", go(), call_id).await?;
    let result = back.result(call).await?;
    ensure!(went(&result) == "Staging", "{result}");
    ensure!(result["structuredContent"]["batch"] == batch.id, "{result}");
    person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    // Collected: the same words are a new question now.
    back.call("ask_user", go()).await?;
    person.asked(2).await?;
    Ok(())
}

#[tokio::test]
async fn two_live_calls_are_two_questions_whatever_they_share() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "claude-code", &[]).await?;
    let call_id = json!({ "claudecode/toolUseId": "toolu_1" });
    for (round, meta) in [json!({}), call_id].into_iter().enumerate() {
        let first = agent.call_with("ask_user", go(), meta.clone()).await?;
        let second = agent.call_with("ask_user", go(), meta).await?;
        let batches = person.asked(2 * round + 2).await?;
        let [.., one, other] = batches.as_slice() else { unreachable!("there are two") };
        person.selects(&one.id, "Staging").await?;
        person.selects(&other.id, "Production").await?;
        let mut went_to: Vec<Value> = vec![];
        for call in [first, second] {
            went_to.push(went(&agent.result(call).await?).clone());
        }
        went_to.sort_by_key(Value::to_string);
        ensure!(went_to == ["Production", "Staging"], "{went_to:?}");
        for batch in [one, other] {
            person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_key_of_the_agents_own_brings_the_outcome_again() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let mut keyed = go();
    keyed["request_id"] = "deploy-1".into();
    let call = agent.call("ask_user", keyed.clone()).await?;
    let batch = person.only().await?;
    person.selects(&batch.id, "Staging").await?;
    let first = agent.result(call).await?;
    person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    let again = agent.call("ask_user", keyed.clone()).await?;
    let second = agent.result(again).await?;
    ensure!(second == first, "{second}");
    keyed["questions"][0]["question"] = "Go elsewhere?".into();
    let other = agent.call("ask_user", keyed).await?;
    let result = agent.result(other).await?;
    ensure!(result["isError"] == true, "{result}");
    ensure!(result["structuredContent"]["error"]["code"] == "key_conflict", "{result}");
    person.asked(1).await?;
    Ok(())
}

#[tokio::test]
async fn a_restarted_agent_waits_on_for_what_it_asked_before() -> Result<()> {
    let home = Home::new()?;
    let _hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    drop(agent);
    let mut back = Agent::start(&home, "test", &[]).await?;
    let call = back.call("wait_for_answer", json!({ "batch": "#1" })).await?;
    person.selects(&batch.id, "Staging").await?;
    ensure!(went(&back.result(call).await?) == "Staging");
    // Another client in the same folder is another session.
    let mut other = Agent::start(&home, "another", &[]).await?;
    let call = other.call("wait_for_answer", json!({ "batch": "#1" })).await?;
    let result = other.result(call).await?;
    ensure!(result["structuredContent"]["error"]["code"] == "forbidden", "{result}");
    Ok(())
}
