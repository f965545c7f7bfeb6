//! How a request is read.

use askdock_domain::limits;
use askdock_wire::ops::TABLE;
use serde_json::{Value, json};

use super::wire::{JSON, Served, bearer, code};

#[tokio::test]
async fn path_query_and_body_are_one_request() {
    let served = Served::new();
    let check = async |line: &str, body: Value, name: &str, field: &str, expect: Value| {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (status, response) = served.person(line, &body).await;
        assert_eq!(status, 503, "{line}: {response}");
        let (called, request, _) = served.fake.last_call();
        assert_eq!((called, &request[field]), (name, &expect), "{line}");
    };
    check("GET /v1/batches/%2342", Value::Null, "batch.get", "id", json!("#42")).await;
    check("GET /v1/batches?after=7", Value::Null, "batch.list", "after", json!(7)).await;
    check("GET /v1/batches?session=a%26b+c", Value::Null, "batch.list", "session", json!("a&b c"))
        .await;
    // The path names the batch, whatever else does.
    let other = json!({"id": "2", "reason": "body"});
    check("POST /v1/batches/1/cancel?id=3", other.clone(), "batch.cancel", "id", json!("1")).await;
    check("POST /v1/batches/1/cancel?reason=q", other, "batch.cancel", "reason", json!("body"))
        .await;
    check("POST /v1/batches/1/cancel?reason=q", Value::Null, "batch.cancel", "reason", json!("q"))
        .await;
    let end = "POST /v1/sessions/s%2F1/turns/t/end";
    check(end, json!({}), "turn.end", "session", json!("s/1")).await;
    check(end, json!({}), "turn.end", "turn", json!("t")).await;
    // An ask may be any JSON.
    check("POST /v1/batches", json!(["Which?"]), "batch.ask", "input", json!(["Which?"])).await;
    let question = json!({"question": "Which?", "session": "s"});
    let input = json!({"question": "Which?"});
    check("POST /v1/batches", question, "batch.ask", "input", input).await;
}

#[tokio::test]
async fn every_operation_has_its_route() {
    let served = Served::new();
    for entry in TABLE {
        let line = format!("{} {}?wait=", entry.method, entry.path.replace(['{', '}'], ""));
        if entry.name == "hub.handover" {
            continue; // Waits until it may finish.
        }
        let (status, body) = served.person(&line, "").await;
        assert_ne!(status, 404, "{line}: {body}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_in_json() {
    let served = Served::new();
    let check = async |line: &str, expect: &str| {
        let (status, body) = served.person(line, "").await;
        assert_eq!((status, code(&body)), (404, "not_found"), "{line}");
        assert_eq!(body["error"]["message"], expect, "{line}");
    };
    check("GET /", "There is nothing at /; GET /v1/health always answers.").await;
    check("GET /v1/nothing", "There is nothing at /v1/nothing; GET /v1/health always answers.")
        .await;
    check("PUT /v1/batches", "PUT is not possible here, use POST or GET.").await;
    check("POST /v1/events", "POST is not possible here, use GET.").await;
}

#[tokio::test]
async fn a_body_is_json_or_refused() {
    let served = Served::new();
    let token = bearer(&served.agent);
    let check = async |headers: &[&str], body: &str, message: &str| {
        let mut all = vec![token.as_str()];
        all.extend(headers);
        let (status, response) = served.ask("POST /v1/batches", &all, body).await;
        assert_eq!((status, code(&response)), (422, "invalid"), "{body}");
        let said = response["error"]["message"].as_str().unwrap();
        assert!(said.contains(message), "{body}: {said}");
    };
    check(&["content-type: text/plain"], "{}", "application/json").await;
    check(&["content-type: application/x-www-form-urlencoded"], "{}", "application/json").await;
    check(&[], "{}", "application/json").await;
    check(&[JSON], "{\"a\":", "not JSON").await;
    check(&[JSON], "{} {}", "not JSON").await;
    let headers = [token.as_str(), "content-type: Application/JSON; charset=utf-8"];
    assert_eq!(served.ask("POST /v1/batches", &headers, "{}").await.0, 503);
    let (status, body) = served.person("POST /v1/batches/1/cancel", "[]").await;
    assert_eq!((status, code(&body)), (422, "invalid"));
}

#[tokio::test]
async fn a_body_may_have_its_limit_and_not_a_byte_more() {
    let served = Served::new();
    let token = bearer(&served.agent);
    let check = async |size: usize, expect: u16| {
        let body = format!("\"{}\"", "x".repeat(size - 2));
        let (status, _) = served.ask("POST /v1/batches", &[&token, JSON], &body).await;
        assert_eq!(status, expect, "{size}");
    };
    let limit = limits::BATCH.max + 64 * 1024;
    check(limit, 503).await;
    check(limit + 1, 413).await;
    check(20 * limit, 413).await;
    // 32 long typed answers with long notes are more than a batch.
    let long = "x".repeat(64 * 1024);
    let answers: Vec<_> = (0..32).map(|_| json!({"text": long, "notes": long})).collect();
    let body = json!({ "answers": answers }).to_string();
    assert_eq!(served.person("POST /v1/batches/1/answer", &body).await.0, 503);
}

#[tokio::test]
async fn an_endless_head_is_cut_off() {
    let served = Served::new();
    let mut http = served.connect().await;
    let header = format!("x: {}", "y".repeat(200 * 1024));
    let text = format!("GET /v1/health HTTP/1.1\r\n{header}\r\n\r\n");
    // The server may close before everything is written.
    let _ = tokio::io::AsyncWriteExt::write_all(&mut http.0, text.as_bytes()).await;
    assert!(http.head().await.starts_with("HTTP/1.1 431"));
}
