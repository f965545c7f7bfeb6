//! `PUT /v1/batches/{id}/draft`.

use anyhow::Result;
use serde_json::{Value, json};

use crate::{Desk, target};

#[tokio::test]
async fn a_draft_says_what_is_shown_and_what_is_missing() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let line = "PUT /v1/batches/1/draft";
    let draft =
        |option: &str| json!({ "step": 1, "answers": { "target": { "selected": [option] } } });
    let body = json!({ "draft": draft("production"), "draft_rev": 0 });
    let saved = desk.person.call(line, body.clone()).await?.expect(200)?;
    assert_eq!([&saved["draft_rev"], &saved["visible"]], [&json!(1), &json!([true, true])]);
    assert_eq!(saved["problems"][0]["path"], "answers.why");
    // Based on what is no longer the newest.
    desk.person.call(line, body).await?.refused(409, "stale_draft")?;
    let body = json!({ "draft": draft("staging"), "draft_rev": 1 });
    let saved = desk.person.call(line, body).await?.expect(200)?;
    assert_eq!([&saved["draft_rev"], &saved["visible"]], [&json!(2), &json!([true, false])]);
    assert_eq!(saved["problems"], json!([]));

    let batch = desk.person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    assert_eq!([&batch["draft_rev"], &batch["draft"]["step"]], [2, 1]);
    assert_eq!(batch["content_hash"], asked["content_hash"]);
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    let seen = owner.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    assert_eq!(seen["draft"], Value::Null, "drafts are the person's alone");

    desk.person.call("POST /v1/batches/1/answer", target("staging")).await?.expect(200)?;
    let body = json!({ "draft": draft("staging") });
    let late = desk.person.call(line, body).await?.refused(409, "already_ended")?;
    assert_eq!(late["outcome"]["status"], "answered");
    Ok(())
}
