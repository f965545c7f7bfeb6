//! Display text derived from what the caller sent: folding for comparison, visible marks for
//! hostile characters, cutting by grapheme.

use crate::Question;

/// What to draw for `text`.
pub fn display(text: &str) -> String {
    text.to_owned()
}

/// `label` without a trailing `(Recommended)`.
pub fn strip_recommended(label: &str) -> String {
    label.to_owned()
}

/// Header or first words.
pub fn short_header(question: &Question) -> String {
    question.id.clone()
}
