//! Batches, questions, answers, outcomes as sent.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A problem (rejected) or warning (changed), with the place in the caller's input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemDto {
    /// Stable code.
    pub code: String,
    /// JSON path; empty for the whole.
    pub path: String,
    /// One sentence.
    pub message: String,
}

impl ProblemDto {
    /// `path: message`, or the message alone.
    pub fn sentence(&self) -> String {
        if self.path.is_empty() {
            self.message.clone()
        } else {
            format!("{}: {}", self.path, self.message)
        }
    }
}

/// Where a batch stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BatchStatus {
    /// Waits for its end.
    Pending,
    /// Answered.
    Answered,
    /// Not answered, by choice; or asked back.
    Dismissed,
    /// Its deadline passed.
    Expired,
    /// Withdrawn.
    Cancelled,
}

/// One question as asked. Texts are exactly the caller's; `display` holds what to draw where the
/// two differ (hostile characters shown as visible marks).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct QuestionDto {
    /// Unique in the batch.
    pub id: String,
    /// Whether the caller chose the id.
    pub id_given: bool,
    /// Short label.
    pub header: Option<String>,
    /// At most 12 grapheme clusters, for chips and buttons; never empty.
    pub short_header: String,
    /// The text.
    pub question: String,
    /// Longer explanation.
    pub description: Option<String>,
    /// `choice` or `text`.
    pub kind: QuestionKindDto,
    /// In order.
    pub options: Vec<OptionDto>,
    /// Several may be selected.
    pub multi_select: bool,
    /// A typed answer is permitted.
    pub allow_custom: bool,
    /// A note is permitted.
    pub allow_notes: bool,
    /// Conditions, all of which must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub show_when: Vec<ConditionDto>,
    /// No deliberate blank.
    pub required: bool,
    /// A suggested start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub default: Option<Value>,
    /// Hint in the empty field.
    pub placeholder: Option<String>,
    /// Masked.
    pub secret: bool,
    /// Fewest selected.
    pub min_selected: Option<u32>,
    /// Most selected.
    pub max_selected: Option<u32>,
    /// Format of a typed answer: `integer`, `number`, `boolean`, `email`, `uri`, `date`,
    /// `date-time`.
    pub format: Option<String>,
    /// Smallest number.
    pub min: Option<f64>,
    /// Largest number.
    pub max: Option<f64>,
    /// Fewest characters.
    pub min_length: Option<u32>,
    /// Most characters.
    pub max_length: Option<u32>,
    /// Regular expression.
    pub pattern: Option<String>,
    /// What to draw instead of the texts, where they hold hostile characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<DisplayTexts>,
}

/// Display forms of a question's texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DisplayTexts {
    /// Of the header.
    pub header: Option<String>,
    /// Of the question.
    pub question: String,
    /// Of the description.
    pub description: Option<String>,
    /// Of the placeholder.
    pub placeholder: Option<String>,
}

/// `choice` or `text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum QuestionKindDto {
    /// Options to select from.
    Choice,
    /// A typed answer.
    Text,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionDto {
    /// Unique in the question.
    pub id: String,
    /// Exactly as sent.
    pub label: String,
    /// What to draw: without `(Recommended)`, hostile characters as visible marks.
    pub display_label: String,
    /// Explanation, exactly as sent.
    pub description: Option<String>,
    /// What to draw as the explanation, where it holds hostile characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_description: Option<String>,
    /// Any JSON, untouched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: Option<Value>,
    /// Shown beside the option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<PreviewDto>,
    /// Draws a badge; never preselects.
    pub recommended: bool,
}

/// What choosing an option would look like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PreviewDto {
    /// `markdown`, `code` or `diff`.
    pub kind: String,
    /// The text.
    pub text: String,
}

/// A condition on an earlier answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConditionDto {
    /// Id of the earlier question.
    pub question: String,
    /// Any of these; empty: any answer at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Inverts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not: bool,
}

