//! Plain HTTP over the hub's socket, as `curl` would speak it.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use askdock_client::HubFile;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use crate::home::{Home, PATIENCE};

/// A header of most requests.
pub const JSON: &str = "content-type: application/json";

/// Somebody who calls the hub that runs in a home, under one token.
#[derive(Debug, Clone)]
pub struct Caller {
    socket: PathBuf,
    headers: Vec<String>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// JSON body; absent: null.
    pub body: Value,
}

impl Response {
    /// The stable code of an error; empty: it is none.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    /// The body, if the status is this one.
    ///
    /// # Errors
    /// It is another.
    pub fn expect(self, status: u16) -> Result<Value> {
        ensure!(self.status == status, "{} instead of {status}: {}", self.status, self.body);
        Ok(self.body)
    }

    /// Checks that this is the error `code` with this status and a sentence, and returns it.
    ///
    /// # Errors
    /// It isn't.
    pub fn refused(self, status: u16, code: &str) -> Result<Value> {
        ensure!((self.status, self.code()) == (status, code), "{self:?}");
        let message = self.body["error"]["message"].as_str().unwrap_or_default();
        ensure!(message.ends_with(['.', ')']), "no sentence: {message:?}");
        ensure!(self.body.as_object().is_some_and(|body| body.len() == 1), "{self:?}");
        Ok(self.body["error"].clone())
    }
}

impl Caller {
    /// The person.
    ///
    /// # Errors
    /// No hub has run in this home.
    pub fn person(home: &Home) -> Result<Self> {
        Self::with_token_of(home, "person.token")
    }

    /// An agent.
    ///
    /// # Errors
    /// As [`Caller::person`].
    pub fn agent(home: &Home) -> Result<Self> {
        Self::with_token_of(home, "agent.token")
    }

    /// Somebody without a token.
    ///
    /// # Errors
    /// As [`Caller::person`].
    pub fn nobody(home: &Home) -> Result<Self> {
        let hub = HubFile::read(&home.paths()).context("no hub has run")?;
        Ok(Self { socket: hub.socket, headers: vec![] })
    }

    fn with_token_of(home: &Home, file: &str) -> Result<Self> {
        let token = std::fs::read_to_string(home.path().join(file))?;
        Ok(Self::nobody(home)?.with(&format!("authorization: Bearer {}", token.trim())))
    }

    /// The same with one header more.
    #[must_use]
    pub fn with(mut self, header: &str) -> Self {
        self.headers.push(header.to_owned());
        self
    }

    /// The same agent, as the one to whom the hub gave `secret`.
    #[must_use]
    pub fn owning(self, secret: &Value) -> Self {
        let secret = secret.as_str().unwrap_or_default();
        self.with(&format!("askdock-session-secret: {secret}"))
    }

    /// A connection of its own.
    ///
    /// # Errors
    /// Nobody listens.
    pub async fn connect(&self) -> Result<Connection> {
        let stream = UnixStream::connect(&self.socket).await.context("nobody listens")?;
        Ok(Connection { stream: BufReader::new(stream), headers: self.headers.clone() })
    }

    /// One request on a connection of its own; a body that is null is left out.
    ///
    /// # Errors
    /// Nobody listens, or the hub went away.
    pub async fn call(&self, line: &str, body: Value) -> Result<Response> {
        self.connect().await?.call(line, body).await
    }

    /// [`Caller::call`] with a body that needn't be JSON and the content type `kind`.
    ///
    /// # Errors
    /// As [`Caller::call`].
    pub async fn call_raw(&self, line: &str, kind: &str, body: &str) -> Result<Response> {
        let mut connection = self.connect().await?;
        connection.send_raw(line, &[kind], body).await?;
        connection.response().await
    }
}

/// One connection, kept alive.
pub struct Connection {
    stream: BufReader<UnixStream>,
    headers: Vec<String>,
}

impl Connection {
    /// Sends a request and reads its response.
    ///
    /// # Errors
    /// The hub went away.
    pub async fn call(&mut self, line: &str, body: Value) -> Result<Response> {
        self.send(line, body).await?;
        self.response().await
    }

