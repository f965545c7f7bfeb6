//! Sessions, turns and messages as sent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A conversation with one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionDto {
    /// Stable id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Agent name as registered.
    pub agent: String,
    /// Folder.
    pub folder: Option<String>,
    /// Git branch.
    pub branch: Option<String>,
    /// Parent session as claimed by the agent.
    pub parent: Option<String>,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339.
    pub last_activity_at: String,
    /// A client of the session waits right now.
    pub connected: bool,
    /// Pending batches somebody waits on.
    pub pending: u32,
    /// Pending batches whose agent is away.
    pub away: u32,
    /// Ended batches.
    pub answered: u32,
    /// Kept at the top.
    pub pinned: bool,
    /// Hidden from the list.
    pub archived: bool,
    /// The composer's unsent text.
    pub composer: String,
}

/// A message in a session's timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MessageDto {
    /// Rises in posting order.
    pub id: u64,
    /// Session id.
    pub session: String,
    /// Who wrote it.
    pub author: Author,
    /// Markdown.
    pub text: String,
    /// RFC 3339.
    pub posted_at: String,
    /// When the agent took it; for the person's messages. Absent: queued for the agent.
    pub delivered_at: Option<String>,
}

/// Who wrote a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The person.
    Person,
    /// The agent.
    Agent,
    /// Askdock itself.
    System,
}

/// A turn as sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TurnDto {
    /// The caller's id.
    pub id: String,
    /// Session id.
    pub session: String,
    /// `open`, `finalizing`, `finished`, `interrupted` or `failed`.
    pub state: String,
}
