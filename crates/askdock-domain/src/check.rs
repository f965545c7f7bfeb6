//! What a batch must satisfy to be asked, whatever dialect it came in.

mod questions;
#[cfg(test)]
mod tests;

use fluent_uri::Uri;

use crate::limits::{BATCH, Limit, QUESTIONS};
use crate::options::OptionNames;
use crate::text::is_blank;
use crate::{AskContent, BatchKind, DefaultValue, OptionItem, Problem, Question};
use questions::check_question;

/// Checks limits, ids, options and conditions.
///
/// # Errors
/// All problems found, each with its path (`questions[1].show_when[0].question` …).
pub fn check(content: &AskContent) -> Result<(), Vec<Problem>> {
    let mut problems = vec![];
    check_kind(content, &mut problems);
    limit(QUESTIONS, "questions", content.questions.len(), &mut problems);
    limit(BATCH, "", size(content), &mut problems);
    // Each is compared with those before it: far too many would take far too long.
    let looked_at = &content.questions[..content.questions.len().min(QUESTIONS.max)];
    let names: Vec<_> = looked_at.iter().map(OptionNames::of).collect();
    for position in 0..looked_at.len() {
        check_question(&content.questions, &names, position, &mut problems);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn check_kind(content: &AskContent, problems: &mut Vec<Problem>) {
    let mut add = |code, path, message| problems.push(Problem::new(code, path, message));
    let asks = matches!(content.kind, BatchKind::Questions | BatchKind::Permission);
    if asks && content.questions.is_empty() {
        add("nothing_to_ask", "questions", "There is nothing to ask; send at least one question.");
    }
    if !asks && !content.questions.is_empty() {
        let message = "A confirm or url batch has a message only; \
            leave questions out, or send kind \"questions\".";
        add("unexpected_questions", "questions", message);
    }
    if !asks && content.message.as_deref().is_none_or(is_blank) {
        add("blank_message", "message", "The message is blank; say what the person decides on.");
    }
    if content.kind == BatchKind::Url && !content.url.as_deref().is_some_and(is_web_address) {
        let message = "This is no web address; send a url such as https://example.org/page.";
        add("bad_url", "url", message);
    }
}

fn is_web_address(url: &str) -> bool {
    Uri::parse(url).is_ok_and(|uri| {
        let scheme = uri.scheme().as_str();
        let web = ["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
        web && uri.authority().is_some_and(|authority| !authority.host().is_empty())
    })
}

/// Adds a problem when `size` is over `limit`.
fn limit(limit: Limit, path: &str, size: usize, problems: &mut Vec<Problem>) {
    let Limit { what, max, unit } = limit;
    if size > max {
        let place = if path.is_empty() { "The batch" } else { path };
        let message = format!(
            "{place} is too large: {what} may have at most {max} {unit}, \
            this has {size}; send less."
        );
        problems.push(Problem::new("too_large", path, message));
    }
}

/// Bytes of all texts together: never more than what was sent.
fn size(content: &AskContent) -> usize {
    let AskContent { kind: _, risk: _, context, questions, message, url } = content;
    let own: usize = [context, message, url].into_iter().map(optional).sum();
    own + questions.iter().map(question_size).sum::<usize>()
}

fn question_size(question: &Question) -> usize {
    let Question { id, header, question: text, description, placeholder, pattern, .. } = question;
    let texts: usize = [header, description, placeholder, pattern].into_iter().map(optional).sum();
    let default = match &question.default {
        Some(DefaultValue::Text(text)) => text.len(),
        Some(DefaultValue::Options(names)) => names.iter().map(String::len).sum(),
        Some(DefaultValue::Number(_) | DefaultValue::Boolean(_)) | None => 0,
    };
    let options: usize = question.options.iter().map(option_size).sum();
    let names = |names: &[String]| names.iter().map(String::len).sum::<usize>();
    let conditions: usize =
        question.show_when.iter().map(|c| c.question.len() + names(&c.options)).sum();
    id.len() + text.len() + texts + default + options + conditions
}

fn option_size(option: &OptionItem) -> usize {
    // Ids don't count: those that were derived were not sent.
    let OptionItem { id: _, label, description, value, preview, recommended: _ } = option;
    let preview = preview.as_ref().map_or(0, |preview| preview.text.len());
    label.len() + optional(description) + optional(value) + preview
}

fn optional(text: &Option<String>) -> usize {
    text.as_ref().map_or(0, String::len)
}
