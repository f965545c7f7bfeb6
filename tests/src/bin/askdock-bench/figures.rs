//! The figures, each measured on the built programs.

use std::time::Instant;

use anyhow::{Context, Result};
use askdock_client::{Client, Role};
use askdock_store::{SqlError, Store, WriteError, events};
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::session_bus::SessionBus;
use askdock_wire::ops::{AnswerRequest, BatchAnswer, HealthGet, NoFields};
use askdock_wire::{AskRequest, AskResponse};
use serde_json::json;

use crate::desktop;
use crate::hub::BenchHub;
use crate::percentiles::Figure;

const SAMPLES: usize = 2000;
const CLIENTS: usize = 64;
const CYCLES: usize = 100;
/// Agents keep few sessions; a client shows the secrets of all that it has.
const SESSIONS: usize = 32;

/// Measures every figure whose name contains `only`.
pub(crate) async fn measure(only: Option<&str>) -> Result<Vec<Figure>> {
    let wanted = |name: &str| only.is_none_or(|only| name.contains(only));
    let mut figures = vec![];
    if wanted("floor: a bare commit") {
        figures.push(bare_commit()?);
    }
    let hub = BenchHub::start(None).await?;
    if wanted("floor: a bare request") {
        figures.push(bare_request(&hub).await?);
    }
    if wanted("ask → durable, id returned") {
        figures.push(ask_durable(&hub).await?);
    }
    if wanted("answer → agent has it") {
        figures.push(answer_delivered(&hub).await?);
    }
    if wanted("full cycles, 64 clients") {
        figures.push(cycles(&hub).await?);
    }
    drop(hub);
    if wanted("ask → Notify on the bus") {
        figures.push(ask_notified().await?);
    }
    if std::env::var_os("ASKDOCK_DESKTOP_BIN").is_some() {
        if wanted("ask → dock painted, window open") {
            figures.push(desktop::ask_painted().await?);
        }
        if wanted("idle minute in the tray") {
            figures.extend(desktop::idle_in_tray().await?);
        }
    }
    Ok(figures)
}

/// What one durable transaction costs here, through the same writer.
fn bare_commit() -> Result<Figure> {
    let folder = tempfile::tempdir()?;
    let store = Store::open(&folder.path().join("bare.db"))?;
    let mut times = vec![];
    for index in 0..SAMPLES {
        let (send, receive) = std::sync::mpsc::channel();
        let start = Instant::now();
        store.write(
            move |connection| events::append(connection, "bench", &index.to_string()),
            move |result: Result<u64, WriteError<SqlError>>| {
                send.send(result.is_ok()).unwrap_or_default()
            },
        );
        anyhow::ensure!(receive.recv()?, "the commit failed");
        times.push(start.elapsed());
    }
    Ok(Figure::times("floor: a bare commit", times))
}

async fn bare_request(hub: &BenchHub) -> Result<Figure> {
    let client = hub.client(Role::Agent);
    let mut times = vec![];
    for _ in 0..SAMPLES {
        let start = Instant::now();
        client.call::<HealthGet>(&NoFields {}).await?;
        times.push(start.elapsed());
    }
    Ok(Figure::times("floor: a bare request", times))
}

async fn ask_durable(hub: &BenchHub) -> Result<Figure> {
    let client = hub.client(Role::Agent);
    let person = hub.client(Role::Person);
    let mut times = vec![];
    for index in 0..SAMPLES {
        let start = Instant::now();
        let asked = client.ask(request("ask", index)).await?;
        times.push(start.elapsed());
        person.call::<BatchAnswer>(&answer(&asked)).await?;
    }
    Ok(Figure::times("ask → durable, id returned", times))
}

