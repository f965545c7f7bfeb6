//! Presses of buttons that weren't pressed, or that are of a notification that is over.

use anyhow::{Context, Result, ensure};
use askdock_tests::home::Home;
use askdock_tests::notification_server::{Emission, Manner, NotificationServer, Notified, Persona};
use askdock_tests::session_bus::SessionBus;
use serde_json::{Value, json};

use crate::{Desk, staging};

struct Shown {
    server: NotificationServer,
    notice: Notified,
    desk: Desk,
    _bus: SessionBus,
}

impl Shown {
    async fn start() -> Result<Self> {
        let bus = SessionBus::start().await?;
        let server = NotificationServer::start(bus.address(), Persona::plasma()).await?;
        let desk = Desk::in_home(Home::with_bus(bus.address())?).await?;
        let notice = server.wait_notified(1).await?;
        Ok(Self { server, notice, desk, _bus: bus })
    }

    fn key(&self, label: &str) -> Result<String> {
        let key = self.notice.key(label);
        Ok(key.with_context(|| format!("{label} among {:?}", self.notice.actions))?.to_owned())
    }

    async fn batch(&self, number: u64) -> Result<Value> {
        let line = format!("GET /v1/batches/{number}");
        self.desk.person.call(&line, Value::Null).await?.expect(200)
    }

    /// Asks another one, and waits until its notification came: what was sent to the hub before
    /// has been read by then.
    async fn barrier(&self) -> Result<()> {
        let before = self.server.notified().len();
        let ask = json!({ "session": "barrier", "question": "Is this read?" });
        self.desk.agent.call("POST /v1/batches", ask).await?.expect(201)?;
        self.server.wait_notified(before + 1).await?;
        Ok(())
    }
}

#[tokio::test]
async fn a_press_that_the_notification_server_did_not_send_is_nothing() -> Result<()> {
    let shown = Shown::start().await?;
    let before = shown.desk.records()?;
    let (id, victim) = (shown.notice.id, shown.notice.sender.clone());
    for emission in [
        Emission::Invoked(id, shown.key("Staging")?),
        Emission::Invoked(id, shown.key("Production")?),
        Emission::Invoked(id, "default".into()),
        Emission::Replied(id, "Staging".into()),
        Emission::Closed(id, 2),
    ] {
        shown.server.forge(&victim, &emission).await?;
    }
    before.unchanged(&shown.desk.home)?;
    shown.barrier().await?;
    let batch = shown.batch(1).await?;
    ensure!(batch["status"] == "pending", "{batch}");
    // The server's own is believed: the notification was not closed by the forged signal.
    shown.server.click(id, &shown.key("Production")?).await?;
    let outcome = answered(&shown, 1).await?;
    ensure!(outcome["responder"]["via"] == "notification", "{outcome}");
    ensure!(outcome["answers"]["go"]["selected"][0]["label"] == "Production", "{outcome}");
    Ok(())
}

#[tokio::test]
async fn buttons_that_were_not_offered_are_nothing() -> Result<()> {
    let shown = Shown::start().await?;
    let before = shown.desk.records()?;
    let id = shown.notice.id;
    for key in ["staging", "Staging", "0", "", "go", &"0".repeat(64)] {
        shown.server.click(id, key).await?;
    }
    // The right button of a notification that isn't there.
    shown.server.click(id + 7, &shown.key("Staging")?).await?;
    before.unchanged(&shown.desk.home)?;
    shown.barrier().await?;
    let batch = shown.batch(1).await?;
    ensure!(batch["status"] == "pending", "{batch}");
    Ok(())
}

#[tokio::test]
async fn closing_a_notification_is_no_answer() -> Result<()> {
    let shown = Shown::start().await?;
    for reason in [1, 2, 3, 4] {
        shown.server.emit(&Emission::Closed(shown.notice.id, reason)).await?;
    }
    shown.barrier().await?;
    let batch = shown.batch(1).await?;
    ensure!(batch["status"] == "pending", "{batch}");
    Ok(())
}

#[tokio::test]
async fn a_press_on_an_ended_batch_changes_nothing() -> Result<()> {
    let shown = Shown::start().await?;
    // The press crosses the closing: the server was told and is slow to do it.
    shown.server.behave(Manner::Hanging);
    let line = "POST /v1/batches/1/answer";
    let outcome = shown.desk.person.call(line, staging()).await?.expect(200)?;
    let id = shown.notice.id;
    shown.server.wait_until(|server| server.closed().contains(&id)).await?;
    shown.server.click(id, &shown.key("Production")?).await?;
    shown.server.behave(Manner::Prompt);
    // Whoever pressed is told who was first.
    let told = "#1 was answered by user, via cli.";
    let tells = |notified: &Notified| notified.body == told;
    shown.server.wait_until(|server| server.notified().iter().any(tells)).await?;
    // Nor does a press of what is long closed do anything.
    shown.server.click(id, &shown.key("Production")?).await?;
    shown.barrier().await?;
    let batch = shown.batch(1).await?;
    ensure!(batch["outcome"] == outcome, "{batch}");
    Ok(())
}

#[tokio::test]
async fn a_last_hubs_buttons_answer_nothing() -> Result<()> {
    let shown = Shown::start().await?;
    let old = shown.key("Production")?;
    let Shown { server, notice, desk, _bus: bus } = shown;
    let Desk { home, _hub: hub, .. } = desk;
    hub.kill().await?;
    let _hub = home.serve().await?;
    // The same notification, with new buttons.
    let again = server.wait_notified(2).await?;
    ensure!(again.replaces == notice.id, "shown a second time");
    ensure!(again.key("Production") != Some(old.as_str()), "the button means the same");
    server.click(again.id, &old).await?;
    let new = again.key("Staging").context("a button")?;
    server.click(again.id, new).await?;
    let person = askdock_tests::http::Caller::person(&home)?;
    let outcome = askdock_tests::until::until("the new button did nothing", async || {
        let batch = person.call("GET /v1/batches/1", Value::Null).await?.expect(200)?;
        Ok((batch["status"] == "answered").then(|| batch["outcome"].clone()))
    })
    .await?;
    ensure!(outcome["answers"]["go"]["selected"][0]["label"] == "Staging", "{outcome}");
    bus.stop().await
}

async fn answered(shown: &Shown, number: u64) -> Result<Value> {
    askdock_tests::until::until("it was never answered", async || {
        let batch = shown.batch(number).await?;
        Ok((batch["status"] == "answered").then(|| batch["outcome"].clone()))
    })
    .await
}
