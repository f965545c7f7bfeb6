//! Errors on the wire: a stable code, a sentence for people and models, problems with paths.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Outcome, ProblemDto};

/// The stable error codes. Clients decide by code, never by message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// No such batch, session, message or operation.
    NotFound,
    /// The batch ended before; `outcome` holds the winner.
    AlreadyEnded,
    /// The input was not accepted; `problems` says where and why.
    Invalid,
    /// Over a size limit.
    TooLarge,
    /// A newer draft was saved meanwhile.
    StaleDraft,
    /// The answer was for other content than is shown now.
    StaleContent,
    /// The same answer id came with other content.
    AnswerIdReused,
    /// The same `request_id` came with other content.
    KeyConflict,
    /// The token may not do this.
    Forbidden,
    /// No or an unknown token.
    Unauthorized,
    /// The hub cannot answer now.
    Unavailable,
    /// The disk is full; nothing was recorded.
    StorageFull,
    /// Nobody can be reached who could answer.
    NoPerson,
    /// The turn takes no new questions.
    TurnClosed,
    /// Client and hub speak different wire versions.
    WireVersion,
    /// A fault of ours.
    Internal,
}

impl Code {
    /// The HTTP status that follows from the code.
    pub fn http_status(self) -> u16 {
        match self {
            Code::NotFound => 404,
            Code::AlreadyEnded
            | Code::StaleDraft
            | Code::StaleContent
            | Code::AnswerIdReused
            | Code::KeyConflict
            | Code::TurnClosed => 409,
            Code::Invalid => 422,
            Code::TooLarge => 413,
            Code::Forbidden => 403,
            Code::Unauthorized => 401,
            Code::Unavailable | Code::NoPerson => 503,
            Code::StorageFull => 507,
            Code::WireVersion => 426,
            Code::Internal => 500,
        }
    }
}

/// An error as sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[error("{message}")]
pub struct WireError {
    /// The stable code.
    pub code: Code,
    /// One sentence saying what to do.
    pub message: String,
    /// Where the input was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemDto>,
    /// For `already_ended`: how it ended and by whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Box<Outcome>>,
}

impl WireError {
    /// An error without problems.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), problems: vec![], outcome: None }
    }

    /// `invalid` with its problems; the message names the first.
    pub fn invalid(problems: Vec<ProblemDto>) -> Self {
        let message = match problems.as_slice() {
            [] => "The input was not accepted.".to_owned(),
            [one] => one.sentence(),
            [first, rest @ ..] => format!("{} ({} more)", first.sentence(), rest.len()),
        };
        Self { code: Code::Invalid, message, problems, outcome: None }
    }
}

/// The body of an HTTP error response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorBody {
    /// The error.
    pub error: WireError,
}
