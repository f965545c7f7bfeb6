//! The way to the hub for everything that isn't the hub: where its files are ([`Paths`]), which
//! one runs ([`HubFile`], [`HubLock`]), a typed client that waits across restarts ([`Client`]),
//! and starting a hub for a new ask.
//!
//! Deliberately absent: polling. Who waits for a hub watches its discovery file.

mod client;
mod discovery;
mod error;
mod events;
mod http;
mod lock;
mod own_sessions;
mod paths;
mod private_file;
mod request;
mod start;
#[cfg(test)]
mod tests;
mod waiting;
mod watch;
mod workplace;

pub use client::{Client, Program, Role};
pub use discovery::{DesktopEnvironment, HubFile, HubKind};
pub use error::ClientError;
pub use events::Events;
pub use lock::HubLock;
pub use own_sessions::OwnSessions;
pub use paths::Paths;
pub use start::{detach_from_terminal, open_desktop};
pub use workplace::{is_unattended, session_in};
