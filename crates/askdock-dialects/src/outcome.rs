//! The outcome in the dialect of the ask.

use askdock_domain::AskContent;
use askdock_wire::{AnswerDto, BatchStatus, Outcome};
use serde_json::{Map, Value, json};

use crate::Dialect;

/// `outcome` as `dialect` writes it; `None`: the dialect is ours, the outcome goes out as it is.
pub fn outcome_in(dialect: Dialect, outcome: &Outcome, content: &AskContent) -> Option<Value> {
    match dialect {
        Dialect::Askdock => None,
        Dialect::Openclaw => Some(openclaw(outcome, content)),
        Dialect::Jcode => Some(jcode(outcome, content)),
    }
}

/// Lists of values by question id; typed text is a value. Any other end is no answer.
fn openclaw(outcome: &Outcome, content: &AskContent) -> Value {
    if outcome.status != BatchStatus::Answered {
        return json!({ "status": "no_answer" });
    }
    let answers: Map<String, Value> = content
        .questions
        .iter()
        .map(|question| {
            let answer = outcome.answers.get(&question.id);
            let values: Vec<&str> = answer
                .into_iter()
                .flat_map(|answer| labels(answer).chain(answer.text.as_deref()))
                .collect();
            (question.id.clone(), values.into())
        })
        .collect();
    json!({ "status": "answered", "answers": { "answers": answers } })
}

/// One answer for each question in order, the blank ones empty. A batch that wasn't answered has
/// no answers at all: an empty one would read as a deliberate blank.
fn jcode(outcome: &Outcome, content: &AskContent) -> Value {
    if outcome.status != BatchStatus::Answered {
        let mut end = Map::new();
        end.insert("status".into(), json!(outcome.status));
        let said = [
            ("reason", &outcome.reason),
            ("message", &outcome.message),
            ("guidance", &outcome.guidance),
        ];
        for (name, text) in said {
            if let Some(text) = text {
                end.insert(name.into(), text.clone().into());
            }
        }
        return end.into();
    }
    let answers: Vec<Value> = content
        .questions
        .iter()
        .map(|question| {
            let mut entry = Map::new();
            if let Some(answer) = outcome.answers.get(&question.id) {
                let labels: Vec<&str> = labels(answer).collect();
                if !labels.is_empty() {
                    entry.insert("selected".into(), labels.into());
                }
                if let Some(text) = &answer.text {
                    entry.insert("text".into(), text.clone().into());
                }
            }
            entry.into()
        })
        .collect();
    json!({ "answers": answers })
}

/// The selected labels, exactly as the caller sent them.
fn labels(answer: &AnswerDto) -> impl Iterator<Item = &str> {
    answer.selected.iter().map(|option| option.label.as_str())
}
