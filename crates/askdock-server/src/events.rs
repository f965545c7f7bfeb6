//! `GET /v1/events`: the live events as server-sent events. `id` is the sequence number, `event`
//! the type, `data` the whole event; a client goes on after the last it saw with `?after=` or
//! `last-event-id`.

use std::convert::Infallible;
use std::sync::Arc;

use askdock_wire::ops::Scope;
use askdock_wire::{Code, Event, WireError};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::response::sse::{self, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;

use crate::door::Door;
use crate::routes::{connection, query, wrong_method};
use crate::{Host, guard, reply};

pub(crate) async fn stream<H: Host>(
    State(door): State<Arc<Door<H>>>,
    request: Request,
) -> Response {
    let after = match admit(&door, &request) {
        Ok(after) => after,
        Err(error) => return reply::failed(error),
    };
    let events = door
        .host
        .events(after)
        .filter_map(|event| std::future::ready(written(&event)))
        .take_until(door.closing.clone().closed())
        .map(Ok::<_, Infallible>);
    Sse::new(events).into_response()
}

/// After which event to go on.
fn admit<H: Host>(door: &Door<H>, request: &Request) -> Result<Option<u64>, WireError> {
    if request.method() != Method::GET {
        return Err(wrong_method(request.method(), std::iter::once("GET")));
    }
    let connection = connection(request.extensions())?;
    guard::admit(door, connection, request.headers(), Scope::Person)?;
    let query = query(request.uri())?;
    let last_seen = request.headers().get("last-event-id").and_then(|value| value.to_str().ok());
    query
        .get("after")
        .map(String::as_str)
        .or(last_seen)
        .map(|seq| seq.parse())
        .transpose()
        .map_err(|_| WireError::new(Code::Invalid, "`after` is the number of an event."))
}

fn written(event: &Event) -> Option<sse::Event> {
    let json = serde_json::to_value(event)
        .inspect_err(|error| tracing::error!(%error, "an event could not be written"))
        .ok()?;
    let kind = json.get("type")?.as_str()?.to_owned();
    Some(sse::Event::default().id(event.seq.to_string()).event(kind).data(json.to_string()))
}
