//! Names that client and server must spell alike: headers, token files, program names.

/// Request header: the client's wire version; another one than ours is refused.
pub const WIRE_HEADER: &str = "askdock-wire";
/// Request header: what the client program is, one of [`programs`].
pub const CLIENT_HEADER: &str = "askdock-client";
/// Request header: the secrets of the sessions that are the caller's own, comma separated.
pub const SECRET_HEADER: &str = "askdock-session-secret";

/// File of the person's token, in the data folder.
pub const PERSON_TOKEN_FILE: &str = "person.token";
/// File of the agents' token, in the data folder.
pub const AGENT_TOKEN_FILE: &str = "agent.token";

/// Route of the live events, beside the operation table.
pub const EVENTS_PATH: &str = "/v1/events";

/// Route of the OpenAPI document, beside the operation table.
pub const OPENAPI_PATH: &str = "/v1/openapi.json";

/// Values of [`CLIENT_HEADER`].
pub mod programs {
    /// The command line.
    pub const CLI: &str = "cli";
    /// The MCP server.
    pub const MCP: &str = "mcp";
    /// A hook.
    pub const HOOK: &str = "hook";
}