async fn answer_delivered(hub: &BenchHub) -> Result<Figure> {
    let client = hub.client(Role::Agent);
    let person = hub.client(Role::Person);
    let mut times = vec![];
    for index in 0..SAMPLES / 2 {
        let asked = client.ask(request("answer", index)).await?;
        let (waiter, id) = (client.clone(), asked.id.clone());
        let waiting = tokio::spawn(async move {
            let outcome = waiter.wait(&id).await;
            (Instant::now(), outcome)
        });
        waited_on(&person, &asked).await?;
        let start = Instant::now();
        person.call::<BatchAnswer>(&answer(&asked)).await?;
        let (got, outcome) = waiting.await?;
        outcome?.outcome.context("an outcome")?;
        times.push(got.saturating_duration_since(start));
    }
    Ok(Figure::times("answer → agent has it", times))
}

/// Returns once the hub has the waiter: its session counts as connected.
async fn waited_on(person: &Client, asked: &AskResponse) -> Result<()> {
    use askdock_wire::ops::{SessionGet, SessionIdRequest};
    let id = asked.session.clone();
    loop {
        let detail = person.call::<SessionGet>(&SessionIdRequest { id: id.clone() }).await?;
        if detail.session.connected {
            return Ok(());
        }
        tokio::task::yield_now().await;
    }
}

/// Agents that ask and wait, and a person that answers each at once.
async fn cycles(hub: &BenchHub) -> Result<Figure> {
    let start = Instant::now();
    let clients = (0..CLIENTS).map(|client| {
        let (agent, person) = (hub.client(Role::Agent), hub.client(Role::Person));
        tokio::spawn(async move {
            for cycle in 0..CYCLES {
                let asked = agent.ask(request("cycle", client * CYCLES + cycle)).await?;
                let (waiter, id) = (agent.clone(), asked.id.clone());
                let waiting = tokio::spawn(async move { waiter.wait(&id).await });
                person.call::<BatchAnswer>(&answer(&asked)).await?;
                waiting.await??;
            }
            anyhow::Ok(())
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await??;
    }
    let done = CLIENTS * CYCLES;
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let rate = done as f64 / start.elapsed().as_secs_f64();
    Ok(Figure::number("full cycles, 64 clients", "per s", rate, done))
}

/// From the ask to the call on the session bus; coalescing is kept out by answering each.
async fn ask_notified() -> Result<Figure> {
    let bus = SessionBus::start().await?;
    let server = NotificationServer::start(bus.address(), Persona::xfce()).await?;
    let mut times = vec![];
    for _ in 0..10 {
        let hub = BenchHub::start(Some(bus.address())).await?;
        let (client, person) = (hub.client(Role::Agent), hub.client(Role::Person));
        // More than three asks in ten seconds are shown as one.
        for index in 0..3 {
            let start = Instant::now();
            let asked = client.ask(request("notify", index)).await?;
            let notified = server.wait_notified(times.len() + 1).await?;
            times.push(notified.at.saturating_duration_since(start));
            person.call::<BatchAnswer>(&answer(&asked)).await?;
        }
    }
    Ok(Figure::times("ask → Notify on the bus", times))
}

pub(crate) fn request(what: &str, index: usize) -> AskRequest {
    let body = json!({
        "session": format!("{what}-{}", index % SESSIONS),
        "questions": [{
            "id": "target",
            "question": "Where should revision 42 go first?",
            "header": "Deploy target",
            "options": [
                { "label": "Staging (Recommended)", "description": "Mirror of production data" },
                { "label": "One production node", "description": "Canary at 5 % of traffic" },
                { "label": "Production", "description": "All nodes, at 22:00" },
            ],
        }],
    });
    #[expect(clippy::expect_used, reason = "the body above is an ask")]
    AskRequest::from_body(body).expect("a well-formed ask")
}

pub(crate) fn answer(asked: &AskResponse) -> AnswerRequest {
    AnswerRequest {
        id: asked.id.clone(),
        answers: Some(json!({ "target": { "selected": ["staging"] } })),
        reply: None,
        answer_id: None,
        content_hash: Some(asked.content_hash.clone()),
        via: None,
    }
}
