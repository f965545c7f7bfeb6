//! The hub on HTTP: HTTP/1.1 with JSON and server-sent events over the Unix socket. The routes
//! come from [`askdock_wire::ops::TABLE`]; before a body is read, the guards look at the peer's
//! user, the token, its scope and the wire version.
//!
//! Deliberately absent: any rule about batches, and any knowledge of what a token's owner may see
//! of other sessions; both are the hub's.

mod body;
mod door;
mod events;
mod guard;
mod host;
mod listen;
mod peer;
mod reply;
mod routes;
mod socket;
#[cfg(test)]
mod tests;
mod tokens;

pub use host::Host;
pub use listen::{raise_open_files_limit, serve};
pub use socket::{SocketError, bind_first, bind_socket};
pub use tokens::{TokenError, Tokens};
