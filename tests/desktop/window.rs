//! Asking and answering in the window.

use anyhow::Result;
use askdock_client::Role;
use askdock_tests::desktop::{App, Display};
use askdock_tests::home::Home;
use askdock_wire::BatchStatus;

use crate::{ask, deploy_target, dock_is_ready};

#[tokio::test]
async fn an_answer_given_in_the_dock_reaches_the_agent() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    let agent = home.client(Role::Agent);
    let batch = ask(&home, deploy_target()).await?;
    agent.show_secret(&batch.session_secret);

    app.open(Some(&batch.id)).await?;
    dock_is_ready(&page, &batch).await?;
    display.screenshot("dock").await?;
    let question = page.text("[data-testid=dock-question] [role=heading]").await?;
    assert_eq!(question, "Where should it go?");
    page.click("[data-testid=option][data-option=prod]").await?;
    page.click("[data-testid=submit]").await?;

    let outcome = agent.wait(&batch.id).await?.outcome.unwrap();
    assert_eq!(outcome.status, BatchStatus::Answered);
    assert_eq!(outcome.responder.via, "dock");
    assert_eq!(outcome.answers["target"].selected[0].id, "prod");
    Ok(())
}

#[tokio::test]
async fn the_page_has_only_what_its_capability_names() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    page.find("#app > *").await?;

    let denied = page
        .run(
            "return Promise.all(['plugin:event|emit', 'plugin:window|close', 'plugin:shell|open',
                 'plugin:webview|create_webview_window', 'plugin:path|resolve'].map((command) =>
                 window.__TAURI_INTERNALS__.invoke(command, {}).then(() => command, () => null)))",
        )
        .await?;
    assert_eq!(denied, serde_json::json!([null, null, null, null, null]));

    let page_elsewhere = page
        .run(
            "location.href = 'https://example.org/'; return new Promise((done) =>
                 requestAnimationFrame(() => requestAnimationFrame(() => done(location.href))))",
        )
        .await?;
    assert_eq!(page_elsewhere, "tauri://localhost");
    let fetched = page
        .run(
            "return fetch('http://127.0.0.1:1/').then(() => 'sent', (error) => error.name)
                 .then((how) => [how, typeof window.__TAURI__, Object.isFrozen(Object.prototype)])",
        )
        .await?;
    assert_eq!(fetched, serde_json::json!(["TypeError", "undefined", true]));
    Ok(())
}
