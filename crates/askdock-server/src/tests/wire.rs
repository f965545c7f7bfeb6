//! Plain HTTP against a served fake.

use std::path::PathBuf;
use std::sync::Arc;

use askdock_wire::transport::{AGENT_TOKEN_FILE, PERSON_TOKEN_FILE};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::fake::Fake;
use crate::{Tokens, bind_socket, serve};

/// A server in front of a fake.
pub(super) struct Served {
    pub(super) fake: Arc<Fake>,
    pub(super) socket: PathBuf,
    pub(super) person: String,
    pub(super) agent: String,
    pub(super) stop: Option<oneshot::Sender<()>>,
    pub(super) server: JoinHandle<()>,
    _folder: TempDir,
}

impl Served {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("run/askdock.sock");
        let listener = bind_socket(&socket).unwrap();
        let tokens = Arc::new(Tokens::load_or_create(folder.path()).unwrap());
        let token = |file| std::fs::read_to_string(folder.path().join(file)).unwrap();
        let (person, agent) = (token(PERSON_TOKEN_FILE), token(AGENT_TOKEN_FILE));
        let (stop, stopped) = oneshot::channel::<()>();
        let fake = Fake::new();
        let server = tokio::spawn(serve(listener, fake.clone(), tokens, async {
            let _ = stopped.await;
        }));
        Self { fake, socket, person, agent, stop: Some(stop), server, _folder: folder }
    }

    pub(super) async fn connect(&self) -> Http {
        Http(BufReader::new(UnixStream::connect(&self.socket).await.unwrap()))
    }

    /// One request on a connection of its own, under the person's token.
    pub(super) async fn person(&self, line: &str, body: &str) -> (u16, Value) {
        self.ask(line, &[&bearer(&self.person), JSON], body).await
    }

    pub(super) async fn ask(&self, line: &str, headers: &[&str], body: &str) -> (u16, Value) {
        let mut http = self.connect().await;
        http.send(line, headers, body).await;
        http.response().await
    }
}

pub(super) const JSON: &str = "content-type: application/json";

pub(super) fn bearer(token: &str) -> String {
    format!("authorization: Bearer {token}")
}

/// One connection.
pub(super) struct Http(pub(super) BufReader<UnixStream>);

impl Http {
    pub(super) async fn send(&mut self, line: &str, headers: &[&str], body: &str) {
        let mut text = format!("{line} HTTP/1.1\r\nhost: localhost\r\n");
        for header in headers {
            text += &format!("{header}\r\n");
        }
        if !body.is_empty() {
            text += &format!("content-length: {}\r\n", body.len());
        }
        text += "\r\n";
        text += body;
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Status and JSON body; no body: null.
    pub(super) async fn response(&mut self) -> (u16, Value) {
        let head = self.head().await;
        let status = head[9..12].parse().unwrap();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.unwrap();
        if body.is_empty() {
            return (status, Value::Null);
        }
        assert!(head.contains("content-type: application/json"), "{head}");
        (status, serde_json::from_slice(&body).unwrap())
    }

    pub(super) async fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.0.read_line(&mut head).await.unwrap();
            assert!(read > 0, "closed after {head:?}");
        }
        head
    }
}

pub(super) fn code(body: &Value) -> &str {
    body["error"]["code"].as_str().unwrap_or_default()
}
