//! Asking and answering in the window.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_client::Role;
use askdock_tests::desktop::{App, Display};
use askdock_tests::home::Home;
use askdock_wire::BatchStatus;
use tokio::net::TcpListener;

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

    // Complete calls of what Tauri itself brings along: nothing but the missing permission is in
    // their way.
    let refused = page
        .run(
            "return Promise.all([['app|version', {}], ['event|emit', { event: 'x', payload: 1 }],
                 ['window|close', { label: 'main' }], ['path|resolve_directory', { directory: 1 }],
                 ['webview|create_webview_window', { options: { label: 'x', url: '/' } }],
             ].map(([command, fields]) => window.__TAURI_INTERNALS__.invoke('plugin:' + command, fields)
                 .then(() => command + ' went through', (why) => String(why))))",
        )
        .await?;
    for why in refused.as_array().context("a list")? {
        let why = why.as_str().context("a text")?;
        ensure!(why.contains("not allowed"), "{why}");
    }

    let elsewhere = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = format!("http://{}", elsewhere.local_addr()?);
    let blocked = page
        .run(&format!(
            "return new Promise((done) => {{
                 const blocked = [];
                 addEventListener('securitypolicyviolation', (event) => {{
                     blocked.push(event.effectiveDirective);
                     if (blocked.length === 3) done(blocked.sort());
                 }});
                 fetch('{address}/fetched').catch(() => undefined);
                 for (const [element, source] of [['img', '/drawn'], ['iframe', '/framed']]) {{
                     document.body.append(Object.assign(
                         document.createElement(element), {{ src: '{address}' + source }}));
                 }}
             }})"
        ))
        .await?;
    assert_eq!(blocked, serde_json::json!(["connect-src", "frame-src", "img-src"]));
    page.run(&format!("location.href = '{address}/gone'; window.open('{address}/opened')")).await?;
    // Nothing tells that a request will never come.
    let request = tokio::time::timeout(Duration::from_secs(2), elsewhere.accept()).await;
    ensure!(request.is_err(), "the page reached another address");
    let left = page
        .run("return [location.origin, typeof window.__TAURI__, Object.isFrozen(Object.prototype)]")
        .await?;
    assert_eq!(left, serde_json::json!(["tauri://localhost", "undefined", true]));
    Ok(())
}
