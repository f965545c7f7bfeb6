//! The whole way: an agent's SDK asks, the person works in the window, the app ends in the middle
//! and starts again, and the agent gets exactly what the person chose.

use anyhow::{Context, Result, ensure};
use askdock_tests::desktop::{App, Display, Page, XFCE, until};
use askdock_tests::home::Home;
use askdock_tests::person::Person;
use askdock_tests::sdk_agent::SdkAgent;
use askdock_wire::{BatchDto, BatchStatus, DraftAnswer, ops};
use serde_json::{Value, json};

use crate::dock::{Dock, composed};

/// As long as any test waits: calls block instead of returning a pending question.
const BUDGET: (&str, &str) = ("ASKDOCK_MCP_BUDGET_SECONDS", "600");
const NOTE: &str = "after 18:00, 2 people know";
const COMPOSED: &str = "By the way: 3 tests are flaky";

/// How the app ends in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// `kill -9`, as soon as the hub has said that it saved what was typed.
    Killed,
    /// Quit, without any pause after the last key.
    Quit,
}

#[tokio::test]
async fn a_dialog_outlives_a_killed_app_and_its_answer_reaches_the_agent_once() -> Result<()> {
    story(End::Killed).await
}

#[tokio::test]
async fn a_dialog_outlives_a_quit_app_and_its_answer_reaches_the_agent_once() -> Result<()> {
    story(End::Quit).await
}

async fn story(end: End) -> Result<()> {
    let display = Display::start().await?;
    let _notices = XFCE.start(&display)?;
    let home = Home::new()?;
    let person = Person::at(&home);
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    display.window_shown().await?;

    let mut agent = SdkAgent::start(&home, "1", &[], &[BUDGET]).await?;
    agent.tell(ask()).await?;
    ensure!(next_but_progress(&mut agent, 1).await? == 1, "progress is sent at once");
    let batch = person.only().await?;
    display.area(XFCE.window).await?;
    display.screenshot("story").await?;

    page.click("[data-testid=sidebar-session]").await?;
    let dock = Dock::of(&page, &batch.id).await?;
    stands_above_the_composer(&page, &dock, &batch.id).await?;
    let dock = Dock::of(&page, &batch.id).await?;
    dock.choose("staging").await?;
    dock.press("next").await?;
    dock.at_step(1).await?;
    ensure!(dock.text("step").await? == "2 of 2", "a hidden question is not counted");
    dock.choose("load").await?;
    dock.note(NOTE).await?;
    match end {
        End::Killed => {
            person.once(&batch.id, |batch| drafted(batch).is_some()).await?;
            drop(page);
            app.kill().await?;
        }
        End::Quit => {
            drop(page);
            person.client.call::<ops::HubQuit>(&ops::NoFields {}).await?;
            ensure!(app.ended().await?.success(), "the app ended badly");
        }
    }

    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    let dock = Dock::of(&page, &batch.id).await?;
    dock.at_step(1).await?;
    ensure!(dock.chosen().await? == ["load"], "{:?}", dock.chosen().await?);
    ensure!(dock.noted().await? == NOTE, "{:?}", dock.noted().await?);
    dock.press("collapse").await?;
    ensure!(composed(&page).await? == COMPOSED, "{:?}", composed(&page).await?);
    page.click("[data-testid=slim-bar]").await?;
    // The same call waits again.
    person.once(&batch.id, |batch| !batch.away).await?;
    ensure!(display.areas(XFCE.window).await?.len() == 1, "notified twice");

    let dock = Dock::of(&page, &batch.id).await?;
    dock.press("back").await?;
    dock.at_step(0).await?;
    ensure!(dock.chosen().await? == ["staging"], "{:?}", dock.chosen().await?);
    dock.choose("production").await?;
    dock.press("next").await?;
    dock.at_step(1).await?;
    until("the third question", || async {
        Ok((dock.text("step").await? == "2 of 3").then_some(()))
    })
    .await?;
    dock.press("next").await?;
    dock.at_step(2).await?;
    dock.choose("evening").await?;
    dock.press("next").await?;
    dock.at_step(3).await?;
    let review = page.client().find_all(fantoccini::Locator::Css("[data-testid=review-row]"));
    ensure!(review.await?.len() == 3, "three questions to review");
    dock.press("submit").await?;

    let result = next_but_progress(&mut agent, 0).await?;
    check_result(&result)?;
    dock.closed().await?;
    let summary = format!("[data-testid=summary][data-batch='{}'][data-status=answered]", batch.id);
    let summary = page.text(&summary).await?;
    ensure!(summary.contains("Production") && summary.contains("in the dock"), "{summary}");
    ensure!(composed(&page).await? == COMPOSED, "{:?}", composed(&page).await?);
    display.no_area(XFCE.window).await?;
    // A second response to the call would have been complained of before this one.
    agent.tell(json!({ "list": true })).await?;
    ensure!(agent.next().await?["tools"].is_array());
    let ended = person.once(&batch.id, |batch| batch.delivered_at.is_some()).await?;
    ensure!(ended.status == BatchStatus::Answered);
    person.only().await.context("nothing else was asked")?;
    Ok(())
}

