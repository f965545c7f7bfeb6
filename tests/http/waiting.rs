//! `GET /v1/batches/{id}/outcome?wait=`, and taking the outcome.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};

use crate::{Desk, target};

#[tokio::test]
async fn a_pending_batch_is_204_at_once_and_after_the_wait() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    for query in ["", "?wait=0", "?wait="] {
        let line = format!("GET /v1/batches/1/outcome{query}");
        assert_eq!(owner.call(&line, Value::Null).await?.expect(204)?, Value::Null, "{query}");
    }
    let before = Instant::now();
    owner.call("GET /v1/batches/1/outcome?wait=0.3", Value::Null).await?.expect(204)?;
    assert!(before.elapsed() >= Duration::from_millis(300));
    let line = "GET /v1/batches/1/outcome?wait=soon";
    let error = owner.call(line, Value::Null).await?.refused(422, "invalid")?;
    assert_eq!(error["problems"][0]["path"], "wait");
    let line = "GET /v1/batches/9/outcome?wait=1";
    owner.call(line, Value::Null).await?.refused(404, "not_found")?;
    Ok(())
}

#[tokio::test]
async fn every_waiter_gets_the_outcome_and_so_does_who_comes_later() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    let line = "GET /v1/batches/1/outcome?wait=60";
    let mut waiting = vec![];
    for _ in 0..8 {
        let mut connection = owner.connect().await?;
        connection.send(line, Value::Null).await?;
        waiting.push(connection);
    }
    // Attached: the session's agent counts as there.
    askdock_tests::until::until("nobody waits", async || {
        let sessions = desk.person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
        Ok((sessions[0]["connected"] == true).then_some(()))
    })
    .await?;
    let answer = target("staging");
    let outcome = desk.person.call("POST /v1/batches/1/answer", answer).await?.expect(200)?;
    for mut connection in waiting {
        assert_eq!(connection.response().await?.expect(200)?, outcome);
    }
    assert_eq!(owner.call(line, Value::Null).await?.expect(200)?, outcome);
    Ok(())
}

#[tokio::test]
async fn an_outcome_is_kept_until_it_is_acknowledged() -> Result<()> {
    let desk = Desk::open().await?;
    // Not waited for: the asker's connection is gone when this returns.
    let asked = desk.asked(json!({ "resume": true })).await?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    owner.call("POST /v1/batches/1/ack", json!({})).await?.refused(422, "invalid")?;
    let answer = target("staging");
    let outcome = desk.person.call("POST /v1/batches/1/answer", answer).await?.expect(200)?;
    let mut body = crate::deploy();
    body["resume"] = true.into();
    let again = owner.call("POST /v1/batches", body.clone()).await?.expect(200)?;
    assert_eq!([&again["number"], &again["outcome"]], [&json!(1), &outcome]);
    owner.call("POST /v1/batches/1/ack", json!({})).await?.expect(200)?;
    assert_eq!(owner.call("POST /v1/batches", body).await?.expect(201)?["number"], 2);
    Ok(())
}
