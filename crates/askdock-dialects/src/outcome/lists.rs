//! Formats whose answers are lists of texts, typed text being one of them.

use serde_json::{Map, Value, json};

use super::Ended;

/// Lists of values by question id. Any other end is no answer.
pub(super) fn openclaw(ended: &Ended<'_>) -> Value {
    if !ended.is_answered() {
        return json!({ "status": "no_answer" });
    }
    let answers: Map<String, Value> =
        ended.answers().map(|a| (a.question.id.clone(), a.values().into())).collect();
    json!({ "status": "answered", "answers": { "answers": answers } })
}

/// One answer for each question in order, the blank ones empty. A batch that wasn't answered has
/// no answers at all: an empty one would read as a deliberate blank.
pub(super) fn jcode(ended: &Ended<'_>) -> Value {
    if !ended.is_answered() {
        return ended.without_answer(Map::new());
    }
    let entry = |answered: super::Answered<'_>| {
        let mut entry = Map::new();
        let labels: Vec<&str> = answered.labels().collect();
        if !labels.is_empty() {
            entry.insert("selected".into(), labels.into());
        }
        if let Some(text) = answered.text() {
            entry.insert("text".into(), text.into());
        }
        Value::Object(entry)
    };
    json!({ "answers": ended.answers().map(entry).collect::<Vec<_>>() })
}

/// Labels beside the question's header. Whatever isn't an answer is a dismissal there; only one
/// by the person ends the turn.
pub(super) fn frogbot(ended: &Ended<'_>) -> Value {
    if !ended.is_answered() {
        return ended.without_answer(Map::from_iter([("dismissed".to_owned(), true.into())]));
    }
    let answers = ended.answers().map(|answered| {
        let header = answered.question.header.as_ref().unwrap_or(&answered.question.question);
        json!({ "header": header, "selected": answered.values() })
    });
    json!({ "output": { "answers": answers.collect::<Vec<_>>() } })
}

/// A list for each question, in order.
pub(super) fn opencode(ended: &Ended<'_>) -> Value {
    ended.answers().map(|answered| answered.values()).collect()
}

/// Lists by question id. Without an answer the map is empty, as that format's own client sends it.
pub(super) fn codex(ended: &Ended<'_>) -> Value {
    let answers: Map<String, Value> = ended
        .answers()
        .filter(|_| ended.is_answered())
        .map(|a| (a.question.id.clone(), json!({ "answers": a.values() })))
        .collect();
    let fields = Map::from_iter([("answers".to_owned(), answers.into())]);
    if ended.is_answered() { fields.into() } else { ended.without_answer(fields) }
}
