//! Every size limit, in one table. Sizes are bytes of UTF-8 unless said otherwise.

/// One limit: its name in messages, the most that is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// What is limited, for the message.
    pub what: &'static str,
    /// The most that is accepted.
    pub max: usize,
    /// The unit, for the message.
    pub unit: &'static str,
}

const fn bytes(what: &'static str, max: usize) -> Limit {
    Limit { what, max, unit: "bytes" }
}

/// Questions in a batch.
pub const QUESTIONS: Limit = Limit { what: "questions in a batch", max: 32, unit: "questions" };
/// Options of one question.
pub const OPTIONS: Limit = Limit { what: "options of a question", max: 200, unit: "options" };
/// Conditions of one question.
pub const CONDITIONS: Limit =
    Limit { what: "conditions of a question", max: 32, unit: "conditions" };
/// Options that one condition names.
pub const CONDITION_OPTIONS: Limit =
    Limit { what: "options of a condition", max: 200, unit: "options" };
/// A question's id.
pub const QUESTION_ID: Limit = bytes("a question id", 256);
/// An option's label.
pub const LABEL: Limit = bytes("an option label", 4 * 1024);
/// A question's header.
pub const HEADER: Limit = bytes("a header", 1024);
/// A question's text.
pub const QUESTION: Limit = bytes("a question", 64 * 1024);
/// A description of a question or an option.
pub const DESCRIPTION: Limit = bytes("a description", 8 * 1024);
/// An option's preview.
pub const PREVIEW: Limit = bytes("a preview", 64 * 1024);
/// A typed answer or note.
pub const TYPED_ANSWER: Limit = bytes("a typed answer", 64 * 1024);
/// A whole batch as sent.
pub const BATCH: Limit = bytes("a batch", 1024 * 1024);
/// One attachment of an answer.
pub const ATTACHMENT: Limit = bytes("an attachment", 10 * 1024 * 1024);
/// Attachments of one answer.
pub const ATTACHMENTS: Limit =
    Limit { what: "attachments of an answer", max: 8, unit: "attachments" };
