//! `askdock mcp` as agents use it: the real program with a real hub, driven line by line and by
//! the official SDKs.

mod again;
mod asking;
mod handshake;
mod hubs;
mod sdk;
mod waits;
