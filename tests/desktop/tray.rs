//! The tray as its host sees it: count, menu, choices, quitting.

use anyhow::{Context, Result};
use askdock_tests::desktop::{App, Display, TrayHost, until};
use askdock_tests::home::Home;
use askdock_wire::ops;

use crate::{ask, deploy_target};

#[tokio::test]
async fn the_tray_counts_what_waits_and_opens_it() -> Result<()> {
    let display = Display::start().await?;
    let tray = TrayHost::start(&display).await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &["--hidden"]).await?;
    let labels = async || -> Result<Vec<String>> {
        Ok(tray.menu().await?.into_iter().map(|line| line.label).collect())
    };
    until("a menu without batches", async || {
        let quiet = ["Pause notifications for 1 hour", "Open Askdock", "", "Quit"];
        Ok((labels().await? == quiet).then_some(()))
    })
    .await?;
    let idle = tray.icon().await?;

    let batch = ask(&home, deploy_target()).await?;
    let line = format!("#{} script: Where should it go?", batch.number);
    until("the batch in the menu", async || {
        let labels = labels().await?;
        let waits = labels.first() == Some(&line)
            && labels.last().map(String::as_str) == Some("Quit (1 agent waits)…");
        Ok(waits.then_some(()))
    })
    .await?;
    until("another icon", async || Ok((tray.icon().await? != idle).then_some(()))).await?;

    tray.choose(&line).await?;
    let page = app.page().await?;
    page.find(&format!("[data-testid=dock][data-batch='{}']", batch.id)).await?;

    tray.choose("Pause notifications").await?;
    until("the pause", async || {
        let settings = app.person().call::<ops::SettingsGet>(&ops::NoFields {}).await?;
        Ok(settings.paused_until)
    })
    .await?;
    tray.choose("Resume notifications").await?;

    app.person()
        .call::<ops::SessionDelete>(&ops::SessionIdRequest { id: batch.session.clone() })
        .await?;
    until("the end of the line", async || {
        Ok((labels().await?.last().map(String::as_str) == Some("Quit")).then_some(()))
    })
    .await
}

#[tokio::test]
async fn quitting_while_an_agent_waits_is_asked_about() -> Result<()> {
    let display = Display::start().await?;
    let tray = TrayHost::start(&display).await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &["--hidden"]).await?;
    let batch = ask(&home, deploy_target()).await?;

    tray.choose("Quit (1 agent waits)").await?;
    display.area("Quit Askdock").await.context("the question")?;
    display.screenshot("quit").await?;
    // Enter is for staying: nobody quits by a key meant for something else.
    display.key("Return").await?;
    display.no_area("Quit Askdock").await?;
    app.person().reach().await?;

    tray.choose("Quit (1 agent waits)").await?;
    display.area("Quit Askdock").await?;
    display.key("Tab").await?;
    display.key("space").await?;
    assert!(app.ended().await?.success());
    // The ask is kept for the next start.
    let app = App::start(&home, &display, &["--hidden"]).await?;
    let kept = app.person().call::<ops::BatchGet>(&ops::BatchRef { id: batch.id }).await?;
    assert_eq!(kept.status, askdock_wire::BatchStatus::Pending);
    Ok(())
}