/// A batch as the windows and clients see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BatchDto {
    /// UUIDv7.
    pub id: String,
    /// Person-friendly number.
    pub number: u64,
    /// `questions`, `permission`, `confirm` or `url`.
    pub kind: String,
    /// `normal` or `high`.
    pub risk: String,
    /// Why the agent asks.
    pub context: Option<String>,
    /// Message of a `confirm` or `url` batch.
    pub message: Option<String>,
    /// Address of a `url` batch.
    pub url: Option<String>,
    /// The session that asked.
    pub session: String,
    /// Every session whose timeline and dock show it: the asking one, then its ancestors.
    pub shown_in: Vec<String>,
    /// The agent's name as registered.
    pub agent: String,
    /// The session's title.
    pub session_title: String,
    /// The agent's folder.
    pub folder: Option<String>,
    /// The asking process, where the peer's credentials give it.
    pub origin: Option<OriginDto>,
    /// The asking turn.
    pub turn: Option<String>,
    /// The child that asked.
    pub teammate: Option<String>,
    /// Where it stands.
    pub status: BatchStatus,
    /// The questions.
    pub questions: Vec<QuestionDto>,
    /// RFC 3339.
    pub asked_at: String,
    /// RFC 3339; absent: no limit.
    pub deadline: Option<String>,
    /// When the running pause of the clock began; the time left is `deadline - paused_since`.
    pub paused_since: Option<String>,
    /// Nobody waits on it: the agent is away.
    pub away: bool,
    /// Hash of what was asked.
    pub content_hash: String,
    /// Rises with each saved draft; 0: none.
    pub draft_rev: u64,
    /// The saved draft.
    pub draft: Option<Draft>,
    /// For each question, whether it is shown under the saved draft.
    pub visible: Vec<bool>,
    /// The outcome, once ended.
    pub outcome: Option<Outcome>,
    /// When the asking client took the outcome.
    pub delivered_at: Option<String>,
}

/// The asking process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OriginDto {
    /// Process id.
    pub pid: u32,
    /// Program name.
    pub program: String,
}

/// A batch in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BatchSummary {
    /// Person-friendly number.
    pub number: u64,
    /// UUIDv7.
    pub id: String,
    /// Session id.
    pub session: String,
    /// Agent name.
    pub agent: String,
    /// Where it stands.
    pub status: BatchStatus,
    /// Nobody waits on it.
    pub away: bool,
    /// The questions' texts.
    pub questions: Vec<String>,
    /// RFC 3339.
    pub asked_at: String,
    /// RFC 3339.
    pub deadline: Option<String>,
}

/// Work in progress on a batch; the person's alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct Draft {
    /// Position of the question on screen; the number of visible questions: the review.
    pub step: u32,
    /// By question id.
    pub answers: BTreeMap<String, DraftAnswer>,
    /// Text of an ask-back being written.
    pub ask_back: Option<String>,
    /// The dock is collapsed to the slim bar.
    pub collapsed: bool,
}

/// Work in progress on one answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct DraftAnswer {
    /// Option ids.
    pub selected: Vec<String>,
    /// *Other* is chosen (its text may still be empty).
    pub other: bool,
    /// Typed text, kept even while *Other* isn't chosen.
    pub text: Option<String>,
    /// Note.
    pub notes: Option<String>,
    /// *Leave blank* is chosen.
    pub blank: bool,
}

/// One submitted answer. A plain string or list is read as `selected`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct AnswerInput {
    /// Option ids or labels.
    pub selected: Vec<String>,
    /// Typed text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// A deliberate blank.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blank: bool,
}

/// How a batch ended, in our own dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Outcome {
    /// Which of the four ends.
    pub status: BatchStatus,
    /// UUIDv7.
    pub batch: String,
    /// Person-friendly number.
    pub number: u64,
    /// Why, for ends other than `answered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// By question id; hidden questions blank. Empty unless answered.
    #[serde(default)]
    pub answers: BTreeMap<String, AnswerDto>,
    /// Question ids in order.
    #[serde(default)]
    pub order: Vec<String>,
    /// The answers whose question id the caller gave.
    #[serde(default)]
    pub answers_by_id: BTreeMap<String, AnswerDto>,
    /// The person's message when asked back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The answers given so far when asked back, by question id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<BTreeMap<String, AnswerDto>>,
    /// Who ended it.
    pub responder: ResponderDto,
    /// RFC 3339.
    pub asked_at: String,
    /// RFC 3339.
    pub ended_at: String,
    /// Hash of what was asked.
    pub content_hash: String,
    /// One sentence for the model.
    pub guidance: Option<String>,
    /// How the ask was changed to be read.
    #[serde(default)]
    pub warnings: Vec<ProblemDto>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswerDto {
    /// The selected options.
    pub selected: Vec<SelectedDto>,
    /// Typed text.
    pub text: Option<String>,
    /// A note.
    pub notes: Option<String>,
    /// Left blank on purpose, or hidden.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub blank: bool,
}

/// A selected option; the label exactly as the caller sent it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SelectedDto {
    /// Option id.
    pub id: String,
    /// Label.
    pub label: String,
    /// The option's value, untouched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: Option<Value>,
}

/// Who ended a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResponderDto {
    /// `user`, `api_key`, `channel` or `system`.
    pub kind: String,
    /// Which one.
    pub id: String,
    /// The surface.
    pub via: String,
    /// Process id of a command that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}