    /// Sends a request; a body that is null is left out.
    ///
    /// # Errors
    /// The hub went away.
    pub async fn send(&mut self, line: &str, body: Value) -> Result<()> {
        if body.is_null() {
            return self.send_raw(line, &[], "").await;
        }
        self.send_raw(line, &[JSON], &body.to_string()).await
    }

    async fn send_raw(&mut self, line: &str, headers: &[&str], body: &str) -> Result<()> {
        let mut text = format!("{line} HTTP/1.1\r\nhost: localhost\r\n");
        for header in self.headers.iter().map(String::as_str).chain(headers.iter().copied()) {
            text += &format!("{header}\r\n");
        }
        text += &format!("content-length: {}\r\n\r\n{body}", body.len());
        Ok(self.stream.write_all(text.as_bytes()).await?)
    }

    /// Reads one response.
    ///
    /// # Errors
    /// The hub went away, what came isn't HTTP with a JSON body, or nothing comes.
    pub async fn response(&mut self) -> Result<Response> {
        tokio::time::timeout(PATIENCE, self.read_response()).await.context("no response")?
    }

    async fn read_response(&mut self) -> Result<Response> {
        let head = self.head().await?;
        let status = head.get(9..12).context("a status")?.parse()?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(Ok(0), str::parse)?];
        self.stream.read_exact(&mut body).await?;
        if body.is_empty() {
            return Ok(Response { status, body: Value::Null });
        }
        ensure!(head.contains("content-type: application/json\r\n"), "{head}");
        Ok(Response { status, body: serde_json::from_slice(&body)? })
    }

    /// Goes on with the response's head read: the lines of server-sent events.
    ///
    /// # Errors
    /// The hub refuses, or went away.
    pub async fn events(mut self) -> Result<Events> {
        let head = self.head().await?;
        ensure!(head.starts_with("HTTP/1.1 200"), "{head}");
        ensure!(head.contains("content-type: text/event-stream\r\n"), "{head}");
        Ok(Events { stream: self.stream })
    }

    async fn head(&mut self) -> Result<String> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.stream.read_line(&mut head).await?;
            ensure!(read > 0, "the hub closed after {head:?}");
        }
        Ok(head)
    }
}

/// A stream of server-sent events.
pub struct Events {
    stream: BufReader<UnixStream>,
}

/// One server-sent event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number.
    pub id: u64,
    /// Its type.
    pub kind: String,
    /// Its data.
    pub data: Value,
}

impl Events {
    /// The next event.
    ///
    /// # Errors
    /// The stream ends, isn't one of events, or nothing comes.
    pub async fn next(&mut self) -> Result<Event> {
        tokio::time::timeout(PATIENCE, self.read()).await.context("no event")?
    }

    async fn read(&mut self) -> Result<Event> {
        let (mut id, mut kind, mut data) = (None, None, None);
        loop {
            let mut line = String::new();
            ensure!(self.stream.read_line(&mut line).await? > 0, "the stream ended");
            // The lengths of the chunks and the empty lines between them are passed over.
            match line.trim_end().split_once(": ") {
                Some(("id", value)) => id = Some(value.parse()?),
                Some(("event", value)) => kind = Some(value.to_owned()),
                Some(("data", value)) => data = Some(serde_json::from_str(value)?),
                Some(other) => bail!("an unknown field {other:?}"),
                None => {}
            }
            if let (Some(id), Some(kind), Some(data)) = (id, kind.as_ref(), data.as_ref()) {
                return Ok(Event { id, kind: String::clone(kind), data: Value::clone(data) });
            }
        }
    }

    /// The next event of this kind; others are passed over.
    ///
    /// # Errors
    /// As [`Events::next`].
    pub async fn next_of(&mut self, kind: &str) -> Result<Event> {
        loop {
            let event = self.next().await?;
            if event.kind == kind {
                return Ok(event);
            }
        }
    }
}
