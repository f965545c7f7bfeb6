//! HTTP/1.1 connections to the hub's socket: one for each call under way, kept while idle.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tokio::task::JoinHandle;

use crate::ClientError;

/// Idle connections that are kept.
const IDLE: usize = 4;

/// One connection. Dropping it closes it, whatever is under way.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
}

impl Connection {
    /// Connects to the socket.
    ///
    /// # Errors
    /// `NoHub` when nobody listens there.
    async fn open(socket: &Path) -> Result<Self, ClientError> {
        let stream = UnixStream::connect(socket).await.map_err(|error| {
            tracing::debug!(%error, socket = %socket.display(), "no hub at the socket");
            ClientError::NoHub
        })?;
        let (sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| disconnected(&error))?;
        let driver = tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "the connection to the hub ended");
            }
        });
        Ok(Self { sender, driver })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

/// The idle connections of a client.
#[derive(Default)]
pub(crate) struct Pool {
    idle: Mutex<Vec<Connection>>,
}

impl Pool {
    /// Opens a connection for the next request, so that it is known whether a hub is there.
    pub(crate) async fn open(&self, socket: &Path) -> Result<(), ClientError> {
        self.keep(Connection::open(socket).await?);
        Ok(())
    }

    /// Sends one request, over an idle connection where one still stands. The connection comes
    /// back to be kept when the response has been read.
    pub(crate) async fn send(
        &self,
        socket: &Path,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(Response<Incoming>, Connection), ClientError> {
        while let Some(mut connection) = self.take() {
            match connection.sender.try_send_request(request).await {
                Ok(response) => return Ok((response, connection)),
                // Not sent at all: the hub closed the idle connection.
                Err(mut failed) => match failed.take_message() {
                    Some(unsent) => request = unsent,
                    None => return Err(disconnected(&failed.into_error())),
                },
            }
        }
        let mut connection = Connection::open(socket).await?;
        let response =
            connection.sender.send_request(request).await.map_err(|error| disconnected(&error))?;
        Ok((response, connection))
    }

    /// Keeps a connection whose last response was read to its end.
    pub(crate) fn keep(&self, connection: Connection) {
        let mut idle = self.lock();
        if idle.len() < IDLE {
            idle.push(connection);
        }
    }

    fn take(&self) -> Option<Connection> {
        let mut idle = self.lock();
        idle.retain(|connection| !connection.sender.is_closed());
        idle.pop()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn disconnected(error: &hyper::Error) -> ClientError {
    ClientError::Disconnected(error.to_string())
}
