//! `GET /v1/events`: a snapshot, then numbered changes.

use anyhow::Result;
use serde_json::{Value, json};

use crate::{Desk, target};

#[tokio::test]
async fn a_snapshot_comes_first_then_rising_numbers() -> Result<()> {
    let desk = Desk::open().await?;
    desk.asked(json!({})).await?;
    let mut events = follow(&desk, "").await?;
    let snapshot = events.next().await?;
    assert_eq!(snapshot.kind, "snapshot");
    assert_eq!(snapshot.data["data"]["pending"][0]["number"], 1);
    assert_eq!(snapshot.data["data"]["seq"], snapshot.id);

    desk.person.call("POST /v1/batches/1/answer", target("staging")).await?.expect(200)?;
    let ended = events.next_of("batch").await?;
    assert!(ended.id > snapshot.id, "{} after {}", ended.id, snapshot.id);
    assert_eq!([&ended.data["seq"], &ended.data["type"]], [&json!(ended.id), &json!("batch")]);
    assert_eq!(ended.data["data"]["outcome"]["status"], "answered");
    let session = events.next_of("session").await?;
    assert!(session.id > ended.id, "{} after {}", session.id, ended.id);
    assert_eq!([&session.data["data"]["answered"], &session.data["data"]["pending"]], [1, 0]);
    Ok(())
}

#[tokio::test]
async fn a_reader_goes_on_after_the_last_event_that_it_saw() -> Result<()> {
    let desk = Desk::open().await?;
    let seen = follow(&desk, "").await?.next().await?.id;
    // Nobody follows while these happen.
    desk.asked(json!({})).await?;
    desk.person.call("POST /v1/batches/1/dismiss", json!({})).await?.expect(200)?;
    let mut resumed = follow(&desk, &format!("?after={seen}")).await?;
    let batch = resumed.next_of("batch").await?;
    // Once, as it is now, and no snapshot before it.
    assert_eq!(batch.data["data"]["outcome"]["status"], "dismissed");
    let last = resumed.next_of("session").await?.id;
    let by_header = desk.person.clone().with(&format!("last-event-id: {last}"));
    let mut connection = by_header.connect().await?;
    connection.send("GET /v1/events", Value::Null).await?;
    let mut events = connection.events().await?;
    desk.asked(json!({})).await?;
    let batch = events.next().await?;
    assert!(batch.id > last && batch.kind != "snapshot", "{batch:?}");
    Ok(())
}

#[tokio::test]
async fn a_number_that_the_hub_never_gave_starts_over() -> Result<()> {
    let desk = Desk::open().await?;
    desk.asked(json!({})).await?;
    let mut events = follow(&desk, "?after=999999").await?;
    assert_eq!(events.next().await?.kind, "snapshot");
    let line = "GET /v1/events?after=yesterday";
    desk.person.call(line, Value::Null).await?.refused(422, "invalid")?;
    desk.agent.call("GET /v1/events", Value::Null).await?.refused(403, "forbidden")?;
    Ok(())
}

async fn follow(desk: &Desk, query: &str) -> Result<askdock_tests::http::Events> {
    let mut connection = desk.person.connect().await?;
    connection.send(&format!("GET /v1/events{query}"), Value::Null).await?;
    connection.events().await
}
