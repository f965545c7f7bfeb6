//! Connections and the server's end.

use super::wire::{Served, bearer, code};

#[tokio::test]
async fn a_client_that_leaves_is_no_longer_a_waiter() {
    let served = Served::new();
    let mut waiting = served.fake.waiting.subscribe();
    let mut closed = served.fake.closed.subscribe();
    let mut clients = vec![];
    for _ in 0..3 {
        let mut http = served.connect().await;
        http.send("GET /v1/batches/1/outcome?wait=-1", &[&bearer(&served.agent)], "").await;
        clients.push(http);
    }
    waiting.wait_for(|n| *n == 3).await.unwrap();
    let connection = served.fake.last_call().2.connection.unwrap();
    drop(clients.pop());
    waiting.wait_for(|n| *n == 2).await.unwrap();
    drop(clients);
    waiting.wait_for(|n| *n == 0).await.unwrap();
    closed.wait_for(|closed| closed.len() == 3 && closed.contains(&connection)).await.unwrap();
}

#[tokio::test]
async fn no_outcome_yet_is_204() {
    let served = Served::new();
    assert_eq!(served.person("GET /v1/batches/1/outcome", "").await, (204, ().into()));
}

#[tokio::test]
async fn a_fault_of_one_call_is_its_own() {
    let served = Served::new();
    let mut http = served.connect().await;
    let token = bearer(&served.person);
    http.send("GET /v1/settings", &[&token], "").await;
    let (status, body) = http.response().await;
    assert_eq!((status, code(&body)), (500, "internal"));
    assert!(!body.to_string().contains("a fault of the hub"), "{body}");
    http.send("GET /v1/health", &[], "").await;
    assert_eq!(http.response().await.0, 200);
}

#[tokio::test]
async fn a_stopping_server_sends_waiters_away_and_finishes_changes() {
    let mut served = Served::new();
    let token = bearer(&served.person);
    let (mut waiter, mut changer) = (served.connect().await, served.connect().await);
    waiter.send("GET /v1/batches/1/outcome?wait=-1", &[&token], "").await;
    changer.send("POST /v1/hub/handover", &[&token], "").await;
    let mut idle = served.connect().await;
    idle.send("GET /v1/health", &[], "").await;
    idle.response().await;
    served.fake.waiting.subscribe().wait_for(|n| *n == 1).await.unwrap();
    served.fake.changing.subscribe().wait_for(|n| *n == 1).await.unwrap();

    drop(served.stop.take());
    let (status, body) = waiter.response().await;
    assert_eq!((status, code(&body)), (503, "unavailable"));
    // The waiter is answered only after the socket was let go.
    assert!(tokio::net::UnixStream::connect(&served.socket).await.is_err());
    assert!(!served.server.is_finished());
    served.fake.finish.send_replace(true);
    assert_eq!(changer.response().await.0, 200);
    served.server.await.unwrap();
}
