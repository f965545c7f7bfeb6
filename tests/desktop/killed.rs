//! The app is killed at random points of ask → notify → draft in the window → answer.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_tests::asker::ask_until_answered;
use askdock_tests::desktop::{App, Display, Page, until};
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::person::Person;
use askdock_tests::{notices, random};
use askdock_wire::ops::{BatchList, ListRequest};
use askdock_wire::{BatchDto, BatchStatus, DraftAnswer, Outcome};

use crate::dock::Dock;

const ROUNDS: usize = 20;
/// About as long as the person works on one batch.
const LATEST: Duration = Duration::from_millis(2_500);
const NOTE: &str = "after 18:00";

/// What the hub had saved, as far as it was seen before the kill.
#[derive(Default)]
struct Saved {
    answer: Option<DraftAnswer>,
    outcome: Option<Outcome>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_app_loses_nothing_saved_and_asks_nobody_twice() -> Result<()> {
    let display = Display::start().await?;
    let server = NotificationServer::start(display.bus_address(), Persona::xfce()).await?;
    let home = Arc::new(Home::new()?);
    let person = Person::at(&home);
    let mut random = random::generator("app killed");
    let mut app = App::start(&home, &display, &[]).await?;
    let (mut with_draft, mut with_answer) = (0, 0);
    for round in 0..ROUNDS {
        let page = app.page().await?;
        let asker = ask_until_answered(home.clone(), question(round), format!("round-{round}"));
        let asker = tokio::spawn(asker);
        let mut saved = Saved::default();
        let delay = random::span(&mut random, LATEST);
        // The random point: the kill races everything that the person does.
        tokio::select! {
            done = work(&app, &page, &person, round, &mut saved) => done?,
            () = tokio::time::sleep(delay) => {}
        }
        with_draft += usize::from(saved.answer.is_some());
        with_answer += usize::from(saved.outcome.is_some());
        drop(page);
        app.kill().await?;
        let known = notices::known(&home)?;
        let before = server.notified().len();

        app = App::start(&home, &display, &[]).await?;
        let outcome = finish(&app, &person, round, &saved)
            .await
            .with_context(|| format!("round {round}, killed after {delay:?}"))?;
        let got = tokio::time::timeout(PATIENCE, asker).await.context("the asker hangs")???;
        ensure!(got == outcome, "round {round}: {got:?}");
        notices::replaced(&server, before, &known)?;
    }
    let asked = person.asked(ROUNDS).await?;
    ensure!(asked.iter().all(|batch| batch.status == BatchStatus::Answered));
    ensure!(with_draft > 0 && with_draft < ROUNDS, "every kill came at the same point");
    eprintln!("{ROUNDS} kills, {with_draft} with a draft saved, {with_answer} with the answer");
    Ok(())
}

fn question(round: usize) -> String {
    format!("Where should revision {round} go first?")
}

/// The person chooses, notes and submits, and what the hub then has is taken down.
async fn work(
    app: &App,
    page: &Page,
    person: &Person,
    round: usize,
    saved: &mut Saved,
) -> Result<()> {
    let batch = asked(person, round).await?;
    app.open(Some(&batch.id)).await?;
    let dock = Dock::of(page, &batch.id).await?;
    let production = &batch.questions[0].options[1].id;
    dock.choose(production).await?;
    let chosen =
        |batch: &BatchDto| answer(batch).is_some_and(|one| one.selected == [&**production]);
    saved.answer = answer(&person.once(&batch.id, chosen).await?).cloned();
    dock.note(NOTE).await?;
    let noted =
        |batch: &BatchDto| answer(batch).is_some_and(|one| one.notes.as_deref() == Some(NOTE));
    saved.answer = answer(&person.once(&batch.id, noted).await?).cloned();
    dock.press("submit").await?;
    saved.outcome = person.once(&batch.id, |batch| batch.outcome.is_some()).await?.outcome;
    Ok(())
}

/// After the restart everything is as it was saved, in the hub and in the window, where the person
/// answers unless that was done already.
async fn finish(app: &App, person: &Person, round: usize, saved: &Saved) -> Result<Outcome> {
    let batch = asked(person, round).await?;
    if let Some(outcome) = batch.outcome {
        ensure!(saved.outcome.as_ref().is_none_or(|before| *before == outcome), "{outcome:?}");
        return Ok(outcome);
    }
    ensure!(saved.outcome.is_none(), "the answer was lost");
    let restored = answer(&batch).cloned().unwrap_or_default();
    if let Some(before) = &saved.answer {
        ensure!(restored.selected == before.selected, "restored {restored:?} of {before:?}");
        let (now, then) = (restored.notes.as_deref(), before.notes.as_deref());
        ensure!(now.unwrap_or_default().starts_with(then.unwrap_or_default()), "{restored:?}");
    }
    let page = app.page().await?;
    app.open(Some(&batch.id)).await?;
    let dock = Dock::of(&page, &batch.id).await?;
    ensure!(dock.chosen().await? == restored.selected, "{:?} on screen", dock.chosen().await?);
    if let Some(notes) = &restored.notes {
        ensure!(dock.noted().await? == *notes, "{:?} on screen", dock.noted().await?);
    }
    dock.choose(&batch.questions[0].options[1].id).await?;
    dock.press("submit").await?;
    let ended = person.once(&batch.id, |batch| batch.outcome.is_some()).await?;
    ended.outcome.context("it has one")
}

/// The round's batch, once its asker has come (back).
async fn asked(person: &Person, round: usize) -> Result<BatchDto> {
    let all = ListRequest { status: Some("all".into()), ..ListRequest::default() };
    let id = until("the question", || async {
        let listed = person.client.call::<BatchList>(&all).await?;
        Ok(listed.into_iter().find(|batch| batch.questions == [question(round)]).map(|one| one.id))
    })
    .await?;
    person.batch(&id).await
}

fn answer(batch: &BatchDto) -> Option<&DraftAnswer> {
    batch.draft.as_ref()?.answers.get("q1")
}
