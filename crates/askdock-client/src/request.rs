//! An operation's request as HTTP: path parameters, then the query or a JSON body.

use askdock_wire::WIRE_VERSION;
use askdock_wire::ops::Entry;
use askdock_wire::transport::{CLIENT_HEADER, SECRET_HEADER, WIRE_HEADER};
use bytes::Bytes;
use http_body_util::Full;
use hyper::Request;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::ClientError;

/// Everything that stands for itself in a path segment.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A request before it is bound to a connection.
#[derive(Debug, Clone)]
pub(crate) struct Outgoing {
    method: &'static str,
    target: String,
    body: Option<Bytes>,
}

/// What is the same for every request of a client.
pub(crate) struct Credentials<'a> {
    pub(crate) token: &'a str,
    pub(crate) program: &'a str,
    pub(crate) secrets: &'a [String],
}

impl Outgoing {
    /// The request `fields` of the operation `entry`.
    pub(crate) fn new(entry: &Entry, fields: Value) -> Result<Self, ClientError> {
        let mut fields = match fields {
            Value::Object(fields) => fields,
            Value::Null => Map::new(),
            _ => return Err(ClientError::Unreadable("a request that is no object".into())),
        };
        let target = filled(entry.path, &mut fields);
        if matches!(entry.method, "GET" | "DELETE") {
            let query = query(&fields);
            let target = if query.is_empty() { target } else { format!("{target}?{query}") };
            return Ok(Self { method: entry.method, target, body: None });
        }
        let body = serde_json::to_vec(&fields)
            .map_err(|error| ClientError::Unreadable(error.to_string()))?;
        Ok(Self { method: entry.method, target, body: Some(body.into()) })
    }

    /// A plain read of `target`.
    pub(crate) fn get(target: String) -> Self {
        Self { method: "GET", target, body: None }
    }

    pub(crate) fn into_http(
        self,
        credentials: &Credentials<'_>,
    ) -> Result<Request<Full<Bytes>>, ClientError> {
        let mut request = Request::builder()
            .method(self.method)
            .uri(self.target)
            .header(HOST, "localhost")
            .header(WIRE_HEADER, WIRE_VERSION)
            .header(CLIENT_HEADER, credentials.program)
            .header(AUTHORIZATION, format!("Bearer {}", credentials.token));
        if !credentials.secrets.is_empty() {
            request = request.header(SECRET_HEADER, credentials.secrets.join(","));
        }
        if self.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        request
            .body(Full::new(self.body.unwrap_or_default()))
            .map_err(|error| ClientError::Unreadable(error.to_string()))
    }
}

/// `path` with its `{name}` segments taken out of `fields`.
fn filled(path: &str, fields: &mut Map<String, Value>) -> String {
    path.split('/')
        .map(|segment| match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            None => segment.to_owned(),
            Some(name) => {
                let value = fields.remove(name).as_ref().and_then(text).unwrap_or_default();
                utf8_percent_encode(&value, SEGMENT).to_string()
            }
        })
        .collect::<Vec<_>>()
        .join("/")
}

fn query(fields: &Map<String, Value>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in fields {
        if let Some(value) = text(value) {
            query.append_pair(name, &value);
        }
    }
    query.finish()
}

/// A field outside a body. `None`: absent.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_go_to_path_query_and_body() {
        let entry = |method, path| Entry {
            name: "x",
            method,
            path,
            scope: askdock_wire::ops::Scope::Agent,
        };
        let check = |entry: Entry, fields: Value, target: &str, body: Option<&str>| {
            let out = Outgoing::new(&entry, fields).unwrap();
            assert_eq!(out.target, target);
            assert_eq!(out.body.as_deref(), body.map(str::as_bytes));
        };
        check(
            entry("GET", "/v1/batches/{id}/outcome"),
            json!({"id": "#42", "wait": -1.0, "full": true, "x": null}),
            "/v1/batches/%2342/outcome?wait=-1.0&full=true",
            None,
        );
        check(
            entry("POST", "/v1/sessions/{session}/turns/{turn}/end"),
            json!({"session": "a/b c", "turn": "té", "state": "finished"}),
            "/v1/sessions/a%2Fb%20c/turns/t%C3%A9/end",
            Some(r#"{"state":"finished"}"#),
        );
        check(
            entry("GET", "/v1/batches"),
            json!({"session": "a&b=c"}),
            "/v1/batches?session=a%26b%3Dc",
            None,
        );
        check(entry("POST", "/v1/hub/quit"), json!({}), "/v1/hub/quit", Some("{}"));
    }
}
