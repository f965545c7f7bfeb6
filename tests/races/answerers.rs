//! 64 answerers of one ask: HTTP clients, `askdock answer` processes, presses of the buttons of
//! its notification. One wins; everybody else is told who.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use askdock_tests::home::{Home, PATIENCE};
use askdock_tests::http::{Caller, Connection, Response};
use askdock_tests::notification_server::{NotificationServer, Notified, Persona};
use askdock_tests::session_bus::SessionBus;
use serde_json::{Value, json};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use crate::{SHOWN_ALONE, rounds};

const CLIENTS: usize = 52;
const PROCESSES: usize = 8;
const PRESSES: usize = 4;
const ANSWERERS: usize = CLIENTS + PROCESSES + PRESSES;
const LABELS: [&str; 2] = ["Staging", "Production"];
/// About what a process needs from its start to its request, so that each kind wins at times.
const HEAD_START: Duration = Duration::from_millis(40);

/// How one answerer fared.
enum Fared {
    Won(Value),
    Lost(Value),
    /// Pressed before the notification was closed.
    Pressed,
    /// Too late for a notification server to pass it on.
    PressedTooLate,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_64_answerers_wins_and_all_others_are_told_who() -> Result<()> {
    let bus = SessionBus::start().await?;
    let server = Arc::new(NotificationServer::start(bus.address(), Persona::xfce()).await?);
    let home = Arc::new(Home::with_bus(bus.address())?);
    let rounds = rounds(200);
    let mut winners = BTreeMap::<String, usize>::new();
    let mut round = 0;
    while round < rounds {
        let hub = home.serve().await?;
        let person = Caller::person(&home)?;
        let mut clients = vec![];
        for _ in 0..CLIENTS {
            clients.push(person.connect().await?);
        }
        for _ in 0..SHOWN_ALONE.min(rounds - round) {
            let race = Race { home: home.clone(), server: server.clone(), round };
            let (won, back) = race.run(clients).await.with_context(|| format!("round {round}"))?;
            *winners.entry(won).or_default() += 1;
            clients = back;
            round += 1;
        }
        hub.kill().await?;
    }
    let _hub = home.serve().await?;
    let person = Caller::person(&home)?;
    let answered = person.call("GET /v1/batches?status=answered", Value::Null).await?;
    ensure!(answered.expect(200)?.as_array().map(Vec::len) == Some(rounds));
    eprintln!("{rounds} races of {ANSWERERS} answerers, won {winners:?}");
    ensure!(rounds < 100 || winners.len() == 3, "not every kind of answerer ever won: {winners:?}");
    Ok(())
}

struct Race {
    home: Arc<Home>,
    server: Arc<NotificationServer>,
    round: usize,
}

impl Race {
    /// Who won, and the clients for the next race.
    async fn run(self, clients: Vec<Connection>) -> Result<(String, Vec<Connection>)> {
        let shown_before = self.server.notified().len();
        let question = format!("Where to, {}?", self.round);
        let ask = json!({ "session": "race",
            "questions": [{ "id": "go", "question": question, "options": LABELS }] });
        let agent = Caller::agent(&self.home)?;
        let asked = agent.call("POST /v1/batches", ask).await?.expect(201)?;
        let number = asked["number"].as_u64().context("a number")?;
        let mut waiting = agent.owning(&asked["session_secret"]).connect().await?;
        let line = format!("GET /v1/batches/{number}/outcome?wait=60");
        waiting.send(&line, Value::Null).await?;
        // A last word on the race before may come first.
        let asks = |notified: &Notified| notified.body == question;
        self.server.wait_until(|server| server.notified().iter().any(asks)).await?;
        let notice = self.server.notified().into_iter().find(asks).context("it was there")?;

        let start = Arc::new(Barrier::new(ANSWERERS));
        let mut racers: JoinSet<Result<(Fared, Option<Connection>)>> = JoinSet::new();
        for position in 0..PROCESSES {
            racers.spawn(answer_by_process(self.home.clone(), start.clone(), number, position));
        }
        for (position, client) in clients.into_iter().enumerate() {
            racers.spawn(answer_by_client(client, start.clone(), number, position));
        }
        for position in 0..PRESSES {
            let (server, notice) = (self.server.clone(), notice.clone());
            racers.spawn(press(server, notice, start.clone(), position));
        }
        let (mut won, mut lost, mut pressed, mut clients) = (vec![], vec![], false, vec![]);
        while let Some(raced) = tokio::time::timeout(PATIENCE, racers.join_next()).await? {
            let (fared, client) = raced??;
            clients.extend(client);
            match fared {
                Fared::Won(outcome) => won.push(outcome),
                Fared::Lost(outcome) => lost.push(outcome),
                Fared::Pressed => pressed = true,
                Fared::PressedTooLate => {}
            }
        }
        // What the agent got is what happened.
        let outcome = waiting.response().await?.expect(200)?;
        let via = outcome["responder"]["via"].as_str().context("a surface")?.to_owned();
        ensure!(outcome["status"] == "answered", "{outcome}");
        let by_press = usize::from(via == "notification");
        ensure!(won.len() + by_press == 1, "{} won, and {outcome}", won.len());
        ensure!(won.iter().all(|mine| *mine == outcome), "{won:?} is not {outcome}");
        ensure!(lost.len() + won.len() == CLIENTS + PROCESSES, "somebody was told nothing");
        let other = lost.iter().find(|winner| **winner != outcome);
        ensure!(other.is_none(), "told of {other:?} instead of {outcome}");
        if pressed && by_press == 0 {
            let told = format!("#{number} was answered by user, via {via}.");
            self.server.wait_until(|server| tells(server, shown_before, &told)).await?;
        }
        Ok((via, clients))
    }
}

fn tells(server: &NotificationServer, from: usize, text: &str) -> bool {
    server.notified().iter().skip(from).any(|notified| notified.body.contains(text))
}

/// Later ones are rarer: most of a race is at its start.
fn pause(most: Duration) -> Duration {
    most.mul_f64(fastrand::f64())
}

async fn answer_by_client(
    mut client: Connection,
    start: Arc<Barrier>,
    number: u64,
    position: usize,
) -> Result<(Fared, Option<Connection>)> {
    let label = LABELS[position % LABELS.len()];
    let body = json!({ "answer_id": format!("client-{position}"), "via": "browser",
        "answers": { "go": { "selected": [label], "notes": format!("by {position}") } } });
    start.wait().await;
    tokio::time::sleep(pause(HEAD_START)).await;
    let response = client.call(&format!("POST /v1/batches/{number}/answer"), body).await?;
    let fared = match response {
        Response { status: 200, body } => Fared::Won(body),
        other => Fared::Lost(other.refused(409, "already_ended")?["outcome"].clone()),
    };
    Ok((fared, Some(client)))
}

async fn answer_by_process(
    home: Arc<Home>,
    start: Arc<Barrier>,
    number: u64,
    position: usize,
) -> Result<(Fared, Option<Connection>)> {
    let number = number.to_string();
    let reply = LABELS[position % LABELS.len()];
    start.wait().await;
    let ran = home.run(&["answer", &number, reply, "--json"]).await?;
    let printed = ran.json()?;
    let fared = match ran.code {
        Some(0) => Fared::Won(printed),
        Some(1) if printed["error"]["code"] == "already_ended" => {
            Fared::Lost(printed["error"]["outcome"].clone())
        }
        _ => anyhow::bail!("{ran:?}"),
    };
    Ok((fared, None))
}

async fn press(
    server: Arc<NotificationServer>,
    notice: Notified,
    start: Arc<Barrier>,
    position: usize,
) -> Result<(Fared, Option<Connection>)> {
    let label = LABELS[position % LABELS.len()];
    let key = notice.key(label).with_context(|| format!("no button in {:?}", notice.actions))?;
    start.wait().await;
    // The bus is a longer way than the socket.
    tokio::time::sleep(pause(HEAD_START / 4)).await;
    server.click(notice.id, key).await?;
    // Still there: the press went out before the server could say that it had closed it.
    let in_time = server.shown().contains(&notice.id);
    Ok((if in_time { Fared::Pressed } else { Fared::PressedTooLate }, None))
}
