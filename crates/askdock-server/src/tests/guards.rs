//! Who is let in.

use std::sync::Arc;

use askdock_hub::ClientProgram;
use askdock_wire::ops::{Scope, TABLE};
use askdock_wire::{Code, WIRE_VERSION};
use axum::http::HeaderMap;
use tokio::io::AsyncWriteExt;

use super::fake::Fake;
use super::wire::{JSON, Served, bearer, code};
use crate::door::{Closing, Door};
use crate::guard::{Connection, admit};
use crate::{Tokens, peer};

/// Every row of the table under every token: the scope alone decides.
#[tokio::test]
async fn each_operation_takes_exactly_the_tokens_of_its_scope() {
    let served = Served::new();
    let unknown = "0".repeat(64);
    let short = served.person[..63].to_owned();
    for entry in TABLE {
        if ["batch.wait", "hub.handover", "settings.get"].contains(&entry.name) {
            continue; // The fake does more than record these.
        }
        let line = format!("{} {}", entry.method, entry.path.replace(['{', '}'], ""));
        let check = async |authorization: Option<String>, scope: Option<Scope>| {
            let headers: Vec<&str> = authorization.as_deref().into_iter().collect();
            let (_, body) = served.ask(&line, &headers, "").await;
            let denied = match (scope, entry.scope) {
                (_, Scope::Open) => None,
                (None, _) => Some("unauthorized"),
                (Some(Scope::Agent), Scope::Person) => Some("forbidden"),
                _ => None,
            };
            match denied {
                Some(denied) => assert_eq!(code(&body), denied, "{line} {authorization:?}"),
                // Let in: recorded, or the fields were missing.
                None => assert!(
                    matches!(code(&body), "" | "no_person" | "invalid"),
                    "{line} {authorization:?}: {body}"
                ),
            }
        };
        check(None, None).await;
        check(Some(bearer(&unknown)), None).await;
        check(Some(bearer(&short)), None).await;
        check(Some(bearer("")), None).await;
        check(Some(format!("authorization: Basic {}", served.person)), None).await;
        check(Some(bearer(&served.agent)), Some(Scope::Agent)).await;
        check(Some(bearer(&served.person)), Some(Scope::Person)).await;
    }
}

#[tokio::test]
async fn a_body_is_not_waited_for_when_the_caller_is_refused() {
    let served = Served::new();
    let mut http = served.connect().await;
    http.0
        .write_all(b"POST /v1/batches HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n")
        .await
        .unwrap();
    assert_eq!(http.response().await.0, 401);
    assert!(served.fake.calls.lock().unwrap().is_empty());
}

#[tokio::test]
async fn another_wire_version_is_refused_everywhere_but_at_health() {
    let served = Served::new();
    let check = async |version: &str, refused: bool| {
        let wire = format!("askdock-wire: {version}");
        let token = bearer(&served.agent);
        let (status, body) = served.ask("GET /v1/batches", &[&token, &wire], "").await;
        assert_eq!(status == 426, refused, "{version}");
        assert_eq!(code(&body) == "wire_version", refused, "{version}");
        assert_eq!(served.ask("GET /v1/health", &[&wire], "").await.0, 200, "{version}");
    };
    check(&WIRE_VERSION.to_string(), false).await;
    check(&format!("{WIRE_VERSION}.7"), false).await;
    check(&(WIRE_VERSION + 1).to_string(), true).await;
    check("0", true).await;
    check("x", true).await;
}

#[tokio::test]
async fn an_agents_descendant_may_not_act_as_the_person() {
    let served = Served::new();
    *served.fake.refuse_person.lock().unwrap() = true;
    for line in ["POST /v1/batches/1/answer", "GET /v1/sessions", "GET /v1/events"] {
        let (status, body) = served.person(line, "").await;
        assert_eq!((status, code(&body)), (403, "forbidden"), "{line}");
        assert_eq!(body["error"]["message"], "an agent waits", "{line}");
    }
    assert!(served.fake.calls.lock().unwrap().is_empty());
    // What an agent may do, it may do under the person's token too.
    assert_eq!(served.person("GET /v1/batches/1", "").await.0, 503);
}

#[tokio::test]
async fn the_caller_is_what_socket_token_and_headers_say() {
    let served = Served::new();
    let headers =
        [&bearer(&served.agent), "askdock-client: mcp", "askdock-session-secret: a, b", JSON];
    let mut http = served.connect().await;
    http.send("GET /v1/batches", &headers, "").await;
    http.response().await;
    let (_, _, caller) = served.fake.last_call();
    assert_eq!(caller.scope, Scope::Agent);
    assert_eq!(caller.program, ClientProgram::Mcp);
    assert_eq!(caller.session_secrets, ["a", "b"]);
    assert_eq!(caller.via, "cli");
    assert_eq!(caller.peer, peer::of(std::process::id()));
    assert_eq!(caller.peer.unwrap().process.pid, std::process::id());

    // The same connection is the same, another is another.
    http.send("GET /v1/batches", &[&bearer(&served.person)], "").await;
    http.response().await;
    let (_, _, again) = served.fake.last_call();
    assert_eq!((again.scope, again.connection), (Scope::Person, caller.connection));
    assert_eq!(again.program, ClientProgram::Other);
    served.person("GET /v1/batches", "").await;
    assert_ne!(served.fake.last_call().2.connection, caller.connection);
}

#[tokio::test]
async fn other_users_of_the_machine_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = Arc::new(Tokens::load_or_create(folder.path()).unwrap());
    let (_close, closing) = tokio::sync::watch::channel(false);
    let door = Door { host: Fake::new(), tokens, closing: Closing::new(closing) };
    let own = rustix::process::geteuid().as_raw();
    let check = |uid: Option<u32>, admitted: bool| {
        let connection = Connection::new(1, uid, None);
        let result = admit(&door, &connection, &HeaderMap::new(), Scope::Open);
        assert_eq!(result.is_ok(), admitted, "{uid:?}");
        assert!(result.err().is_none_or(|error| error.code == Code::Forbidden), "{uid:?}");
    };
    check(Some(own), true);
    check(Some(own + 1), false);
    check(None, false);
}
