//! Who may call: decided from the connection and the headers, before any body is read.

use std::sync::OnceLock;

use askdock_hub::{Caller, ClientProgram, Peer};
use askdock_wire::ops::Scope;
use askdock_wire::transport::{CLIENT_HEADER, SECRET_HEADER, WIRE_HEADER, programs};
use askdock_wire::{Code, WIRE_VERSION, WireError};
use axum::http::{HeaderMap, header};

use crate::door::Door;
use crate::{Host, peer};

/// The surface of whoever reaches the hub over the socket and names none.
const VIA: &str = "cli";

/// One accepted connection. Its process is looked up at the first call that needs it.
pub(crate) struct Connection {
    id: u64,
    uid: Option<u32>,
    pid: Option<u32>,
    peer: OnceLock<Option<Peer>>,
}

impl Connection {
    /// `id` is this connection's alone; `uid` and `pid` as the socket's peer credentials give
    /// them.
    pub(crate) fn new(id: u64, uid: Option<u32>, pid: Option<u32>) -> Self {
        Self { id, uid, pid, peer: OnceLock::new() }
    }

    fn peer(&self) -> Option<&Peer> {
        self.peer.get_or_init(|| self.pid.and_then(peer::of)).as_ref()
    }
}

/// Lets a call that needs `needed` in, or says why not.
///
/// # Errors
/// `forbidden` for another user, too small a scope, or an agent's descendant acting as the
/// person; `unauthorized` without a known token; `wire_version`.
pub(crate) fn admit<H: Host>(
    door: &Door<H>,
    connection: &Connection,
    headers: &HeaderMap,
    needed: Scope,
) -> Result<Caller, WireError> {
    if connection.uid != Some(rustix::process::geteuid().as_raw()) {
        return Err(WireError::new(
            Code::Forbidden,
            "This hub belongs to another user of this machine.",
        ));
    }
    if needed == Scope::Open {
        return Ok(caller(connection, Scope::Open, None, headers));
    }
    let scope = bearer(headers).and_then(|token| door.tokens.scope_of(token)).ok_or_else(|| {
        WireError::new(
            Code::Unauthorized,
            "Send the token of the data folder's `agent.token` or `person.token` as \
             `authorization: Bearer …`.",
        )
    })?;
    same_wire_version(headers)?;
    if scope < needed {
        return Err(WireError::new(Code::Forbidden, "Only the person may do this."));
    }
    let peer = connection.peer();
    if needed == Scope::Person
        && let Some(refusal) = peer.and_then(|peer| door.host.person_refusal(peer))
    {
        return Err(refusal);
    }
    Ok(caller(connection, scope, peer.cloned(), headers))
}

fn caller(
    connection: &Connection,
    scope: Scope,
    peer: Option<Peer>,
    headers: &HeaderMap,
) -> Caller {
    Caller {
        scope,
        peer,
        program: program(headers),
        session_secrets: secrets(headers),
        connection: Some(connection.id),
        via: VIA,
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn same_wire_version(headers: &HeaderMap) -> Result<(), WireError> {
    let Some(theirs) = headers.get(WIRE_HEADER) else { return Ok(()) };
    let major = theirs.to_str().ok().and_then(|text| text.split('.').next()?.parse::<u32>().ok());
    if major == Some(WIRE_VERSION) {
        return Ok(());
    }
    Err(WireError::new(
        Code::WireVersion,
        format!(
            "This hub speaks wire version {WIRE_VERSION}; use an `askdock` of the same release."
        ),
    ))
}

fn program(headers: &HeaderMap) -> ClientProgram {
    match headers.get(CLIENT_HEADER).and_then(|value| value.to_str().ok()) {
        Some(programs::CLI) => ClientProgram::Cli,
        Some(programs::MCP) => ClientProgram::Mcp,
        Some(programs::HOOK) => ClientProgram::Hook,
        _ => ClientProgram::Other,
    }
}

fn secrets(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(SECRET_HEADER)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|secret| !secret.is_empty())
        .map(str::to_owned)
        .collect()
}
