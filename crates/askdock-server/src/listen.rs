//! Accepts connections and drives them.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower::ServiceExt;

use crate::door::{Closing, Door};
use crate::guard::Connection;
use crate::{Host, Tokens, routes};

/// Connections at one time: one for each blocked agent, twice the number that must be possible.
const CONNECTIONS: usize = 20_000;
/// The most bytes of a request's head.
const HEAD: usize = 64 * 1024;
/// A head that takes longer is stuck; also how long an idle connection is kept.
const HEAD_PATIENCE: Duration = Duration::from_secs(30);
/// How long a stopping server waits for requests under way.
const CLOSING_PATIENCE: Duration = Duration::from_secs(5);
/// The pause after a failed accept, which usually means too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves `host` on `listener` until `shutdown` completes. Then no new connection is accepted,
/// waiting requests and event streams end at once, and changes under way are finished. Dropping
/// the future drops every connection.
pub async fn serve<H: Host>(
    listener: UnixListener,
    host: Arc<H>,
    tokens: Arc<Tokens>,
    shutdown: impl Future<Output = ()>,
) {
    let (close, closing) = watch::channel(false);
    let closing = Closing::new(closing);
    let door = Arc::new(Door { host: host.clone(), tokens, closing: closing.clone() });
    let app = routes::router(door);
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) if connections.len() < CONNECTIONS => {
                    let host = host.clone();
                    let driven = drive(stream, app.clone(), closing.clone());
                    connections.spawn(async move { host.connection_closed(driven.await) });
                }
                Ok(_) => tracing::warn!("{CONNECTIONS} connections are open; one more was refused"),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
    drop(listener);
    close.send_replace(true);
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(CLOSING_PATIENCE, drained).await.is_err() {
        tracing::warn!("stopped with requests under way");
    }
}

/// Lets this process open as many files as the system permits: each waiting agent holds one.
pub fn raise_open_files_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}

/// Drives one connection to its end and returns its id. The client's closing it drops the request
/// under way, and with it the waiter that it is.
async fn drive(stream: UnixStream, app: Router, closing: Closing) -> u64 {
    /// Over all listeners of the process, so that an id never names two connections.
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let credentials = stream.peer_cred().ok();
    let connection = Arc::new(Connection::new(
        id,
        credentials.as_ref().map(tokio::net::unix::UCred::uid),
        credentials.and_then(|peer| peer.pid()).and_then(|pid| u32::try_from(pid).ok()),
    ));
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(connection.clone());
        let app = app.clone();
        async move { Ok::<_, Infallible>(answered(app, request).await) }
    });
    let mut driven = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_PATIENCE)
            .max_buf_size(HEAD)
            .serve_connection(TokioIo::new(stream), service)
    );
    let ended = tokio::select! {
        ended = driven.as_mut() => ended,
        () = closing.closed() => {
            driven.as_mut().graceful_shutdown();
            driven.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
    id
}

async fn answered(app: Router, request: Request<Body>) -> axum::response::Response {
    match app.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
