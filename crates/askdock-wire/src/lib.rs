//! What goes over the wire: the operation table with its requests and responses, the DTOs, the
//! events and the error codes. HTTP, the desktop window, the MCP server and the CLI all dispatch
//! from [`ops`]; there is no second list.
//!
//! Deliberately absent: behaviour. Times are RFC 3339 strings in UTC; chrono ends here.

mod ask;
mod batch;
#[cfg(test)]
mod codegen;
mod error;
mod event;
mod hash;
pub mod names;
mod openapi;
pub mod ops;
mod session;
mod settings;
mod time;
pub mod transport;

pub use ask::{AskRequest, AskResponse, SessionRef};
pub use batch::*;
pub use error::{Code, ErrorBody, WireError};
pub use event::{Delta, Event, Snapshot};
pub use hash::content_hash;
pub use openapi::openapi;
pub use session::*;
pub use settings::*;
pub use time::{parse_timestamp, timestamp};

/// The wire version. Client and hub shake hands on it at `health`; a client outlives upgrades of
/// the hub, so within one version fields are only added.
pub const WIRE_VERSION: u32 = 1;
