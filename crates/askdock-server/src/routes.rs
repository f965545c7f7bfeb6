//! The routes, generated from the operation table.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use askdock_wire::ops::{self, Entry, Reply, Scope, TABLE};
use askdock_wire::transport::{EVENTS_PATH, OPENAPI_PATH};
use askdock_wire::{Code, WireError, openapi};
use axum::Router;
use axum::extract::{Query, RawPathParams, Request, State};
use axum::http::{Method, Uri};
use axum::response::Response;
use axum::routing::any;
use futures_util::FutureExt;
use serde_json::{Map, Value};

use crate::door::Door;
use crate::guard::{self, Connection};
use crate::{Host, body, events, reply};

/// Every route of the table, the events, and an error in JSON for all else.
pub(crate) fn router<H: Host>(door: Arc<Door<H>>) -> Router {
    let mut by_path = BTreeMap::<&str, Vec<&'static Entry>>::new();
    for entry in TABLE {
        by_path.entry(entry.path).or_default().push(entry);
    }
    let mut router = Router::new().route(EVENTS_PATH, any(events::stream::<H>));
    for (path, entries) in by_path {
        let entries: Arc<[_]> = entries.into();
        router =
            router.route(
                path,
                any(
                    move |State(door): State<Arc<Door<H>>>,
                          params: RawPathParams,
                          request: Request| {
                        let entries = entries.clone();
                        async move {
                            reply::finished(operation(&door, &entries, &params, request).await)
                        }
                    },
                ),
            );
    }
    router.route(OPENAPI_PATH, any(document::<H>)).fallback(nothing_here).with_state(door)
}

/// What this server understands, for programs that generate clients.
async fn document<H: Host>(State(door): State<Arc<Door<H>>>, request: Request) -> Response {
    let admitted = || -> Result<Reply, WireError> {
        if request.method() != Method::GET {
            return Err(wrong_method(request.method(), std::iter::once("GET")));
        }
        let connection = connection(request.extensions())?;
        guard::admit(&door, connection, request.headers(), Scope::Open)?;
        Ok(Reply { status: 200, body: Some(openapi()) })
    };
    reply::finished(admitted())
}

async fn nothing_here(uri: Uri) -> Response {
    let message = format!("There is nothing at {}; GET /v1/health always answers.", uri.path());
    reply::failed(WireError::new(Code::NotFound, message))
}

/// Runs the operation that `request` names, for a caller whom the guards let in.
async fn operation<H: Host>(
    door: &Door<H>,
    entries: &[&'static Entry],
    params: &RawPathParams,
    request: Request,
) -> Result<Reply, WireError> {
    let entry = entries
        .iter()
        .find(|entry| entry.method == request.method().as_str())
        .ok_or_else(|| wrong_method(request.method(), entries.iter().map(|entry| entry.method)))?;
    let (head, body) = request.into_parts();
    let connection = connection(&head.extensions)?;
    let caller = match guard::admit(door, connection, &head.headers, entry.scope) {
        Ok(caller) => caller,
        Err(refusal) => {
            // Unread, it would break the connection before the client has read why.
            body::discard(body).await;
            return Err(refusal);
        }
    };
    let body = body::read(&head.headers, body, body::limit(entry)).await?;
    let input = merged(params, &query(&head.uri)?, body)?;

    let run = AssertUnwindSafe(ops::dispatch(&*door.host, &caller, entry.name, input));
    let run = async {
        run.catch_unwind().await.unwrap_or_else(|_| {
            tracing::error!(operation = entry.name, "the handler panicked");
            Err(WireError::new(Code::Internal, "A fault of Askdock's own; its log has more."))
        })
    };
    // What changes something is finished before the server stops; what only reads or waits
    // is asked again elsewhere.
    if entry.method != "GET" {
        return run.await;
    }
    tokio::select! {
        biased;
        result = run => result,
        () = door.closing.clone().closed() => Err(stopping()),
    }
}

/// The connection on which a request came.
///
/// # Errors
/// `internal` when the accept loop didn't note it.
pub(crate) fn connection(extensions: &axum::http::Extensions) -> Result<&Connection, WireError> {
    extensions.get::<Arc<Connection>>().map(Arc::as_ref).ok_or_else(|| {
        WireError::new(Code::Internal, "The connection of this request is not known.")
    })
}

/// The answer to a method that a path doesn't have.
pub(crate) fn wrong_method(
    method: &Method,
    possible: impl Iterator<Item = &'static str>,
) -> WireError {
    let possible = possible.collect::<Vec<_>>().join(" or ");
    WireError::new(Code::NotFound, format!("{method} is not possible here, use {possible}."))
}

fn stopping() -> WireError {
    WireError::new(Code::Unavailable, "This hub is stopping; connect again and go on waiting.")
}

/// The query's fields, as text.
pub(crate) fn query(uri: &Uri) -> Result<BTreeMap<String, String>, WireError> {
    Query::try_from_uri(uri).map(|Query(fields)| fields).map_err(|_| {
        WireError::new(Code::Invalid, "The query is not readable; percent-encode its values.")
    })
}

/// One request from its three places; the path wins over the body, the body over the query.
fn merged(
    params: &RawPathParams,
    query: &BTreeMap<String, String>,
    body: Value,
) -> Result<Value, WireError> {
    let mut params = params.iter().peekable();
    if params.peek().is_none() && query.is_empty() {
        return Ok(body);
    }
    let mut fields: Map<String, Value> =
        query.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    match body {
        Value::Null => {}
        Value::Object(body) => fields.extend(body),
        _ => return Err(WireError::new(Code::Invalid, "Send the body as a JSON object.")),
    }
    fields.extend(params.map(|(name, value)| (name.to_owned(), value.into())));
    Ok(Value::Object(fields))
}
