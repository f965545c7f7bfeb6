//! The content of a batch: what is shown to the person, immutable once asked.

use crate::Question;

/// Everything the person is shown. Its hash is the `content_hash` to which every answer and
/// every notification button is bound.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AskContent {
    /// What kind of decision this is.
    pub kind: BatchKind,
    /// Whether the decision deserves extra care; high risk never gets quick buttons.
    pub risk: Risk,
    /// Why the agent asks.
    pub context: Option<String>,
    /// The questions, in order. Empty only for `confirm` and `url`.
    pub questions: Vec<Question>,
    /// The message of a `confirm` or `url` batch.
    pub message: Option<String>,
    /// The address of a `url` batch, http or https.
    pub url: Option<String>,
}

/// The kind of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BatchKind {
    /// Questions to answer.
    #[default]
    Questions,
    /// A tool call to allow.
    Permission,
    /// A message to accept or decline.
    Confirm,
    /// An address to open.
    Url,
}

/// How much care a decision deserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Risk {
    /// The usual.
    #[default]
    Normal,
    /// Hard to undo.
    High,
}
