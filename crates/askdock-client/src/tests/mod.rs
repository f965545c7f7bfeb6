//! The client against real hubs that come and go.

mod files;
mod hubs;
mod running;
