//! HTTP over the Unix socket as scripts and other programs rely on it: routes, status codes,
//! bodies, errors and events. Changing what is checked here is a breaking change.

use askdock_tests::home::{Home, HubProcess};
use askdock_tests::http::Caller;
use serde_json::{Value, json};

mod asking;
mod dialects;
mod document;
mod drafts;
mod ending;
mod events;
mod sessions;
mod timeouts;
mod waiting;

/// A hub with its two kinds of callers.
struct Desk {
    person: Caller,
    agent: Caller,
    home: Home,
    _hub: HubProcess,
}

impl Desk {
    async fn open() -> anyhow::Result<Self> {
        let home = Home::new()?;
        let hub = home.serve().await?;
        let (person, agent) = (Caller::person(&home)?, Caller::agent(&home)?);
        Ok(Self { person, agent, home, _hub: hub })
    }

    /// Asks [`deploy`], with these fields beside it, and returns what the hub says of it.
    async fn asked(&self, fields: Value) -> anyhow::Result<Value> {
        let mut body = deploy();
        if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
            body.extend(fields);
        }
        self.agent.call("POST /v1/batches", body).await?.expect(201)
    }
}

/// A batch of two questions.
fn deploy() -> Value {
    json!({ "session": "s", "questions": [
        { "id": "target", "header": "Deploy to", "question": "Where should it go?",
          "options": [{ "label": "Staging (Recommended)" }, { "label": "Production" }] },
        { "id": "why", "question": "Why there?",
          "show_when": { "question": "target", "options": ["Production"] } },
    ] })
}

/// The answer that selects `label` as the target.
fn target(label: &str) -> Value {
    json!({ "answers": { "target": { "selected": [label] } } })
}
