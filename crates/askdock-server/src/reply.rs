//! Responses: every body is JSON, errors included.

use askdock_wire::ops::Reply;
use askdock_wire::{Code, ErrorBody, WireError};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// A finished operation on HTTP.
pub(crate) fn finished(result: Result<Reply, WireError>) -> Response {
    match result {
        Ok(Reply { status, body: Some(body) }) => json(status, &body),
        Ok(Reply { status, body: None }) => with_status(status, Body::empty()),
        Err(error) => failed(error),
    }
}

/// An error on HTTP; the status follows from its code.
pub(crate) fn failed(error: WireError) -> Response {
    json(error.code.http_status(), &ErrorBody { error })
}

fn json(status: u16, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => {
            let mut response = with_status(status, Body::from(bytes));
            response
                .headers_mut()
                .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(error) => {
            tracing::error!(%error, "a response could not be written");
            with_status(Code::Internal.http_status(), Body::empty())
        }
    }
}

fn with_status(status: u16, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response
}
