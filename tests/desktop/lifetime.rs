//! Windows come and go, and so do apps; what waits stays.

use std::time::Duration;

use anyhow::Result;
use askdock_client::Role;
use askdock_tests::desktop::{App, Display, until};
use askdock_tests::home::Home;
use askdock_wire::{BatchStatus, ops};
use serde_json::json;

use crate::{ask, deploy_target, dock_is_ready};

#[tokio::test]
async fn closing_ends_the_page_and_opening_makes_it_anew() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    app.already_told().await?;
    let window = display.window_shown().await?;
    until("a page", || async { Ok((app.page_processes()? == 1).then_some(())) }).await?;

    display.close(&window).await?;
    until("no window", || async { Ok(display.window().await?.is_none().then_some(())) }).await?;
    until("no page", || async { Ok((app.page_processes()? == 0).then_some(())) }).await?;

    let batch = ask(&home, deploy_target()).await?;
    let agent = home.client(Role::Agent);
    agent.show_secret(&batch.session_secret);
    app.open(Some(&batch.id)).await?;
    display.window_shown().await?;
    // The dock has the focus once it is there: the first press chooses, the second submits.
    let outcome = until("the answer", || async {
        display.key("1").await?;
        Ok(agent.outcome(&batch.id, Duration::from_millis(300)).await?)
    })
    .await?;
    assert_eq!(outcome.outcome.unwrap().answers["target"].selected[0].id, "staging");
    Ok(())
}

#[tokio::test]
async fn a_second_start_raises_the_first() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let _app = App::start(&home, &display, &[]).await?;
    let window = display.window_shown().await?;
    display.minimise(&window).await?;
    until("no window", || async { Ok(display.window().await?.is_none().then_some(())) }).await?;

    let second = App::command(&home, &display).status().await?;
    assert!(second.success());
    assert_eq!(display.window_shown().await?, window);
    until("the focus", || async { Ok(display.has_focus(&window).await?.then_some(())) }).await
}

#[tokio::test]
async fn a_killed_app_comes_back_with_the_draft_at_its_step() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    let mut questions = deploy_target();
    if let Some(questions) = questions.as_array_mut() {
        questions.push(json!({ "id": "why", "question": "Why?" }));
    }
    let batch = ask(&home, questions).await?;
    app.open(Some(&batch.id)).await?;
    dock_is_ready(&page, &batch).await?;
    page.click("[data-testid=option][data-option=prod]").await?;
    page.click("[data-testid=next]").await?;
    page.type_into("[data-question=why] textarea", "half a thou").await?;
    until("the saved draft", || async {
        let request = ops::BatchRef { id: batch.id.clone() };
        let stored = app.person().call::<ops::BatchGet>(&request).await?;
        Ok(stored.draft.filter(|draft| {
            draft.step == 1
                && draft.answers.get("why").and_then(|why| why.text.as_deref())
                    == Some("half a thou")
        }))
    })
    .await?;
    drop(page);
    app.kill().await?;

    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    app.open(Some(&batch.id)).await?;
    dock_is_ready(&page, &batch).await?;
    page.find("[data-testid=dock][data-step='1']").await?;
    let field = page.find("[data-question=why] textarea").await?;
    assert_eq!(field.prop("value").await?.as_deref(), Some("half a thou"));

    page.click("[data-testid=next]").await?;
    page.click("[data-testid=submit]").await?;
    let agent = home.client(Role::Agent);
    agent.show_secret(&batch.session_secret);
    let outcome = agent.wait(&batch.id).await?.outcome.unwrap();
    assert_eq!(outcome.status, BatchStatus::Answered);
    assert_eq!(outcome.answers["target"].selected[0].id, "prod");
    assert_eq!(outcome.answers["why"].text.as_deref(), Some("half a thou"));
    Ok(())
}

#[tokio::test]
async fn a_headless_hub_hands_over_and_takes_back() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let _serve = home.serve().await?;
    ask(&home, deploy_target()).await?;

    let app = App::start(&home, &display, &["--hidden"]).await?;
    assert_eq!(until("the app's hub", || waiting_at(&home, "desktop")).await?, 1);
    assert_eq!(display.window().await?, None, "started hidden");

    app.person().call::<ops::HubQuit>(&ops::NoFields {}).await?;
    assert!(app.ended().await?.success());
    assert_eq!(until("the headless hub", || waiting_at(&home, "serve")).await?, 1);
    Ok(())
}

/// How many batches are pending, once the hub is of this kind.
async fn waiting_at(home: &Home, kind: &str) -> Result<Option<u32>> {
    let health = home.client(Role::Person).call::<ops::HealthGet>(&ops::NoFields {}).await;
    // In between there is none.
    Ok(health.ok().filter(|health| health.kind == kind).map(|health| health.pending + health.away))
}
