use std::time::Duration;

use askdock_wire::ops::{
    AnswerRequest, BatchAnswer, BatchList, HealthGet, ListRequest, NoFields, SessionList,
};
use askdock_wire::transport::PERSON_TOKEN_FILE;
use askdock_wire::{BatchStatus, Code, Delta};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use super::running::{Home, question};
use crate::{Client, ClientError, HubFile, Role};

async fn answer(person: &Client, id: &str) {
    let request: AnswerRequest =
        serde_json::from_value(serde_json::json!({"id": id, "reply": "Yes"})).unwrap();
    person.call::<BatchAnswer>(&request).await.unwrap();
}

/// Until somebody waits on a batch of the only session.
async fn waited_on(person: &Client) {
    while !person.call::<SessionList>(&NoFields {}).await.unwrap()[0].connected {}
}

#[tokio::test]
async fn without_a_hub_the_error_says_what_to_do() {
    let home = Home::new();
    let error = home.client(Role::Agent).ask(question("?")).await.unwrap_err();
    assert!(matches!(error, ClientError::NoHub));
    assert_eq!(
        error.to_string(),
        "No Askdock hub is running; start it with `askdock serve` or open the app."
    );
    // A hub that died left its file.
    home.start_hub().crash().await;
    let reached = home.client(Role::Agent).reach().await;
    assert!(matches!(reached, Err(ClientError::NoHub)));
}

#[tokio::test]
async fn ask_wait_answer_acknowledge() {
    let home = Home::new();
    let running = home.start_hub();
    let (agent, person) = (home.client(Role::Agent), home.client(Role::Person));
    let asked = agent.ask(question("Deploy?")).await.unwrap();
    assert!(asked.created);
    assert!(agent.outcome(&asked.id, Duration::ZERO).await.unwrap().is_none());
    let (waited, ()) = tokio::join!(agent.wait(&asked.id), answer(&person, &asked.id));
    let outcome = waited.unwrap().outcome.unwrap();
    assert_eq!(outcome.status, BatchStatus::Answered);
    assert_eq!(outcome.answers["q1"].selected[0].label, "Yes");
    agent.ack("#1").await.unwrap();

    // Another client of the same agent has to show the secret.
    let other = home.client(Role::Agent);
    let refused = other.outcome("1", Duration::ZERO).await.unwrap_err();
    assert_eq!(refused.code(), Some(Code::Forbidden));
    other.show_secret(&asked.session_secret);
    assert!(other.outcome("1", Duration::ZERO).await.unwrap().is_some());
    running.stop().await;
}

#[tokio::test]
async fn a_wait_survives_a_stop_a_crash_and_another_socket() {
    let home = Home::new();
    let first = home.start_hub();
    let agent = home.client(Role::Agent);
    let asked = agent.ask(question("Deploy?")).await.unwrap();
    let waiter = tokio::spawn({
        let agent = agent.clone();
        async move { agent.wait(&asked.id).await }
    });
    let person = home.client(Role::Person);
    waited_on(&person).await;
    first.stop().await;
    let second = home.start_hub();
    waited_on(&person).await;
    second.crash().await;
    // The next one can't have the same socket.
    let run = home.paths.sockets()[0].parent().unwrap().to_owned();
    std::fs::remove_dir_all(&run).unwrap();
    std::fs::write(&run, "").unwrap();
    let third = home.start_hub();
    waited_on(&person).await;
    assert!(!waiter.is_finished());
    answer(&person, "1").await;
    let outcome = waiter.await.unwrap().unwrap().outcome.unwrap();
    assert_eq!(outcome.status, BatchStatus::Answered);
    third.stop().await;
}

#[tokio::test]
async fn an_ask_whose_response_was_lost_is_asked_once() {
    let home = Home::new();
    let running = home.start_quietly();
    // In front of the hub: passes the ask on, and breaks before its response comes back.
    let front = home.paths.data().join("front.sock");
    let listener = UnixListener::bind(&front).unwrap();
    let hub_socket = running.file.socket.clone();
    let announced = running.file.clone();
    HubFile { socket: front.clone(), ..running.file.clone() }.announce(&home.paths).unwrap();
    let paths = home.paths.clone();
    let breaks = tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut hub = UnixStream::connect(hub_socket).await.unwrap();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            tokio::select! {
                read = client.read(&mut buffer) => {
                    hub.write_all(&buffer[..read.unwrap()]).await.unwrap();
                }
                // It is durable.
                _ = hub.readable() => break,
            }
        }
        drop((client, listener));
        announced.announce(&paths).unwrap();
    });
    let asked = home.client(Role::Agent).ask(question("Deploy?")).await.unwrap();
    breaks.await.unwrap();
    assert!(!asked.created);
    let all = home.client(Role::Person).call::<BatchList>(&ListRequest::default()).await.unwrap();
    assert_eq!(all.len(), 1);
    running.stop().await;
}

#[tokio::test]
async fn a_client_outlives_hubs_and_tokens() {
    let home = Home::new();
    let person = home.client(Role::Person);
    let first = home.start_hub();
    let health = person.call::<HealthGet>(&NoFields {}).await.unwrap();
    assert_eq!(health.hub, first.file.hub);
    person.call::<BatchList>(&ListRequest::default()).await.unwrap();
    first.stop().await;
    std::fs::remove_file(home.paths.data().join(PERSON_TOKEN_FILE)).unwrap();
    let second = home.start_hub();
    let health = person.call::<HealthGet>(&NoFields {}).await.unwrap();
    assert_eq!(health.hub, second.file.hub);
    person.call::<BatchList>(&ListRequest::default()).await.unwrap();
    second.stop().await;
}

#[tokio::test]
async fn a_hub_of_another_wire_version_is_not_spoken_to() {
    let home = Home::new();
    let running = home.start_quietly();
    HubFile { wire: 99, ..running.file.clone() }.announce(&home.paths).unwrap();
    let error = home.client(Role::Agent).wait("1").await.unwrap_err();
    assert_eq!(error.code(), Some(Code::WireVersion));
    running.stop().await;
}

#[tokio::test]
async fn a_dropped_wait_leaves_at_once() {
    let home = Home::new();
    let running = home.start_hub();
    let agent = home.client(Role::Agent);
    let asked = agent.ask(question("Deploy?")).await.unwrap();
    let waiter = tokio::spawn({
        let (agent, id) = (agent.clone(), asked.id.clone());
        async move { agent.wait(&id).await }
    });
    let person = home.client(Role::Person);
    let mut events = person.events(None).await.unwrap();
    let Delta::Snapshot(snapshot) = events.next().await.unwrap().unwrap().delta else { panic!() };
    assert_eq!(snapshot.pending.len(), 1);
    waiter.abort();
    drop(agent);
    // The hub says so after its grace.
    let away = async {
        loop {
            if let Delta::Batch(batch) = events.next().await.unwrap().unwrap().delta
                && batch.away
            {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), away).await.unwrap();
    running.stop().await;
    while events.next().await.unwrap().is_some() {}
}
