//! `askdock mcp`: the MCP server through which agents ask, over standard input and output.
//!
//! It holds no question and no answer: a batch is recorded by the hub before anybody waits, so
//! that a client that gives up, or this process's end, detaches it and loses nothing. Deliberately
//! absent: protocol revision 2026-07-28 and Streamable HTTP.

mod calls;
mod environment;
mod identity;
mod released;
mod results;
mod server;
mod tools;
mod transport;
mod waiting;

use std::sync::Arc;

use askdock_client::{Client, Program, Role};
use rmcp::service::{ServerInitializeError, serve_server};
use tokio::sync::watch;

pub use environment::{Environment, EnvironmentError};

use crate::server::AskServer;
use crate::transport::Wire;

/// Why the server ended otherwise than by its client leaving or a signal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The handshake broke off.
    #[error("The MCP client could not be served: {0}.")]
    Handshake(Box<ServerInitializeError>),
    /// The server's task failed.
    #[error("The MCP server stopped: {0}.")]
    Stopped(#[from] tokio::task::JoinError),
    /// The system gives no signals.
    #[error("Signals cannot be received: {0}.")]
    Signals(#[from] std::io::Error),
}

/// Serves one MCP client over standard input and output until it leaves, or SIGTERM or SIGINT
/// arrives. What is waited on then stays with the hub, detached.
///
/// The read of standard input may still be pending on a thread of the runtime's when this
/// returns: end the process, or shut the runtime down in the background.
///
/// # Errors
/// A handshake that broke off, or a fault of the server's own.
pub async fn run(environment: Environment) -> Result<(), Error> {
    let (left, leaving) = watch::channel(false);
    let client =
        Client::starting_hubs(environment.paths.clone(), Role::Agent, Program::Mcp, |text| {
            eprintln!("askdock: {text}");
        });
    let handing_over = Arc::new(watch::Sender::new(0));
    let transport = Wire::over_stdio(client.clone(), left, Arc::clone(&handing_over));
    let server = AskServer::new(client, environment, leaving, handing_over);
    tokio::select! {
        served = serve(server, transport) => served,
        signal = termination() => Ok(signal?),
    }
}

async fn serve(server: AskServer, transport: Wire) -> Result<(), Error> {
    match serve_server(server, transport).await {
        Ok(running) => {
            running.waiting().await?;
            Ok(())
        }
        // It left before it said who it is.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(Error::Handshake(Box::new(error))),
    }
}

/// Completes when the process is asked to end.
async fn termination() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
