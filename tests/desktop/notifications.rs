//! Answering from a real notification, without any window.

use anyhow::{Context, Result, ensure};
use askdock_tests::desktop::{App, Display, XFCE, until};
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::person::Person;
use askdock_wire::{BatchStatus, Outcome};

#[tokio::test]
async fn a_press_on_a_button_answers_while_the_window_is_closed_to_the_tray() -> Result<()> {
    let display = Display::start().await?;
    let _notices = XFCE.start(&display)?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    app.already_told().await?;
    let window = display.window_shown().await?;
    until("a page", || async { Ok((app.page_processes()? == 1).then_some(())) }).await?;
    display.close(&window).await?;
    until("no window", || async { Ok(display.window().await?.is_none().then_some(())) }).await?;
    until("no page", || async { Ok((app.page_processes()? == 0).then_some(())) }).await?;

    let question = "Where should the release go first?";
    let arguments =
        ["ask", "--question", question, "--option", "Staging", "--option", "Production", "--json"];
    let asker = tokio::spawn(home.askdock(&arguments).output());
    let notice = display.area(XFCE.window).await?;
    // The default action is drawn first, then the answers, then Skip.
    let buttons = display.buttons(&notice, 4).await?;
    display.screenshot("notification").await?;
    display.press(buttons[2], 1).await?;

    let output = tokio::time::timeout(PATIENCE, asker).await.context("no answer came")???;
    let outcome: Outcome = serde_json::from_slice(&output.stdout)?;
    ensure!(outcome.status == BatchStatus::Answered, "{outcome:?}");
    ensure!(outcome.responder.via == "notification", "{outcome:?}");
    ensure!(outcome.answers["q1"].selected[0].label == "Production", "{outcome:?}");
    display.no_area(XFCE.window).await?;
    let batch = Person::at(&home).only().await?;
    ensure!(batch.outcome.as_ref() == Some(&outcome), "{batch:?}");
    ensure!(display.window().await?.is_none() && app.page_processes()? == 0, "a window opened");
    Ok(())
}
