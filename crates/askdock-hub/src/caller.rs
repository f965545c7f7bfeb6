//! Who calls an operation, as far as the transport can tell.

use askdock_wire::ops::Scope;

/// The party behind one call. Built by the transport, never from anything in the request body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What its token allows.
    pub scope: Scope,
    /// The process at the other end, where the transport knows it.
    pub peer: Option<Peer>,
    /// What the program says it is.
    pub program: ClientProgram,
    /// The per-session secrets that it shows; "own" is decided by them.
    pub session_secrets: Vec<String>,
    /// Identifies the connection, where one carries several calls; an asker whose connection
    /// closes before it waits is gone.
    pub connection: Option<u64>,
    /// The surface, for the responder, when the request names none: `dock`, `cli` …
    pub via: &'static str,
}

/// A process of this machine, from the socket's peer credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// The process itself.
    pub process: ProcessId,
    /// Program name.
    pub program: String,
    /// From the parent upwards, nearest first, without pid 1.
    pub ancestors: Vec<ProcessId>,
    /// The process that stands for the agent that started this client: the parent, or where
    /// that is only a wrapper (`sh -c`, `npx` …) the first ancestor that isn't.
    pub agent: Option<ProcessId>,
}

/// A process, told apart from a later one with the same number by when it was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProcessId {
    /// Process number.
    pub pid: u32,
    /// Start time in the kernel's own unit (field 22 of `/proc/PID/stat`).
    pub started: u64,
}

/// What a client program says it is (header `askdock-client`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClientProgram {
    /// The command line.
    Cli,
    /// The MCP server, started by an agent.
    Mcp,
    /// A hook, started by an agent.
    Hook,
    /// Our own window.
    Window,
    /// Anything else.
    #[default]
    Other,
}

impl Caller {
    /// The agent whose own client this is.
    pub(crate) fn agent(&self) -> Option<ProcessId> {
        let agent = self.peer.as_ref()?.agent?;
        matches!(self.program, ClientProgram::Mcp | ClientProgram::Hook).then_some(agent)
    }

    /// The person at our own window, inside the hub's process.
    pub fn window() -> Self {
        Self {
            scope: Scope::Person,
            peer: None,
            program: ClientProgram::Window,
            session_secrets: vec![],
            connection: None,
            via: "dock",
        }
    }
}
