//! A question and its options, as asked.

/// One question of a batch. Texts are exactly what the caller sent; display text is derived
/// ([`crate::text`]).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Question {
    /// The caller's id, or `q1`, `q2` … by position. Unique in the batch, ≤ 256 bytes.
    pub id: String,
    /// Whether the caller chose `id`. Conditions may only name given ids, and `answers_by_id`
    /// leaves the others out.
    pub id_given: bool,
    /// Optional short label, kept in full.
    pub header: Option<String>,
    /// The question's text; never blank.
    pub question: String,
    /// Longer explanation.
    pub description: Option<String>,
    /// Choice or free text.
    pub kind: QuestionKind,
    /// The options of a choice, in order; empty for text.
    pub options: Vec<OptionItem>,
    /// Several options may be selected.
    pub multi_select: bool,
    /// A typed answer is permitted beside or instead of the options (*Other*).
    pub allow_custom: bool,
    /// A note may accompany the answer. Notes alone are not an answer.
    pub allow_notes: bool,
    /// Shown only if all of these hold.
    pub show_when: Vec<Condition>,
    /// A deliberate blank is not permitted.
    pub required: bool,
    /// What the caller suggests as a start; drawn, never taken as an answer.
    pub default: Option<DefaultValue>,
    /// Hint inside the empty text field.
    pub placeholder: Option<String>,
    /// The answer is masked, held in memory only and delivered once.
    pub secret: bool,
    /// Fewest options to select.
    pub min_selected: Option<u32>,
    /// Most options to select.
    pub max_selected: Option<u32>,
    /// What a typed answer must be.
    pub format: Option<Format>,
    /// Smallest number.
    pub min: Option<f64>,
    /// Largest number.
    pub max: Option<f64>,
    /// Fewest characters of a typed answer.
    pub min_length: Option<u32>,
    /// Most characters of a typed answer.
    pub max_length: Option<u32>,
    /// Regular expression that a typed answer must match.
    pub pattern: Option<String>,
}

/// Whether a question offers options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuestionKind {
    /// Options to select from.
    Choice,
    /// A typed answer only; no options.
    #[default]
    Text,
}

/// One option of a choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OptionItem {
    /// Given by the caller or derived; unique in the question.
    pub id: String,
    /// Exactly as sent; what is returned to the caller.
    pub label: String,
    /// Explanation under the label.
    pub description: Option<String>,
    /// Any JSON, as text, returned to the caller untouched.
    pub value: Option<String>,
    /// Shown beside the option.
    pub preview: Option<Preview>,
    /// Draws a badge; never preselects.
    pub recommended: bool,
}

/// What choosing an option would look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// How to draw it.
    pub kind: PreviewKind,
    /// The text.
    pub text: String,
}

/// How a preview is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PreviewKind {
    /// The markdown subset.
    #[default]
    Markdown,
    /// Monospaced, as it is.
    Code,
    /// A unified diff.
    Diff,
}

/// A condition on the answer of an earlier question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Condition {
    /// Id of an earlier question whose id the caller gave.
    pub question: String,
    /// Holds if any of these (id or label) was selected; empty: if there is any answer at all.
    pub options: Vec<String>,
    /// Inverts the condition.
    pub not: bool,
}

/// A suggested start.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultValue {
    /// Text, also the label or id of one option.
    Text(String),
    /// A number.
    Number(f64),
    /// A truth value.
    Boolean(bool),
    /// Labels or ids of several options.
    Options(Vec<String>),
}

/// What a typed answer must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// An e-mail address.
    Email,
    /// A URI.
    Uri,
    /// A calendar date, RFC 3339 full-date.
    Date,
    /// A date and time, RFC 3339 date-time.
    DateTime,
}

impl Format {
    /// Whether a bare number can be an answer.
    pub fn is_numeric(self) -> bool {
        matches!(self, Format::Integer | Format::Number)
    }
}
