//! Asking.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ops::lenient_f64;
use crate::{BatchStatus, Outcome, ProblemDto};

/// Registers a batch. Over HTTP the body may also be the batch itself with these fields beside
/// its own; see [`AskRequest::from_body`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskRequest {
    /// What the model or script sent, in `dialect`; anything the normaliser reads.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub input: Value,
    /// The ask format; default `askdock`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// In which session.
    #[serde(default)]
    pub session: SessionRef,
    /// The caller's turn id, if it uses turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Explicit key: the same key in the same session and turn is the same ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Derived keys, strongest first; they re-attach only a batch without a live waiter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_keys: Vec<String>,
    /// The content itself is the weakest derived key. Sent by clients that wait and acknowledge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resume: bool,
    /// Seconds until it expires; overrides the input's own.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient_f64")]
    pub timeout_seconds: Option<f64>,
    /// `CI` is set in the asker's environment: nobody is there unless `wait_for_person`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unattended: bool,
    /// Ask even when no person can be reached now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wait_for_person: bool,
}

impl AskRequest {
    /// Reads an HTTP body: `{"input": …, …}`, or the batch itself with the envelope's fields
    /// (`session`, `turn`, `request_id`, `dialect` …) beside its own.
    ///
    /// # Errors
    /// An envelope field of the wrong type, named.
    pub fn from_body(body: Value) -> Result<Self, serde_json::Error> {
        const ENVELOPE: &[&str] = &[
            "dialect",
            "session",
            "turn",
            "request_id",
            "call_keys",
            "resume",
            "unattended",
            "wait_for_person",
        ];
        let whole = match body {
            Value::Object(fields) if fields.contains_key("input") => Value::Object(fields),
            Value::Object(fields) => {
                let (envelope, input): (serde_json::Map<_, _>, serde_json::Map<_, _>) =
                    fields.into_iter().partition(|(name, value)| {
                        ENVELOPE.contains(&name.as_str()) && !value.is_null()
                    });
                let mut envelope = envelope;
                envelope.insert("input".into(), Value::Object(input));
                Value::Object(envelope)
            }
            other => serde_json::json!({ "input": other }),
        };
        serde_path_to_error::deserialize(whole).map_err(serde::de::Error::custom)
    }
}

/// Names a session: by the client's own conversation id, else by agent and folder. A plain
/// string is an id.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(from = "SessionRefShape")]
pub struct SessionRef {
    /// The conversation id that the client gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Title to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The agent's name as it registers itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Canonical folder in which the agent works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Git branch of the folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The parent session's id, when a child asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The child's name, shown with the batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub teammate: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "send the session's id as text, or an object with its names")]
enum SessionRefShape {
    Id(String),
    Named {
        id: Option<String>,
        title: Option<String>,
        agent: Option<String>,
        folder: Option<String>,
        branch: Option<String>,
        parent: Option<String>,
        teammate: Option<String>,
    },
}

impl From<SessionRefShape> for SessionRef {
    fn from(shape: SessionRefShape) -> Self {
        match shape {
            SessionRefShape::Id(id) => Self { id: Some(id), ..Self::default() },
            SessionRefShape::Named { id, title, agent, folder, branch, parent, teammate } => {
                Self { id, title, agent, folder, branch, parent, teammate }
            }
        }
    }
}

/// A registered batch, durable when this is returned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskResponse {
    /// The batch's id (UUIDv7).
    pub id: String,
    /// Its person-friendly number.
    pub number: u64,
    /// The session's id.
    pub session: String,
    /// Shows that later calls come from the same asker; send it as `askdock-session-secret`.
    pub session_secret: String,
    /// `pending`, or how it had ended already (re-attached).
    pub status: BatchStatus,
    /// False when this ask re-attached to an earlier batch.
    pub created: bool,
    /// Hash of what is shown.
    pub content_hash: String,
    /// When it expires.
    pub deadline: Option<String>,
    /// How the input was changed to be read.
    pub warnings: Vec<ProblemDto>,
    /// The outcome, when it has ended.
    pub outcome: Option<Outcome>,
}
