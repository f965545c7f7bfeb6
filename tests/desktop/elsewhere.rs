//! A batch that ends somewhere else while the person works on it in the window.

use anyhow::{Result, ensure};
use askdock_tests::desktop::{App, Display, until};
use askdock_tests::home::Home;
use askdock_tests::person::Person;
use askdock_wire::BatchStatus;

use crate::dock::{Dock, composed};
use crate::{ask, deploy_target};

const HALF: &str = "only after the";

#[tokio::test]
async fn the_dock_closes_says_who_and_keeps_what_was_typed() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    let batch = ask(&home, deploy_target()).await?;
    app.open(Some(&batch.id)).await?;
    let dock = Dock::of(&page, &batch.id).await?;
    dock.choose("prod").await?;
    dock.note(HALF).await?;

    let number = batch.number.to_string();
    let ran = home.run(&["answer", &number, "Staging"]).await?;
    ensure!(ran.code == Some(0), "{ran:?}");

    dock.closed().await?;
    let notice = page.text("[data-testid=notice]").await?;
    ensure!(notice.contains("you") && notice.contains("in the terminal"), "{notice}");
    let focus = "return document.activeElement.dataset.testid";
    until("the focus in the composer", || async {
        Ok((page.run(focus).await? == "composer-input").then_some(()))
    })
    .await?;
    let summary = format!("[data-testid=summary][data-batch='{}']", batch.id);
    let said = page.text(&format!("{summary} button")).await?;
    ensure!(said.contains("Staging") && said.contains("in the terminal"), "{said}");

    // Copied and pasted as the person does it.
    let window = display.window_shown().await?;
    until("the focus", || async { Ok(display.has_focus(&window).await?.then_some(())) }).await?;
    page.click(&format!("{summary} [data-testid=leftover] button")).await?;
    page.click("[data-testid=composer-input]").await?;
    let pasted = until("the draft in the composer", || async {
        display.key("ctrl+v").await?;
        Ok(Some(composed(&page).await?).filter(|text| !text.is_empty()))
    })
    .await?;
    ensure!(pasted.contains(HALF) && pasted.contains("Production"), "{pasted}");
    let ended = Person::at(&home).batch(&batch.id).await?;
    ensure!(ended.status == BatchStatus::Answered, "{ended:?}");
    Ok(())
}
