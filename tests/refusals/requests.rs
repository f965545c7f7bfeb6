//! Requests that can't be read, are too large, or go nowhere; answers to something else.

use anyhow::Result;
use askdock_tests::http::JSON;
use serde_json::{Value, json};

use crate::{Desk, staging};

#[tokio::test]
async fn what_is_not_json_is_not_guessed() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    let line = "POST /v1/batches/1/answer";
    for body in [r#"{"answers": {"go": "Sta"#, "{} {}", "Staging", "{'answers': 1}", "\u{feff}{"] {
        let response = desk.person.call_raw(line, JSON, body).await?;
        let error = response.refused(422, "invalid")?;
        assert_eq!(error["problems"][0]["code"], "not_json", "{body}");
    }
    for body in ["[]", "7", "\"Staging\""] {
        desk.person.call_raw(line, JSON, body).await?.refused(422, "invalid")?;
    }
    // Other content types are what a web page can send without asking.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let kind = format!("content-type: {kind}");
        for line in [line, "POST /v1/batches"] {
            let response = desk.person.call_raw(line, &kind, &staging().to_string()).await?;
            let error = response.refused(422, "invalid")?;
            let said = error["message"].as_str().unwrap_or_default();
            assert!(said.contains("application/json"), "{said}");
        }
    }
    before.unchanged(&desk.home)
}

#[tokio::test]
async fn what_is_too_large_is_413_with_its_limit() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    let mib = 1024 * 1024;
    let large = json!({ "session": "s", "question": "x".repeat(mib) });
    let error = desk.agent.call("POST /v1/batches", large).await?.refused(413, "too_large")?;
    let said = error["message"].as_str().unwrap_or_default();
    assert!(said.contains("1048576"), "{said}");
    // More than is even read, for the agent and for the person.
    for (caller, line, size) in [
        (&desk.agent, "POST /v1/batches", 2 * mib),
        (&desk.person, "POST /v1/batches/1/answer", 17 * mib),
    ] {
        let body = json!({ "answers": { "go": { "text": "x".repeat(size) } } });
        caller.call(line, body).await?.refused(413, "too_large")?;
    }
    before.unchanged(&desk.home)
}

#[tokio::test]
async fn what_is_not_there_is_404_in_json() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    for line in [
        "GET /",
        "GET /v1",
        "GET /v2/batches",
        "POST /v1/batches/1/approve",
        "GET /v1/batches/1/answer",
        "DELETE /v1/batches/1",
        "GET /v1/batches/%00",
        "GET /v1/batches/99999999999999999999",
        "GET /v1/batches/-1",
        "GET /v1/batches/1;DROP%20TABLE%20batches",
        "GET /v1/sessions/nobody",
        "OPTIONS /v1/batches",
    ] {
        desk.person.call(line, Value::Null).await?.refused(404, "not_found")?;
    }
    before.unchanged(&desk.home)
}

#[tokio::test]
async fn an_answer_to_other_content_is_refused() -> Result<()> {
    let desk = Desk::open().await?;
    let before = desk.records()?;
    for hash in ["", "other", &"0".repeat(64)] {
        for (end, mut body) in [("answer", staging()), ("dismiss", json!({}))] {
            body["content_hash"] = hash.into();
            let line = format!("POST /v1/batches/1/{end}");
            desk.person.call(&line, body).await?.refused(409, "stale_content")?;
        }
    }
    before.unchanged(&desk.home)?;
    let mut body = staging();
    body["content_hash"] = desk.asked["content_hash"].clone();
    desk.person.call("POST /v1/batches/1/answer", body).await?.expect(200)?;
    Ok(())
}
