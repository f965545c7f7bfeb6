//! The clients that the commands use.

use askdock_client::{Client, ClientError, OwnSessions, Paths, Program, Role, session_in};
use askdock_wire::{Code, SessionRef};

use crate::output::say;

/// Acts as the person.
pub(super) fn as_person(paths: Paths) -> Client {
    Client::new(paths, Role::Person, Program::Cli)
}

/// Acts as the agent that asked with earlier commands.
pub(super) fn as_agent(paths: Paths) -> Client {
    let own = OwnSessions::load(&paths);
    let client = Client::new(paths, Role::Agent, Program::Cli);
    for secret in own.secrets() {
        client.show_secret(&secret);
    }
    client
}

/// As the agent for a new ask: starts a hub where none runs.
pub(super) fn as_new_asker(paths: Paths) -> Client {
    Client::starting_hubs(paths, Role::Agent, Program::Cli, say)
}

/// Runs `act` as the agent, and as the person if the batch isn't that agent's.
pub(super) async fn as_agent_or_person<T>(
    paths: &Paths,
    act: impl AsyncFn(Client) -> Result<T, ClientError>,
) -> Result<T, ClientError> {
    match act(as_agent(paths.clone())).await {
        Err(error) if error.code() == Some(Code::Forbidden) => act(as_person(paths.clone())).await,
        result => result,
    }
}

/// The session of a command: the named one, else the folder's.
pub(super) fn session(id: Option<String>, agent: Option<String>) -> SessionRef {
    let here = std::env::current_dir().map(|folder| session_in(&folder)).unwrap_or_default();
    SessionRef { id: id.filter(|id| !id.is_empty()), agent, ..here }
}
