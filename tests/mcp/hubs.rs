//! Hubs that die, quit and come back while an agent waits.

use anyhow::{Result, ensure};
use askdock_tests::agent::Agent;
use askdock_tests::home::Home;
use askdock_tests::person::{Person, go, went};
use askdock_wire::ops::{HubQuit, NoFields};
use serde_json::json;

#[tokio::test]
async fn a_call_outlives_killed_hubs_and_completes_once() -> Result<()> {
    let home = Home::new()?;
    let mut hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    for _ in 0..3 {
        hub.kill().await?;
        hub = home.serve().await?;
        person.once(&batch.id, |batch| !batch.away).await?;
    }
    person.selects(&batch.id, "Staging").await?;
    ensure!(went(&agent.result(call).await?) == "Staging");
    person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    let ping = agent.request("ping", json!({})).await?;
    agent.result(ping).await?;
    ensure!(agent.unread().next().is_none(), "a second response");
    person.asked(1).await?;
    Ok(())
}

#[tokio::test]
async fn a_call_outlives_a_hub_that_was_quit_and_starts_none() -> Result<()> {
    let home = Home::new()?;
    let hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    person.client.call::<HubQuit>(&NoFields {}).await?;
    hub.ended().await?;
    // It still serves its client, and leaves the hub to the person.
    let ping = agent.request("ping", json!({})).await?;
    agent.result(ping).await?;
    ensure!(person.client.reach().await.is_err(), "the waiting agent started a hub");
    let _hub = home.serve().await?;
    person.once(&batch.id, |batch| !batch.away).await?;
    person.selects(&batch.id, "Staging").await?;
    ensure!(went(&agent.result(call).await?) == "Staging");
    Ok(())
}

#[tokio::test]
async fn an_answer_given_to_a_new_hub_before_the_agent_is_back_arrives() -> Result<()> {
    let home = Home::new()?;
    let hub = home.serve().await?;
    let person = Person::at(&home);
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let batch = person.only().await?;
    hub.kill().await?;
    let _hub = home.serve().await?;
    // The race that a restart is: whoever is first.
    person.selects(&batch.id, "Production").await?;
    ensure!(went(&agent.result(call).await?) == "Production");
    person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    Ok(())
}

#[tokio::test]
async fn a_new_ask_starts_a_hub_and_says_so() -> Result<()> {
    let home = Home::new()?;
    let mut agent = Agent::start(&home, "test", &[]).await?;
    let call = agent.call("ask_user", go()).await?;
    let result = agent.result(call).await;
    agent.leave();
    let ended = agent.ended().await;
    // Before anything can fail: nobody else ends this hub.
    Person::at(&home).client.call::<HubQuit>(&NoFields {}).await?;
    let (code, said) = ended?;
    ensure!(said == "askdock: No Askdock hub is running; starting `askdock serve`.\n", "{said:?}");
    ensure!(code == Some(0));
    let result = result?;
    // It ran, and nobody was there.
    ensure!(result["structuredContent"]["error"]["code"] == "no_person", "{result}");
    Ok(())
}
