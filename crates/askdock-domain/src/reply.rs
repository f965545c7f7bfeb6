//! Typed replies: what a line of text means as the answer to one question.

mod number;
mod split;
#[cfg(test)]
mod tests;

use crate::options::listed;
use crate::text::{fold, is_blank, quoted, strip_recommended};
use crate::{Answer, Question, QuestionKind};
use number::number;
use split::{Parts, split};

/// What a typed reply means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// An answer to the question.
    Answer(Answer),
    /// `/skip` or `/dismiss`.
    Dismiss,
    /// Not understood; the sentence says what to send instead.
    Rejected(String),
}

/// Reads `text` as the reply to `question`, by the rules of typed replies. Says only what was
/// meant: a submit still checks formats, counts and sizes.
pub fn match_reply(question: &Question, text: &str) -> Reply {
    let labels = Labels::of(question);
    let line = text.trim();
    if cfg!(feature = "broken-reply")
        && let Some(reply) = by_number(question, line)
    {
        return reply;
    }
    if is_blank(text) {
        return Reply::Rejected("The reply is empty; answer, or use /skip.".into());
    }
    // The order of these steps is the rule: the first that understands the reply has it.
    exact(question, text)
        .or_else(|| command(line))
        .or_else(|| literal(question, line))
        .or_else(|| labels.folded(line).map(|found| labels.pick(&found, line)))
        .or_else(|| by_number(question, line))
        .or_else(|| several(&labels, line))
        .or_else(|| labels.prefixed(line).map(|found| labels.pick(&found, line)))
        .unwrap_or_else(|| typed_or_rejected(question, line))
}

/// Step 1: a label, exactly.
fn exact(question: &Question, text: &str) -> Option<Reply> {
    let position = question.options.iter().position(|option| option.label == text)?;
    Some(select(position))
}

/// Step 2: `/skip` and `/dismiss`.
fn command(line: &str) -> Option<Reply> {
    let is = |command: &str| line.eq_ignore_ascii_case(command);
    (is("/skip") || is("/dismiss")).then_some(Reply::Dismiss)
}

/// Step 3: typed text in quotes, whatever it would mean without.
fn literal(question: &Question, line: &str) -> Option<Reply> {
    let inner = unquoted(line)?;
    Some(match () {
        () if is_blank(inner) => {
            Reply::Rejected("There is nothing between the quotes; type text, or use /skip.".into())
        }
        () if takes_text(question) => typed(inner),
        () => Reply::Rejected(not_an_option(question, inner)),
    })
}

/// Step 5: the number of an option.
fn by_number(question: &Question, line: &str) -> Option<Reply> {
    let options = question.options.len();
    let number = number(line).filter(|_| options > 0)?;
    if let Some(position) = number.checked_sub(1).filter(|position| *position < options) {
        return Some(select(position));
    }
    // Where a number is wanted, one that picks no option is the answer itself.
    let wanted = question.format.is_some_and(crate::Format::is_numeric) && takes_text(question);
    (!wanted).then(|| Reply::Rejected(out_of_range(question, line)))
}

/// Step 6: several options of a multiple choice, perhaps with typed text.
fn several(labels: &Labels<'_>, line: &str) -> Option<Reply> {
    let question = labels.question;
    if !question.multi_select {
        return None;
    }
    let Parts { mut selected, leftover, fault } = split(labels, line);
    if let Some(fault) = fault {
        return Some(Reply::Rejected(fault));
    }
    if selected.is_empty() {
        return None;
    }
    if let Some(first) = leftover.first().filter(|_| !takes_text(question)) {
        return Some(Reply::Rejected(not_an_option(question, first)));
    }
    selected.sort_unstable();
    selected.dedup();
    let text = (!leftover.is_empty()).then(|| leftover.join(", "));
    Some(Reply::Answer(Answer { selected, text, ..Answer::default() }))
}

/// Step 8: typed text where it is permitted.
fn typed_or_rejected(question: &Question, line: &str) -> Reply {
    if takes_text(question) { typed(line) } else { Reply::Rejected(not_an_option(question, line)) }
}

/// The labels of a question, folded once.
struct Labels<'a> {
    question: &'a Question,
    folded: Vec<String>,
}

impl<'a> Labels<'a> {
    fn of(question: &'a Question) -> Self {
        let folded = question.options.iter().map(|option| key(&option.label)).collect();
        Self { question, folded }
    }

    /// Step 4: the options whose folded label is `text`, if any.
    fn folded(&self, text: &str) -> Option<Vec<usize>> {
        let key = key(text);
        self.which(|label| label == key)
    }

    /// Step 7: the options whose label begins with `text`, if it is long enough to mean one.
    fn prefixed(&self, text: &str) -> Option<Vec<usize>> {
        const SHORTEST: usize = 3;
        let prefix = fold(text);
        let long_enough = prefix.chars().count() >= SHORTEST;
        if long_enough { self.which(|label| label.starts_with(&prefix)) } else { None }
    }

    fn which(&self, is_meant: impl Fn(&str) -> bool) -> Option<Vec<usize>> {
        let found: Vec<usize> =
            (0..self.folded.len()).filter(|at| is_meant(&self.folded[*at])).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The one option found, or a rejection when there are several.
    fn pick(&self, found: &[usize], text: &str) -> Reply {
        match found {
            [position] => select(*position),
            several => Reply::Rejected(self.ambiguous(several, text)),
        }
    }

    fn ambiguous(&self, found: &[usize], text: &str) -> String {
        const NAMED: usize = 5;
        let labels: Vec<String> = found
            .iter()
            .take(NAMED)
            .map(|at| format!("{} ({})", quoted(&self.question.options[*at].label), at + 1))
            .collect();
        let labels = labels.join(" or ");
        format!("{} could mean {labels}; reply with the number.", echo(self.question, text))
    }
}

/// How labels and replies are compared: folded, `(Recommended)` optional.
fn key(text: &str) -> String {
    strip_recommended(&fold(text)).to_owned()
}

fn select(position: usize) -> Reply {
    Reply::Answer(Answer { selected: vec![position], ..Answer::default() })
}

fn typed(text: &str) -> Reply {
    Reply::Answer(Answer { text: Some(text.to_owned()), ..Answer::default() })
}

fn takes_text(question: &Question) -> bool {
    question.allow_custom || question.kind == QuestionKind::Text
}

/// What stands between one pair of quotes around all of `text`.
fn unquoted(text: &str) -> Option<&str> {
    // Phones and word processors turn straight quotes into these.
    const PAIRS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('„', '“'), ('”', '”')];
    PAIRS.into_iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    })
}

fn out_of_range(question: &Question, line: &str) -> String {
    let most = question.options.len();
    if takes_text(question) {
        format!("Reply with a number from 1 to {most}, or quote it: {}.", quoted(line))
    } else {
        format!("Reply with a number from 1 to {most}.")
    }
}

fn not_an_option(question: &Question, text: &str) -> String {
    format!("{} is not one of the options: {}.", echo(question, text), listed(question))
}

/// What was typed, unless it may be a secret.
fn echo(question: &Question, text: &str) -> String {
    if question.secret { "The reply".to_owned() } else { quoted(text) }
}
