//! The server in front of a fake hub, spoken to in plain HTTP over a real socket.

mod events;
mod fake;
mod files;
mod guards;
mod lifecycle;
mod requests;
mod wire;