fn ask() -> Value {
    let questions = json!([
        {
            "id": "target", "header": "Target", "question": "Where should the release go first?",
            "options": [
                { "id": "staging", "label": "Staging (Recommended)" },
                { "id": "production", "label": "Production" },
            ],
        },
        {
            "id": "checks", "header": "Checks", "question": "Which checks should run before it?",
            "multi_select": true,
            "options": [
                { "id": "smoke", "label": "Smoke tests" }, { "id": "load", "label": "Load test" },
            ],
        },
        {
            "id": "window", "header": "Window", "question": "When may production be touched?",
            "options": [
                { "id": "now", "label": "Now" }, { "id": "evening", "label": "After 18:00" },
            ],
            "show_when": { "question": "target", "options": ["Production"] },
        },
    ]);
    json!({
        "call": 1, "name": "ask_user", "arguments": { "questions": questions },
        "progress": true, "timeout": 600_000,
    })
}

/// The dock takes the composer's place; collapsed it is a bar over the composer, into which the
/// person types before going back.
async fn stands_above_the_composer(page: &Page, dock: &Dock<'_>, batch: &str) -> Result<()> {
    ensure!(page.find_now("[data-testid=composer-input]").await?.is_none(), "both at once");
    dock.press("collapse").await?;
    let bar = format!("[data-testid=slim-bar][data-batch='{batch}']");
    page.find(&bar).await?;
    page.type_into("[data-testid=composer-input]", COMPOSED).await?;
    let above = page
        .run(&format!(
            r#"const box = (css) => document.querySelector(css).getBoundingClientRect();
            return box("[data-testid=timeline]").bottom <= box("{bar}").top &&
                box("{bar}").bottom <= box("[data-testid=composer-input]").top"#
        ))
        .await?;
    ensure!(above == true, "the bar is not between conversation and composer");
    page.click(&bar).await
}

/// The draft, once it holds everything that the person did.
fn drafted(batch: &BatchDto) -> Option<&DraftAnswer> {
    let draft = batch.draft.as_ref().filter(|draft| draft.step == 1)?;
    draft.answers.get("checks").filter(|checks| checks.notes.as_deref() == Some(NOTE))
}

/// The agent's next line that isn't progress, unless `progress` of them are wanted: then the
/// number of the call that progressed.
async fn next_but_progress(agent: &mut SdkAgent, progress: usize) -> Result<Value> {
    loop {
        let line = agent.next().await?;
        match line.get("progressed") {
            Some(call) if progress > 0 => return Ok(call.clone()),
            Some(_) => {}
            None => return Ok(line),
        }
    }
}

/// The answer in both forms, with the note, and who gave it where.
fn check_result(result: &Value) -> Result<()> {
    ensure!(result["result"] == 1 && result["isError"] == false, "{result}");
    let got = &result["structuredContent"];
    ensure!(got["status"] == "answered" && got["responder"]["via"] == "dock", "{got}");
    let selected = |question: &str| got["answers"][question]["selected"].clone();
    let option = |id: &str, label: &str| json!([{ "id": id, "label": label }]);
    ensure!(selected("target") == option("production", "Production"), "{got}");
    ensure!(selected("checks") == option("load", "Load test"), "{got}");
    ensure!(selected("window") == option("evening", "After 18:00"), "{got}");
    ensure!(got["answers"]["checks"]["notes"] == NOTE, "{got}");
    let text = result["content"][0]["text"].as_str().context("no text")?;
    let (said, json) = text.rsplit_once("\n\n").context("no JSON behind the text")?;
    ensure!(said.contains("Production") && said.contains(NOTE), "{said}");
    ensure!(serde_json::from_str::<Value>(json)? == *got, "{text}");
    Ok(())
}
