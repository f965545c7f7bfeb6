//! Keys meant for something else, typed at speed while questions arrive: none answers anything,
//! none is lost.

use anyhow::{Context, Result, ensure};
use askdock_client::{Client, Role};
use askdock_tests::desktop::{App, Display, until};
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::person::Person;
use askdock_wire::AskRequest;
use askdock_wire::ops::{SessionOpen, SessionOpenRequest};
use serde_json::json;
use tokio::task::JoinSet;

use crate::deploy_target;

const BATCHES: usize = 20;
const SESSION: &str = "stray";

#[tokio::test]
async fn what_is_typed_into_another_program_stays_there() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    let mut agent = Asker::begin(&home).await?;
    page.click("[data-testid=sidebar-session]").await?;

    let taken = home.path().join("taken");
    let mut terminal = display
        .command("xterm")
        .args(["-e", "sh", "-c", "cat > \"$0\""])
        .arg(&taken)
        .spawn()
        .context("xterm")?;
    let window = until("the terminal's focus", || async {
        let found = ["search", "--onlyvisible", "--class", "xterm"];
        let found = display.output("xdotool", &found).await?.trim().to_owned();
        Ok((!found.is_empty() && display.has_focus(&found).await?).then_some(found))
    })
    .await?;
    let mut typed = String::new();
    for round in 0..BATCHES {
        let keys = format!("1 2 3 y s n o 0 {round}\n\n  ?jk");
        let (asked, keyed) = tokio::join!(agent.asks(round), display.type_text(&keys));
        asked.and(keyed)?;
        ensure!(display.has_focus(&window).await?, "round {round}: the focus was taken");
        typed.push_str(&keys);
    }
    page.find("[data-testid=dock]").await?;
    display.screenshot("stray_keys_terminal").await?;
    // The end of the input: after a line of its own, else it only ends the line.
    display.type_text("\n").await?;
    display.key("ctrl+d").await?;
    tokio::time::timeout(PATIENCE, terminal.wait()).await.context("the terminal stays")??;
    ensure!(std::fs::read_to_string(&taken)? == typed + "\n", "keys were lost");
    agent.none_is_answered(&Person::at(&home)).await
}

#[tokio::test]
async fn what_is_typed_into_the_composer_stays_there() -> Result<()> {
    let display = Display::start().await?;
    let home = Home::new()?;
    let app = App::start(&home, &display, &[]).await?;
    let page = app.page().await?;
    let mut agent = Asker::begin(&home).await?;
    page.click("[data-testid=sidebar-session]").await?;
    page.click("[data-testid=composer-input]").await?;
    let window = display.window_shown().await?;
    until("the focus", || async { Ok(display.has_focus(&window).await?.then_some(())) }).await?;

    let mut typed = String::new();
    for round in 0..BATCHES {
        let keys = format!("{round} 1 2 3 yes so 0 no ? jk, ");
        let (asked, keyed) = tokio::join!(agent.asks(round), display.type_text(&keys));
        asked.and(keyed)?;
        typed.push_str(&keys);
    }
    page.find("[data-testid=slim-bar]").await?;
    display.screenshot("stray_keys_composer").await?;
    let all = || async {
        let composed = crate::dock::composed(&page).await?;
        // Keys on their way come in order, so a hole shows in what is there already.
        ensure!(typed.starts_with(&composed), "typed {typed:?}, got {composed:?}");
        Ok((composed == typed).then_some(()))
    };
    until("everything that was typed", all).await?;
    let open = page.find_now("[data-testid=dock]").await?;
    ensure!(open.is_none(), "the dock opened under the person's fingers");
    agent.none_is_answered(&Person::at(&home)).await
}

/// An agent with as many calls under way as it has asked questions.
struct Asker {
    client: Client,
    calls: JoinSet<Result<()>>,
}

impl Asker {
    async fn begin(home: &Home) -> Result<Self> {
        let client = home.client(Role::Agent);
        let session = askdock_wire::SessionRef { id: Some(SESSION.into()), ..Default::default() };
        let opened = client.call::<SessionOpen>(&SessionOpenRequest { session }).await?;
        client.show_secret(&opened.session_secret.context("no secret")?);
        Ok(Self { client, calls: JoinSet::new() })
    }

    async fn asks(&mut self, round: usize) -> Result<()> {
        let mut questions = deploy_target();
        questions[0]["question"] = format!("Where should revision {round} go?").into();
        let request =
            AskRequest::from_body(json!({ "questions": questions, "session": { "id": SESSION } }))?;
        let batch = self.client.ask(request).await?;
        let client = self.client.clone();
        self.calls.spawn(async move {
            client.wait(&batch.id).await?;
            anyhow::Ok(())
        });
        Ok(())
    }

    /// Every call still waits, and no key got as far as a draft.
    async fn none_is_answered(mut self, person: &Person) -> Result<()> {
        if let Some(ended) = self.calls.try_join_next() {
            ended??;
            anyhow::bail!("a call returned");
        }
        for batch in person.asked(BATCHES).await? {
            let batch = person.batch(&batch.id).await?;
            ensure!(batch.outcome.is_none(), "{batch:?}");
            let answers = batch.draft.iter().flat_map(|draft| draft.answers.values());
            let touched = answers.filter(|one| !one.selected.is_empty() || one.other || one.blank);
            ensure!(touched.count() == 0, "{batch:?}");
        }
        Ok(())
    }
}
