//! What the tests of this crate share.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::Path;

use askdock_domain::{Answer, AskContent};
use askdock_wire::{AnswerDto, BatchStatus, Outcome, ResponderDto, SelectedDto};
use serde_json::Value;

/// A file of `tests/vectors` at the top of the repository.
pub(crate) fn vectors(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The outcome of a batch with `content` that was answered so.
pub(crate) fn answered(content: &AskContent, answers: &[Answer]) -> Outcome {
    let named = content.questions.iter().zip(answers).map(|(question, answer)| {
        let selected = answer.selected.iter().map(|at| &question.options[*at]);
        let selected = selected.map(|option| SelectedDto {
            id: option.id.clone(),
            label: option.label.clone(),
            value: None,
        });
        let dto = AnswerDto {
            selected: selected.collect(),
            text: answer.text.clone(),
            notes: answer.notes.clone(),
            blank: answer.blank,
        };
        (question.id.clone(), dto)
    });
    Outcome { answers: named.collect(), ..ended(BatchStatus::Answered) }
}

/// The outcome of a batch that ended as `status`.
pub(crate) fn ended(status: BatchStatus) -> Outcome {
    Outcome {
        status,
        batch: "01990000-0000-7000-8000-000000000000".into(),
        number: 42,
        reason: None,
        answers: Default::default(),
        order: vec![],
        answers_by_id: Default::default(),
        message: None,
        partial: None,
        responder: ResponderDto {
            kind: "user".into(),
            id: "local".into(),
            via: "dock".into(),
            pid: None,
            program: None,
        },
        asked_at: "2026-11-30T14:00:00.000Z".into(),
        ended_at: "2026-11-30T14:02:00.000Z".into(),
        content_hash: "0".repeat(64),
        guidance: None,
        warnings: vec![],
    }
}

/// Whether `value` fits `pattern`.
pub(crate) fn matches(value: &Value, pattern: &Value) -> bool {
    match (value, pattern) {
        (value, Value::Object(fields)) => fields
            .iter()
            .all(|(name, pattern)| matches(value.get(name).unwrap_or(&Value::Null), pattern)),
        (Value::Array(items), Value::Array(patterns)) => {
            items.len() == patterns.len()
                && items.iter().zip(patterns).all(|(item, pattern)| matches(item, pattern))
        }
        (value, pattern) => value == pattern,
    }
}
