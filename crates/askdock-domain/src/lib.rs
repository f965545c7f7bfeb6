//! What a question is, what is shown, what a reply means and how a batch ends.
//!
//! Everything here is pure: time and ids are arguments, changes are returned as values, and the
//! caller performs the effects. Deliberately absent: I/O, a clock, randomness, serialisation.

mod answer;
mod batch;
mod check;
mod draft;
mod faults;
#[cfg(test)]
mod fixtures;
mod lifecycle;
pub mod limits;
mod options;
mod outcome;
mod question;
mod reply;
pub mod text;
mod time;
mod turn;
mod typed;
mod visibility;

pub use answer::{Answer, AnswerKey, Answers, Submitted, resolve};
pub use batch::{AskContent, BatchKind, Risk};
pub use check::check;
pub use draft::{DraftView, draft_view};
pub use lifecycle::{
    Act, BatchState, DEADLINE_LEASE, Effect, End, EndKind, Event, LEASE_TOTAL, Lease, RESUME_GRACE,
    Rejection, Responder, ResponderKind, transition,
};
pub use outcome::guidance;
pub use question::{
    Condition, DefaultValue, Format, OptionItem, Preview, PreviewKind, Question, QuestionKind,
};
pub use reply::{Reply, match_reply};
pub use time::{Millis, Timestamp};
pub use turn::{TurnEnd, TurnEvent, TurnRejection, TurnState, turn_transition};
pub use typed::{TypedValue, is_checkable_pattern, read_typed};
pub use visibility::visible;

/// Something wrong with an input, or a change made to it, at one place.
///
/// The same shape serves problems (the input is rejected) and warnings (the input was read with
/// a change). `path` is a JSON path such as `questions[1].options[0].label`; empty for the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable machine-readable code, `snake_case`.
    pub code: &'static str,
    /// Where in the caller's input.
    pub path: String,
    /// One sentence saying what to send instead (problem) or what was done (warning).
    pub message: String,
}

impl Problem {
    /// A problem or warning at `path`.
    pub fn new(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), message: message.into() }
    }
}
