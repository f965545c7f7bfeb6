//! Quitting is recorded: who waits leaves the hub to the person; a new ask starts one.

use anyhow::{Context, Result, ensure};
use askdock_client::{HubFile, HubKind, HubLock};
use askdock_tests::home::Home;
use askdock_tests::http::Caller;
use askdock_tests::until::until;
use serde_json::json;

use crate::{Asker, Ends, all_answered, ended, waited_on};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_quit_only_a_new_ask_starts_a_hub_and_all_who_wait_find_it() -> Result<()> {
    let home = Home::new()?;
    let hub = home.serve().await?;
    let old = Asker::start(&home, "old")?;
    waited_on(&home, 1).await?;
    Caller::person(&home)?.call("POST /v1/hub/quit", json!({})).await?.expect(200)?;
    hub.ended().await?;
    let last = HubFile::read(&home.paths()).context("the file of the hub that was quit")?;
    ensure!(last.quit, "{last:?}");
    // What only waits starts nothing: it says so and watches.
    let mut wait = home.askdock(&["wait", "1"]).spawn()?;
    let mut said = tokio::io::BufReader::new(wait.stderr.take().context("piped")?);
    let mut line = String::new();
    tokio::io::AsyncBufReadExt::read_line(&mut said, &mut line).await?;
    ensure!(line == "No Askdock hub is running; waiting until one starts.\n", "{line}");
    ensure!(HubLock::try_acquire(&home.paths())?.is_some(), "somebody started a hub");

    // Nobody can be reached by a hub that only an ask started.
    let new = ended(home.askdock(&["ask", "--question", "New?"]).spawn()?).await?;
    ensure!(new.code == Some(6), "{new:?}");
    let started = HubFile::read(&home.paths()).context("the started hub's file")?;
    let _ends = Ends(started.pid);
    ensure!(started.kind == HubKind::Serve && !started.quit, "{started:?}");
    ensure!(started.hub != last.hub);
    waited_on(&home, 1).await?;
    // `--wait` asks all the same.
    let insisting = ["ask", "--question", "New?", "--session", "new", "--wait", "--json"];
    let new = Asker { process: home.askdock(&insisting).spawn()?, session: "new".into() };
    waited_on(&home, 2).await?;
    all_answered(&home, vec![old, new]).await?;
    ensure!(ended(wait).await?.code == Some(0));
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asks_that_start_a_hub_at_once_start_one() -> Result<()> {
    let home = Home::new()?;
    let ask = |session: String| {
        let arguments = ["ask", "--question", "Go?", "--session", &session, "--wait", "--json"];
        Ok(Asker { process: home.askdock(&arguments).spawn()?, session })
    };
    let askers = (0..8).map(|n| ask(n.to_string())).collect::<Result<Vec<_>>>()?;
    let started = until("no hub was started", async || Ok(HubFile::read(&home.paths()))).await?;
    let _ends = Ends(started.pid);
    waited_on(&home, 8).await?;
    let now = HubFile::read(&home.paths()).context("its file")?;
    ensure!(now.hub == started.hub, "several hubs took turns");
    all_answered(&home, askers).await
}
