//! Tokens and session secrets.

use anyhow::Result;
use askdock_tests::http::Caller;
use serde_json::{Value, json};

use crate::{Desk, staging};

/// What only the person may do.
fn persons_own() -> Vec<(&'static str, Value)> {
    vec![
        ("POST /v1/batches/1/answer", staging()),
        ("POST /v1/batches/1/answer", json!({ "reply": "1" })),
        ("POST /v1/batches/1/dismiss", json!({})),
        ("POST /v1/batches/1/ask-back", json!({ "message": "Which?" })),
        ("PUT /v1/batches/1/draft", json!({ "draft": { "step": 1 } })),
        ("POST /v1/batches/1/activity", json!({})),
        ("POST /v1/batches/1/extend", json!({ "seconds": 60 })),
        ("GET /v1/sessions", Value::Null),
        ("PATCH /v1/sessions/s", json!({ "title": "mine" })),
        ("DELETE /v1/sessions/s", Value::Null),
        ("GET /v1/settings", Value::Null),
        ("PATCH /v1/settings", json!({ "notifications": false })),
        ("GET /v1/snapshot", Value::Null),
        ("GET /v1/events", Value::Null),
        ("POST /v1/window/open", json!({})),
        ("POST /v1/hub/handover", json!({})),
        ("POST /v1/hub/quit", json!({})),
    ]
}

#[tokio::test]
async fn the_agents_token_answers_nothing() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    for (line, body) in persons_own() {
        // Not even for what it asked itself.
        let error = desk.owner.call(line, body).await?.refused(403, "forbidden")?;
        assert_eq!(error["message"], "Only the person may do this.", "{line}");
    }
    before.unchanged(&desk.home)?;
    // The same answer of the person's is fine.
    desk.person.call("POST /v1/batches/1/answer", staging()).await?.expect(200)?;
    assert!(before.unchanged(&desk.home).is_err(), "this is what a change looks like");
    Ok(())
}

#[tokio::test]
async fn without_a_known_token_nothing_but_health_answers() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    let nobody = Caller::nobody(&desk.home)?;
    let token = std::fs::read_to_string(desk.home.path().join("person.token"))?;
    let token = token.trim();
    let garbage = [
        String::new(),
        "authorization: Bearer".into(),
        "authorization: Bearer garbage".into(),
        format!("authorization: Bearer {}", "0".repeat(64)),
        format!("authorization: Bearer {}", &token[..63]),
        format!("authorization: Bearer {token}0"),
        format!("authorization: Bearer {}", token.to_uppercase().replace(char::is_numeric, "1")),
        format!("authorization: Basic {token}"),
        format!("authorization: {token}"),
        format!("x-token: {token}"),
    ];
    let agents_too = [
        ("POST /v1/batches", crate::go()),
        ("GET /v1/batches/1", Value::Null),
        ("GET /v1/batches/1/outcome?wait=60", Value::Null),
        ("GET /v1/batches?session=s", Value::Null),
        ("POST /v1/batches/1/cancel", json!({})),
        ("POST /v1/sessions/s/messages", json!({ "text": "x" })),
    ];
    for header in &garbage {
        let caller = if header.is_empty() { nobody.clone() } else { nobody.clone().with(header) };
        for (line, body) in persons_own().into_iter().chain(agents_too.clone()) {
            caller.call(line, body).await?.refused(401, "unauthorized")?;
        }
        caller.call("GET /v1/health", Value::Null).await?.expect(200)?;
    }
    // In the address it opens nothing either.
    let line = format!("GET /v1/sessions?token={token}&access_token={token}");
    nobody.call(&line, Value::Null).await?.refused(401, "unauthorized")?;
    before.unchanged(&desk.home)
}

#[tokio::test]
async fn an_agent_sees_no_other_session() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.agent.call("POST /v1/batches", json!({ "session": "other", "question": "?" }));
    let other = desk.agent.clone().owning(&asked.await?.expect(201)?["session_secret"]);
    askdock_tests::until::until("the other never counted as away", async || {
        let batch = desk.person.call("GET /v1/batches/2", Value::Null).await?.expect(200)?;
        Ok((batch["away"] == true).then_some(()))
    })
    .await?;
    let before = desk.records()?;
    let id = desk.asked["id"].as_str().unwrap_or_default();
    let begin = json!({ "turn": "t" });
    let wrong = desk.agent.clone().owning(&json!("0".repeat(64)));
    for caller in [&other, &desk.agent, &wrong] {
        for (line, body) in [
            ("GET /v1/batches", Value::Null),
            ("GET /v1/batches?status=all", Value::Null),
            ("GET /v1/batches?session=s", Value::Null),
            ("GET /v1/batches/1", Value::Null),
            (&format!("GET /v1/batches/{id}"), Value::Null),
            ("GET /v1/batches/1/outcome?wait=60", Value::Null),
            ("POST /v1/batches/1/cancel", json!({})),
            ("POST /v1/batches/1/ack", json!({})),
            ("GET /v1/sessions/s", Value::Null),
            ("POST /v1/sessions/s/close", json!({})),
            ("GET /v1/sessions/s/messages", Value::Null),
            ("GET /v1/sessions/s/messages?take=1", Value::Null),
            ("POST /v1/sessions/s/messages", json!({ "text": "x" })),
            ("POST /v1/sessions/s/turns", begin.clone()),
        ] {
            let error = caller.call(line, body).await?.refused(403, "forbidden")?;
            assert!(!error.to_string().contains("Go where"), "{line}: {error}");
        }
    }
    before.unchanged(&desk.home)?;
    // With its secret it sees its own, and only that.
    for line in ["GET /v1/batches/1", "GET /v1/sessions/s", "GET /v1/batches?session=s"] {
        desk.owner.call(line, Value::Null).await?.expect(200)?;
    }
    desk.owner.call("GET /v1/batches/2", Value::Null).await?.refused(403, "forbidden")?;
    Ok(())
}

#[tokio::test]
async fn another_wire_version_is_refused_with_a_sentence() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    for version in ["0", "2", "x", ""] {
        let other = desk.person.clone().with(&format!("askdock-wire: {version}"));
        let error = other.call("POST /v1/batches/1/answer", staging()).await?;
        let error = error.refused(426, "wire_version")?;
        let said = error["message"].as_str().unwrap_or_default();
        assert!(said.contains("wire version 1"), "{said}");
        other.call("GET /v1/health", Value::Null).await?.expect(200)?;
    }
    before.unchanged(&desk.home)?;
    // A program of another release reads it in the discovery file, before it connects.
    let file = desk.home.paths().hub_file();
    let hub = std::fs::read_to_string(&file)?;
    std::fs::write(
        &file,
        hub.replace("\"wire\":1", "\"wire\":2").replace("\"wire\": 1", "\"wire\": 2"),
    )?;
    let ran = desk.home.run(&["answer", "1", "Staging", "--json"]).await?;
    assert_eq!((ran.code, &ran.json()?["error"]["code"]), (Some(1), &json!("wire_version")));
    before.unchanged(&desk.home)
}
