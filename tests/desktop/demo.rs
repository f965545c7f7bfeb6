//! The scripted agent that newcomers meet first.

use anyhow::{Context, Result, ensure};
use askdock_tests::desktop::{App, Display};
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::person::Person;
use askdock_wire::{BatchStatus, Outcome};

use crate::dock::Dock;

#[tokio::test]
async fn the_demo_asks_in_the_window_and_gets_its_answers() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    page.find("[data-testid=empty]").await?;
    let demo = tokio::spawn(home.askdock(&["demo"]).output());
    let batch = Person::at(&home).only().await?;

    page.click("[data-testid=sidebar-session]").await?;
    let said = page.text("[data-testid=message]").await?;
    ensure!(said.contains("The build is green"), "{said}");
    let dock = Dock::of(&page, &batch.id).await?;
    dock.choose("staging").await?;
    dock.press("next").await?;
    dock.at_step(1).await?;
    for option in &batch.questions[1].options[..2] {
        dock.choose(&option.id).await?;
    }
    dock.press("next").await?;
    dock.at_step(2).await?;
    dock.press("submit").await?;

    let output =
        tokio::time::timeout(PATIENCE, demo).await.context("the demo did not end")???;
    ensure!(output.status.success(), "{output:?}");
    let outcome: Outcome = serde_json::from_slice(&output.stdout)?;
    ensure!(outcome.status == BatchStatus::Answered, "{outcome:?}");
    ensure!(outcome.responder.via == "dock", "{outcome:?}");
    ensure!(outcome.answers["target"].selected[0].id == "staging", "{outcome:?}");
    let checks: Vec<_> = outcome.answers["checks"].selected.iter().map(|one| &*one.label).collect();
    ensure!(checks == ["Smoke tests", "Load test"], "{outcome:?}");
    ensure!(outcome.answers["window"].blank, "{outcome:?}");
    Ok(())
}
