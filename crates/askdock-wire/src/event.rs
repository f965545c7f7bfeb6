//! Live updates: a snapshot first, then numbered deltas.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{BatchDto, MessageDto, SessionDto, Settings};

/// Everything a window needs to draw, as of `seq`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Snapshot {
    /// The last event contained.
    pub seq: u64,
    /// Identifies this run of the hub.
    pub hub: String,
    /// All sessions, archived ones too, newest activity first.
    pub sessions: Vec<SessionDto>,
    /// All pending batches, oldest first.
    pub pending: Vec<BatchDto>,
    /// The settings.
    pub settings: Settings,
}

/// One numbered change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Event {
    /// Strictly rising, over restarts too.
    pub seq: u64,
    /// The change.
    #[serde(flatten)]
    pub delta: Delta,
}

/// What changed. Entities come whole: the newest one replaces what was known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum Delta {
    /// The receiver fell behind or just came: replaces everything.
    Snapshot(Box<Snapshot>),
    /// A session was added or changed.
    Session(Box<SessionDto>),
    /// A session was deleted.
    SessionDeleted(String),
    /// A batch was added or changed.
    Batch(Box<BatchDto>),
    /// A message was posted or delivered.
    Message(Box<MessageDto>),
    /// The settings changed.
    Settings(Box<Settings>),
}
