//! Server-sent events.

use tokio::io::AsyncBufReadExt;

use super::wire::{Served, bearer, code};

#[tokio::test]
async fn events_have_number_type_and_json() {
    let served = Served::new();
    let check = async |target: &str, header: &str, expect: &[u64]| {
        let mut http = served.connect().await;
        http.send(&format!("GET {target}"), &[&bearer(&served.person), header], "").await;
        assert!(http.head().await.contains("content-type: text/event-stream"));
        for seq in expect {
            let mut lines = vec![];
            while lines.last().is_none_or(|line: &String| !line.is_empty()) || lines.len() < 2 {
                let mut line = String::new();
                http.0.read_line(&mut line).await.unwrap();
                lines.push(line.trim_end().to_owned());
            }
            lines.retain(|line| line.contains(": "));
            lines.sort();
            assert_eq!(
                lines,
                [
                    format!(r#"data: {{"seq":{seq},"type":"session_deleted","data":"s\n"}}"#),
                    "event: session_deleted".to_owned(),
                    format!("id: {seq}"),
                ]
            );
        }
    };
    check("/v1/events", "x: y", &[1, 2, 3]).await;
    check("/v1/events?after=2", "x: y", &[3]).await;
    check("/v1/events", "last-event-id: 1", &[2, 3]).await;
}

#[tokio::test]
async fn events_are_the_persons() {
    let served = Served::new();
    let (status, _) = served.ask("GET /v1/events", &[&bearer(&served.agent)], "").await;
    assert_eq!(status, 403);
    let (status, body) = served.person("GET /v1/events?after=x", "").await;
    assert_eq!((status, code(&body)), (422, "invalid"));
}

#[tokio::test]
async fn a_stopping_server_ends_the_stream() {
    let mut served = Served::new();
    let mut http = served.connect().await;
    http.send("GET /v1/events", &[&bearer(&served.person)], "").await;
    http.head().await;
    drop(served.stop.take());
    let mut line = String::new();
    while http.0.read_line(&mut line).await.unwrap() > 0 {}
    assert!(line.ends_with("0\r\n\r\n"), "{line}");
    served.server.await.unwrap();
}
