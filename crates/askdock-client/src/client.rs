//! The typed client.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askdock_wire::ops::Operation;
use askdock_wire::transport::{AGENT_TOKEN_FILE, PERSON_TOKEN_FILE, programs};
use askdock_wire::{Code, ErrorBody, WIRE_VERSION};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Incoming;
use serde_json::Value;

use crate::http::{Connection, Pool, disconnected};
use crate::request::{Credentials, Outgoing};
use crate::{ClientError, HubFile, Paths};

/// Sessions that one client can show as its own at a time, the most recently used.
pub(crate) const SECRETS: usize = 64;
/// How long a call that isn't a wait may take: longer than a commit behind a busy disk.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whose token is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Answers, dismisses, sees everything.
    Person,
    /// Asks, waits, cancels its own.
    Agent,
}

/// What the client program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// The command line.
    Cli,
    /// The MCP server.
    Mcp,
    /// A hook.
    Hook,
}

/// A client of whichever hub runs. Cheap to clone; clones share connections and secrets. Making
/// one does no I/O; a hub that is replaced meanwhile is found again at the next call.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) paths: Paths,
    role: Role,
    program: Program,
    pool: Pool,
    token: Mutex<Option<String>>,
    secrets: Mutex<Vec<String>>,
    pub(crate) say: Option<Say>,
}

/// Where a started hub is announced.
pub(crate) type Say = Box<dyn Fn(&str) + Send + Sync>;

impl Client {
    /// A client that doesn't start a hub.
    pub fn new(paths: Paths, role: Role, program: Program) -> Self {
        Self::with(paths, role, program, None)
    }

    /// A client whose [`Client::ask`] starts a hub where none runs, and says so through `say`;
    /// unless the person set `ASKDOCK_NO_START`.
    pub fn starting_hubs(
        paths: Paths,
        role: Role,
        program: Program,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        let forbidden = std::env::var_os("ASKDOCK_NO_START").is_some_and(|value| !value.is_empty());
        let say: Option<Say> = (!forbidden).then(|| Box::new(say) as Say);
        Self::with(paths, role, program, say)
    }

    /// A client of a hub that runs now.
    ///
    /// # Errors
    /// `NoHub`, `WireVersion`.
    pub async fn connect(paths: Paths, role: Role, program: Program) -> Result<Self, ClientError> {
        let client = Self::new(paths, role, program);
        client.reach().await?;
        Ok(client)
    }

    fn with(paths: Paths, role: Role, program: Program, say: Option<Say>) -> Self {
        Self {
            inner: Arc::new(Inner {
                paths,
                role,
                program,
                pool: Pool::default(),
                token: Mutex::default(),
                secrets: Mutex::default(),
                say,
            }),
        }
    }

    /// Where this client looks for the hub.
    pub fn paths(&self) -> &Paths {
        &self.inner.paths
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Shows this secret of a session with every later call: the session is the caller's own.
    /// [`Client::ask`] does it with the one that it gets.
    pub fn show_secret(&self, secret: &str) {
        let mut secrets = self.inner.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.retain(|known| known != secret);
        secrets.push(secret.to_owned());
        // All are sent with each call, and a request's head has its limit.
        let surplus = secrets.len().saturating_sub(SECRETS);
        secrets.drain(..surplus);
    }

    /// Whether a hub accepts connections now.
    ///
    /// # Errors
    /// `NoHub`, `WireVersion`.
    pub async fn reach(&self) -> Result<(), ClientError> {
        self.inner.pool.open(&self.socket()?).await
    }

    /// Carries out one operation. For waiting use [`Client::wait`].
    ///
    /// # Errors
    /// The hub's refusal, or no way to it. After `Disconnected` and `TooSlow` it is not known
    /// whether it was carried out.
    pub async fn call<O: Operation>(
        &self,
        request: &O::Request,
    ) -> Result<O::Response, ClientError> {
        tokio::time::timeout(PATIENCE, self.call_patiently::<O>(request))
            .await
            .unwrap_or(Err(ClientError::TooSlow(PATIENCE.as_secs())))
    }

    /// [`Client::call`] without a limit of time.
    pub(crate) async fn call_patiently<O: Operation>(
        &self,
        request: &O::Request,
    ) -> Result<O::Response, ClientError> {
        let fields = serde_json::to_value(request).map_err(|error| unreadable(&error))?;
        let (response, connection) = self.send(Outgoing::new(&O::ENTRY, fields)?).await?;
        let body =
            response.into_body().collect().await.map_err(|error| disconnected(&error))?.to_bytes();
        self.inner.pool.keep(connection);
        let json = if body.is_empty() { Value::Null } else { parsed(&body)? };
        serde_json::from_value(json).map_err(|error| unreadable(&error))
    }

    /// Sends, and returns a successful response that is still to be read.
    pub(crate) async fn send(
        &self,
        outgoing: Outgoing,
    ) -> Result<(Response<Incoming>, Connection), ClientError> {
        match self.send_once(outgoing.clone()).await {
            // The tokens may have been replaced since ours was read.
            Err(error) if error.code() == Some(Code::Unauthorized) => {
                *self.inner.token.lock().unwrap_or_else(PoisonError::into_inner) = None;
                self.send_once(outgoing).await
            }
            result => result,
        }
    }

    async fn send_once(
        &self,
        outgoing: Outgoing,
    ) -> Result<(Response<Incoming>, Connection), ClientError> {
        let socket = self.socket()?;
        let token = self.token()?;
        let secrets = self.inner.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let program = match self.inner.program {
            Program::Cli => programs::CLI,
            Program::Mcp => programs::MCP,
            Program::Hook => programs::HOOK,
        };
        let request =
            outgoing.into_http(&Credentials { token: &token, program, secrets: &secrets })?;
        let (response, connection) = self.inner.pool.send(&socket, request).await?;
        if response.status().is_success() {
            return Ok((response, connection));
        }
        let status = response.status();
        let body =
            response.into_body().collect().await.map_err(|error| disconnected(&error))?.to_bytes();
        self.inner.pool.keep(connection);
        match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(ErrorBody { error }) => Err(ClientError::Refused(error)),
            Err(_) => Err(ClientError::Unreadable(format!("HTTP status {status}"))),
        }
    }

    fn socket(&self) -> Result<PathBuf, ClientError> {
        let hub = HubFile::read(&self.inner.paths).ok_or(ClientError::NoHub)?;
        if hub.wire != WIRE_VERSION {
            return Err(ClientError::WireVersion { theirs: hub.wire });
        }
        Ok(hub.socket)
    }

    fn token(&self) -> Result<String, ClientError> {
        let mut known = self.inner.token.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = &*known {
            return Ok(token.clone());
        }
        let path = self.inner.paths.data().join(match self.inner.role {
            Role::Person => PERSON_TOKEN_FILE,
            Role::Agent => AGENT_TOKEN_FILE,
        });
        let token = std::fs::read_to_string(&path)
            .map_err(|source| match source.kind() {
                // A hub makes its tokens before it listens.
                io::ErrorKind::NotFound => ClientError::NoHub,
                _ => ClientError::File { path, source },
            })?
            .trim()
            .to_owned();
        Ok(known.insert(token).clone())
    }
}

fn parsed(body: &Bytes) -> Result<Value, ClientError> {
    serde_json::from_slice(body).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> ClientError {
    ClientError::Unreadable(error.to_string())
}
