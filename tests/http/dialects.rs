//! The outcome comes back in the dialect of the ask.

use anyhow::Result;
use serde_json::{Value, json};

use crate::Desk;

async fn outcome(desk: &Desk, ask: Value, end: &str, body: Value) -> Result<Value> {
    let asked = desk.agent.call("POST /v1/batches", ask).await?.expect(201)?;
    let line = format!("POST /v1/batches/{}/{end}", asked["number"]);
    desk.person.call(&line, body).await?.expect(200)?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    let line = format!("GET /v1/batches/{}/outcome?wait=10", asked["number"]);
    owner.call(&line, Value::Null).await?.expect(200)
}

#[tokio::test]
async fn openclaw() -> Result<()> {
    let desk = Desk::open().await?;
    let ask = json!({ "dialect": "openclaw", "session": "s", "questions": [
        { "id": "c", "header": "Colour", "question": "Which colour?",
          "options": [{ "label": "Red" }, { "label": "Blue" }] },
        { "id": "n", "header": "Names", "question": "Which names?", "multiSelect": true,
          "options": [{ "label": "A" }, { "label": "B" }] },
    ] });
    let answers = json!({ "answers": { "c": { "text": "Green" },
        "n": { "selected": ["A", "B"], "text": "C" } } });
    let answered = outcome(&desk, ask.clone(), "answer", answers).await?;
    let expected = json!({ "c": ["Green"], "n": ["A", "B", "C"] });
    assert_eq!(answered, json!({ "status": "answered", "answers": { "answers": expected } }));
    let dismissed = outcome(&desk, ask.clone(), "dismiss", json!({})).await?;
    assert_eq!(dismissed, json!({ "status": "no_answer" }));
    let cancelled = outcome(&desk, ask, "cancel", json!({})).await?;
    assert_eq!(cancelled, json!({ "status": "no_answer" }));
    Ok(())
}

#[tokio::test]
async fn jcode() -> Result<()> {
    let desk = Desk::open().await?;
    let ask = json!({ "dialect": "jcode", "sessionId": "child", "ownerSessionId": "parent",
        "teammate": "reviewer", "questions": [
            { "id": "deploy", "question": "Deploy?", "options": [{ "label": "Yes" }, { "label": "No" }] },
            { "question": "Where?", "showWhen": { "question": "deploy", "options": ["Yes"] } },
            { "question": "Why not?",
              "showWhen": { "question": "deploy", "options": ["Yes"], "not": true } },
    ] });
    let answers = json!({ "answers": { "deploy": "No", "2": { "text": "Not ready" } } });
    let answered = outcome(&desk, ask, "answer", answers).await?;
    let expected = json!({ "answers": [{ "selected": ["No"] }, {}, { "text": "Not ready" }] });
    assert_eq!(answered, expected);
    let batch = desk.person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    assert_eq!([&batch["session"], &batch["teammate"]], ["child", "reviewer"]);
    Ok(())
}

#[tokio::test]
async fn with_full_both_forms_come() -> Result<()> {
    let desk = Desk::open().await?;
    let ask = json!({ "dialect": "openclaw", "session": "s",
        "questions": [{ "id": "c", "question": "Which?", "options": ["Red", "Blue"] }] });
    outcome(&desk, ask, "answer", json!({ "answers": { "c": "Red" } })).await?;
    let line = "GET /v1/batches/1/outcome?full=1";
    let both = desk.person.call(line, Value::Null).await?.expect(200)?;
    assert_eq!(both["outcome"]["status"], "answered");
    assert_eq!(both["asked_form"]["answers"]["answers"]["c"], json!(["Red"]));
    Ok(())
}
