//! The desktop app as a whole: the real window on a display of its own.

mod demo;
mod dock;
mod elsewhere;
mod killed;
mod lifetime;
mod notifications;
mod notifiers;
mod screenshots;
mod story;
mod stray_keys;
mod tray;
mod window;

use anyhow::Result;
use askdock_client::Role;
use askdock_tests::desktop::Page;
use askdock_tests::home::Home;
use askdock_wire::{AskRequest, AskResponse};
use serde_json::{Value, json};

/// Asks as an agent.
async fn ask(home: &Home, questions: Value) -> Result<AskResponse> {
    let request = AskRequest::from_body(json!({ "questions": questions }))?;
    Ok(home.client(Role::Agent).ask(request).await?)
}

/// One choice between staging and production.
fn deploy_target() -> Value {
    json!([{
        "id": "target", "header": "Deploy target", "question": "Where should it go?",
        "options": [{ "id": "staging", "label": "Staging" }, { "id": "prod", "label": "Production" }],
    }])
}

/// Waits until the dock shows the batch and takes clicks and keys.
async fn dock_is_ready(page: &Page, batch: &AskResponse) -> Result<()> {
    let dock = format!("[data-testid=dock][data-batch='{}'][data-ready=true]", batch.id);
    page.find(&dock).await.map(|_| ())
}
