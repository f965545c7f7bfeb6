//! Reads the request's JSON body within a limit.

use std::time::Duration;

use askdock_domain::limits;
use askdock_wire::ops::{Entry, Scope};
use askdock_wire::{Code, ProblemDto, WireError};
use axum::body::Body;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde_json::Value;

/// Room beside a batch for the session, keys and other fields of the ask.
const ENVELOPE: usize = 64 * 1024;
/// Room for every question of a batch answered with the longest text and note, escaped.
const ANSWERS: usize = 16 * 1024 * 1024;
/// How much of a body over the limit is read away, so that the client gets to read why.
const DRAIN: usize = 64 * 1024 * 1024;
/// How long the body of a refused request is read away.
const DISCARD_PATIENCE: Duration = Duration::from_secs(2);
/// A body that takes longer than this on a local socket is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// The largest body of an operation, in bytes. Only the person's operations carry answers.
pub(crate) fn limit(entry: &Entry) -> usize {
    match entry.scope {
        Scope::Person => ANSWERS,
        Scope::Agent | Scope::Open => limits::BATCH.max + ENVELOPE,
    }
}

/// The body as JSON; absent or empty: null.
///
/// # Errors
/// `too_large` over `limit`; `invalid` for another content type, for what isn't JSON and for a
/// body that ends early.
pub(crate) async fn read(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
) -> Result<Value, WireError> {
    let bytes = tokio::time::timeout(PATIENCE, collect(body, limit)).await.map_err(|_| {
        WireError::new(Code::Invalid, "The rest of the body did not arrive; send it again.")
    })??;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    if !is_json(headers) {
        return Err(WireError::new(
            Code::Invalid,
            "Send the body as JSON, with the header `content-type: application/json`.",
        ));
    }
    serde_json::from_slice(&bytes).map_err(|error| {
        WireError::invalid(vec![ProblemDto {
            code: "not_json".into(),
            path: String::new(),
            message: format!("The body is not JSON: {error}."),
        }])
    })
}

/// Reads a body away, as far as a client may be kept waiting for its refusal.
pub(crate) async fn discard(mut body: Body) {
    let mut size = 0;
    let read = async {
        while let Some(Ok(frame)) = body.frame().await {
            size += frame.data_ref().map_or(0, |data| data.len());
            if size > DRAIN {
                break;
            }
        }
    };
    // Whoever is slower than this isn't reading either.
    let _ = tokio::time::timeout(DISCARD_PATIENCE, read).await;
}

async fn collect(mut body: Body, limit: usize) -> Result<Vec<u8>, WireError> {
    let mut bytes = Vec::new();
    let mut size = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame
            .map_err(|_| WireError::new(Code::Invalid, "The body ended early; send it again."))?;
        let Ok(data) = frame.into_data() else { continue };
        size += data.len();
        if size > DRAIN {
            break;
        }
        if size <= limit {
            bytes.extend_from_slice(&data);
        } else {
            bytes = Vec::new();
        }
    }
    if size > limit {
        return Err(WireError::new(
            Code::TooLarge,
            format!("The body is larger than the {limit} bytes accepted here; send less."),
        ));
    }
    Ok(bytes)
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}
