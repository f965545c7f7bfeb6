//! One `request_id` from 32 clients at once: one batch, one notification.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use askdock_tests::home::Home;
use askdock_tests::http::{Caller, Connection};
use askdock_tests::notification_server::{NotificationServer, Persona};
use askdock_tests::session_bus::SessionBus;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::{SHOWN_ALONE, rounds};

const CLIENTS: usize = 28;
const PROCESSES: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_from_32_clients_is_one_batch_and_one_notification() -> Result<()> {
    let bus = SessionBus::start().await?;
    let server = NotificationServer::start(bus.address(), Persona::xfce()).await?;
    let home = Arc::new(Home::with_bus(bus.address())?);
    let rounds = rounds(99);
    let mut round = 0;
    while round < rounds {
        let hub = home.serve().await?;
        let mut clients = vec![];
        for _ in 0..CLIENTS {
            clients.push(Caller::agent(&home)?.connect().await?);
        }
        for _ in 0..SHOWN_ALONE.min(rounds - round) {
            let (number, created, back) =
                ask(&home, clients, round).await.with_context(|| format!("round {round}"))?;
            clients = back;
            round += 1;
            ensure!(number == round, "key {round} is batch {number}");
            // An `askdock` that only prints the number doesn't say whether it was the first.
            ensure!(created <= 1, "{created} of them were new");
            server.wait_notified(round).await?;
            let line = format!("POST /v1/batches/{number}/dismiss");
            Caller::person(&home)?.call(&line, json!({})).await?.expect(200)?;
        }
        hub.kill().await?;
    }
    let _hub = home.serve().await?;
    let person = Caller::person(&home)?;
    let all = person.call("GET /v1/batches?status=all", Value::Null).await?.expect(200)?;
    ensure!(
        all.as_array().map(Vec::len) == Some(rounds),
        "{} batches",
        all.as_array().map_or(0, Vec::len)
    );
    let notified = server.notified();
    ensure!(notified.len() == rounds, "{} notifications", notified.len());
    eprintln!("{rounds} keys from {} clients each: {rounds} batches", CLIENTS + PROCESSES);
    Ok(())
}

/// The number that all got, how many of the HTTP clients were told that theirs was new, and
/// the clients for the next key.
async fn ask(
    home: &Arc<Home>,
    clients: Vec<Connection>,
    round: usize,
) -> Result<(usize, usize, Vec<Connection>)> {
    let start = Arc::new(Barrier::new(CLIENTS + PROCESSES));
    let mut asking: JoinSet<Result<(Value, bool, Option<Connection>)>> = JoinSet::new();
    for mut client in clients {
        let start = start.clone();
        asking.spawn(async move {
            let body = json!({ "session": "keys", "request_id": format!("key-{round}"),
                "questions": [{ "question": "Go?", "options": ["Yes", "No"] }] });
            start.wait().await;
            let asked = client.call("POST /v1/batches", body).await?;
            let status = if asked.body["created"] == true { 201 } else { 200 };
            let asked = asked.expect(status)?;
            Ok((asked["number"].clone(), status == 201, Some(client)))
        });
    }
    for _ in 0..PROCESSES {
        let (start, home) = (start.clone(), home.clone());
        asking.spawn(async move {
            start.wait().await;
            let key = format!("key-{round}");
            let ask = ["ask", "--question", "Go?", "--option", "Yes", "--option", "No"];
            let named = ["--session", "keys", "--request-id", &key, "--no-wait", "--json"];
            let ran = home.run(&[&ask[..], &named].concat()).await?;
            ensure!(ran.code == Some(0), "{ran:?}");
            Ok((ran.json()?["number"].clone(), false, None))
        });
    }
    let (mut numbers, mut created, mut back) = (vec![], 0, vec![]);
    while let Some(asked) = asking.join_next().await {
        let (number, new, client) = asked??;
        numbers.push(number);
        created += usize::from(new);
        back.extend(client);
    }
    let first = numbers[0].clone();
    ensure!(numbers.iter().all(|number| *number == first), "{numbers:?}");
    let number = first.as_u64().context("a number")?;
    Ok((usize::try_from(number)?, created, back))
}
