//! The hub is killed; asker and person are processes of their own that live on.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_client::{Client, ClientError, Role};
use askdock_tests::asker::ask_until_answered;
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::notices;
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::random;
use askdock_tests::session_bus::SessionBus;
use askdock_wire::ops::{
    AnswerRequest, BatchAnswer, BatchDraft, BatchGet, BatchList, BatchRef, DraftRequest,
    ListRequest,
};
use askdock_wire::{BatchStatus, Code, Draft, Outcome};
use serde_json::json;

const ROUNDS: usize = 150;

/// What the person was told was saved, in one round.
#[derive(Default)]
struct Acknowledged {
    draft: Option<Draft>,
    outcome: Option<Outcome>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_hub_loses_nothing_acknowledged_and_asks_nobody_twice() -> Result<()> {
    let bus = SessionBus::start().await?;
    let server = NotificationServer::start(bus.address(), Persona::xfce()).await?;
    let home = Arc::new(Home::with_bus(bus.address())?);
    let mut random = random::generator("hub killed");
    let (mut killed_before_answer, mut shown_again) = (0, 0);
    for round in 0..ROUNDS {
        let hub = home.serve().await?;
        let asker =
            tokio::spawn(ask_until_answered(home.clone(), question(round), request_id(round)));
        let client = home.client(Role::Person);
        let mut acknowledged = Acknowledged::default();
        // The random point: the kill races everything that the person does; in every third round
        // the answer's way to the agent, once it was acknowledged.
        if round % 3 == 0 {
            work(&client, round, &mut acknowledged).await?;
            tokio::time::sleep(random::span(&mut random, Duration::from_millis(3))).await;
        } else {
            let delay = random::span(&mut random, Duration::from_millis(40));
            tokio::select! {
                done = work(&client, round, &mut acknowledged) => done?,
                () = tokio::time::sleep(delay) => killed_before_answer += 1,
            }
        }
        hub.kill().await?;
        let known = notices::known(&home)?;
        let before = server.notified().len();
        let _hub = home.serve().await?;
        check_restored(&client, round, &acknowledged).await?;
        if let Err(error) = finish(&client, round, &mut acknowledged).await {
            // What became of the asker says more.
            if asker.is_finished() {
                asker.await?.context("the asker")?;
            }
            return Err(error);
        }
        let outcome = tokio::time::timeout(PATIENCE, asker)
            .await
            .with_context(|| format!("round {round}: the asker never got its answer"))???;
        ensure!(Some(&outcome) == acknowledged.outcome.as_ref(), "round {round}: {outcome:?}");
        shown_again += notices::replaced(&server, before, &known)?;
    }
    let all = ListRequest { status: Some("all".into()), ..ListRequest::default() };
    let hub = home.serve().await?;
    let listed = home.client(Role::Person).call::<BatchList>(&all).await?;
    ensure!(listed.len() == ROUNDS, "{} batches for {ROUNDS} asks", listed.len());
    ensure!(listed.iter().all(|batch| batch.status == BatchStatus::Answered));
    drop(hub);
    ensure!(
        killed_before_answer >= ROUNDS / 5,
        "only {killed_before_answer} kills came before the answer was acknowledged"
    );
    eprintln!(
        "{ROUNDS} kills, {killed_before_answer} before the answer was acknowledged, \
         {shown_again} notices replaced after a restart"
    );
    Ok(())
}

fn request_id(round: usize) -> String {
    format!("round-{round}")
}

fn question(round: usize) -> String {
    format!("Where should revision {round} go first?")
}

/// The person drafts and answers as soon as the batch is there.
async fn work(client: &Client, round: usize, acknowledged: &mut Acknowledged) -> Result<()> {
    let id = loop {
        if let Some(id) = passing(find(client, round).await)?.flatten() {
            break id;
        }
        tokio::task::yield_now().await;
    };
    for step in 0..3 {
        let draft = Draft { step, ..Draft::default() };
        let request = DraftRequest { id: id.clone(), draft: draft.clone(), draft_rev: None };
        if passing(client.call::<BatchDraft>(&request).await)?.is_none() {
            return Ok(());
        }
        acknowledged.draft = Some(draft);
    }
    if let Some(outcome) = passing(client.call::<BatchAnswer>(&answer(&id, round)).await)? {
        acknowledged.outcome = Some(outcome);
    }
    Ok(())
}

/// `None` where the hub went away; its other refusals are failures of the test.
fn passing<T>(result: std::result::Result<T, ClientError>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code().is_none() || error.code() == Some(Code::Unavailable) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn find(client: &Client, round: usize) -> std::result::Result<Option<String>, ClientError> {
    let all = ListRequest { status: Some("all".into()), ..ListRequest::default() };
    let listed = client.call::<BatchList>(&all).await?;
    let wanted = question(round);
    Ok(listed.into_iter().find(|batch| batch.questions == [wanted.as_str()]).map(|batch| batch.id))
}

fn answer(id: &str, round: usize) -> AnswerRequest {
    AnswerRequest {
        id: id.to_owned(),
        answers: Some(
            json!({ "q1": { "selected": ["Production"], "notes": format!("n{round}") } }),
        ),
        reply: None,
        answer_id: Some(request_id(round)),
        content_hash: None,
        via: None,
    }
}

/// Everything that was acknowledged before the kill is there after it.
async fn check_restored(client: &Client, round: usize, before: &Acknowledged) -> Result<()> {
    let Some(id) = find(client, round).await? else {
        ensure!(before.draft.is_none(), "round {round}: the batch was lost");
        return Ok(());
    };
    let batch = client.call::<BatchGet>(&BatchRef { id }).await?;
    if before.outcome.is_some() {
        ensure!(batch.outcome == before.outcome, "round {round}: the answer was lost");
    } else if let (Some(saved), BatchStatus::Pending) = (&before.draft, batch.status) {
        let restored = batch.draft.context("the draft was lost")?;
        ensure!(restored.step >= saved.step, "round {round}: an older draft came back");
    }
    Ok(())
}

/// The person answers under the same id until it is acknowledged.
async fn finish(client: &Client, round: usize, acknowledged: &mut Acknowledged) -> Result<()> {
    let finishing = async {
        loop {
            let Some(id) = find(client, round).await? else {
                // The asker comes back to the new hub by itself.
                tokio::task::yield_now().await;
                continue;
            };
            let outcome = client.call::<BatchAnswer>(&answer(&id, round)).await?;
            if let Some(first) = &acknowledged.outcome {
                ensure!(*first == outcome, "round {round}: another result for the same answer id");
            }
            acknowledged.outcome = Some(outcome);
            return Ok(());
        }
    };
    tokio::time::timeout(PATIENCE, finishing).await.context("the asker never came back")?
}
