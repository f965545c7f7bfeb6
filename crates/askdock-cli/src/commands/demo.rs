//! `demo`: a scripted agent that goes the way of every agent.

use askdock_client::Paths;
use askdock_wire::AskRequest;
use askdock_wire::ops::{MessagePost, MessagePostRequest, SessionOpen, SessionOpenRequest};
use serde_json::json;

use super::{connect, outcome};
use crate::exit::Exit;
use crate::output::say;

pub(super) async fn demo(paths: Paths) -> anyhow::Result<Exit> {
    let client = connect::as_new_asker(paths);
    client.ensure_hub().await?;
    let session = askdock_wire::SessionRef {
        id: Some("demo".into()),
        title: Some("Demo".into()),
        agent: Some("Demo agent".into()),
        ..Default::default()
    };
    let opened =
        client.call::<SessionOpen>(&SessionOpenRequest { session: session.clone() }).await?;
    if let Some(secret) = &opened.session_secret {
        client.show_secret(secret);
    }
    let message = MessagePostRequest {
        session: opened.session.id,
        text: "The build is green and 42 tests pass. Before I deploy I need three decisions."
            .into(),
        key: None,
    };
    client.call::<MessagePost>(&message).await?;
    let asked = client.ask(AskRequest { session, ..questions()? }).await?;
    say(&format!(
        "A demo agent asked you three questions as #{0}. Answer them in the app, from the \
         notification, or in another terminal: askdock answer {0}",
        asked.number
    ));
    say("This is what the agent gets:");
    outcome::await_and_print(&client, &asked.id, &asked.number.to_string(), true).await
}

fn questions() -> Result<AskRequest, serde_json::Error> {
    AskRequest::from_body(json!({ "wait_for_person": true, "input": {
        "context": "The release is built and waits for your decision.",
        "questions": [
            {
                "id": "target",
                "header": "Target",
                "question": "Where should the release go first?",
                "options": [
                    {"id": "staging", "label": "Staging (Recommended)",
                     "description": "Same data as last night, nobody notices"},
                    {"id": "production", "label": "Production",
                     "description": "Live for everyone at once"},
                ],
            },
            {
                "id": "checks",
                "header": "Checks",
                "question": "Which checks should run before it?",
                "multi_select": true,
                "options": ["Smoke tests", "Load test", "Accessibility"],
            },
            {
                "id": "window",
                "header": "Window",
                "question": "When may production be touched?",
                "options": ["Now", "After 18:00", "Tomorrow morning"],
                "show_when": {"question": "target", "options": ["production"]},
            },
        ],
    }}))
}
