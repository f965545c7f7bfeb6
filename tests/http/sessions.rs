//! Sessions and their messages.

use anyhow::Result;
use serde_json::{Value, json};

use crate::Desk;

#[tokio::test]
async fn sessions_are_listed_with_what_waits_in_them() -> Result<()> {
    let desk = Desk::open().await?;
    let named =
        json!({ "id": "chat-7", "agent": "robot", "folder": "/code/shop", "branch": "main" });
    desk.asked(json!({ "session": named })).await?;
    desk.asked(json!({ "session": { "agent": "robot", "folder": "/code/shop" } })).await?;
    desk.asked(json!({ "session": { "agent": "robot", "folder": "/code/shop" } })).await?;
    let list = desk.person.call("GET /v1/sessions", Value::Null).await?.expect(200)?;
    let list = list.as_array().cloned().unwrap_or_default();
    // Client and folder are one session, however often it asks.
    assert_eq!(list.len(), 2, "{list:?}");
    let chat = list.iter().find(|one| one["id"] == "chat-7").cloned().unwrap_or_default();
    assert_eq!([&chat["agent"], &chat["title"], &chat["branch"]], ["robot", "shop", "main"]);
    let waiting = |one: &Value| one["pending"].as_u64().zip(one["away"].as_u64());
    assert_eq!(waiting(&chat).map(|(pending, away)| pending + away), Some(1));
    Ok(())
}

#[tokio::test]
async fn a_message_is_posted_once_and_taken_once() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    let line = "POST /v1/sessions/s/messages";
    let told = owner.call(line, json!({ "text": "Building.", "key": "m1" })).await?.expect(200)?;
    assert_eq!([&told["author"], &told["text"]], ["agent", "Building."]);
    let again = owner.call(line, json!({ "text": "Building.", "key": "m1" })).await?.expect(200)?;
    assert_eq!(again["id"], told["id"]);
    // A message never answers a question, whatever it says.
    let typed = desk.person.call(line, json!({ "text": "Staging" })).await?.expect(200)?;
    assert_eq!([&typed["author"], &typed["delivered_at"]], [&json!("person"), &Value::Null]);
    let batch = desk.person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
    assert_eq!(batch["status"], "pending");
    let take = "GET /v1/sessions/s/messages?take=1";
    let taken = owner.call(take, Value::Null).await?.expect(200)?;
    assert_eq!([&taken[0]["text"], &taken[1]], [&json!("Staging"), &Value::Null]);
    assert_eq!(owner.call(take, Value::Null).await?.expect(200)?, json!([]));

    let blank = owner.call(line, json!({ "text": " " })).await?.refused(422, "invalid")?;
    assert_eq!(blank["problems"][0]["path"], "text");
    let nowhere = "POST /v1/sessions/nowhere/messages";
    owner.call(nowhere, json!({ "text": "x" })).await?.refused(404, "not_found")?;
    Ok(())
}

#[tokio::test]
async fn closing_a_session_withdraws_what_it_asks() -> Result<()> {
    let desk = Desk::open().await?;
    let asked = desk.asked(json!({})).await?;
    let owner = desk.agent.clone().owning(&asked["session_secret"]);
    owner.call("POST /v1/sessions/s/close", json!({})).await?.expect(200)?;
    let line = "GET /v1/batches/1/outcome";
    let outcome = owner.call(line, Value::Null).await?.expect(200)?;
    assert_eq!([&outcome["status"], &outcome["reason"]], ["cancelled", "session_closed"]);
    Ok(())
}
