//! Conditions under which a question is shown. Unlike a wrong flag elsewhere, one here is
//! rejected: reading it either way could hide the question.

use askdock_domain::Condition;
use serde_json::Value;

use super::embedded::{Embedded, embedded};
use super::fields::{Fields, Found, condition, is_placeholder};
use super::notes::Notes;
use super::path::Path;
use super::scalar;

/// Reads the conditions of `found`; `place` is theirs in the content.
pub(crate) fn read(found: Found, place: &str, notes: &mut Notes) -> Vec<Condition> {
    let Found { value, path } = found;
    let value = match value {
        Value::String(text) => match embedded(&text) {
            Embedded::Container(value) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                value
            }
            Embedded::Text => Value::String(text),
            Embedded::Broken(reason) => {
                super::containers::broken(reason, &path, notes);
                return vec![];
            }
        },
        other => other,
    };
    let several = match value {
        Value::Array(items) => {
            items.into_iter().enumerate().map(|(at, item)| (item, path.index(at))).collect()
        }
        one => vec![(one, path)],
    };
    let mut conditions = vec![];
    for (value, path) in several.into_iter().filter(|(value, _)| !is_placeholder(value)) {
        notes.place(format!("{place}[{}]", conditions.len()), &path);
        conditions.extend(one(value, &path, notes));
    }
    conditions
}

fn one(value: Value, path: &Path, notes: &mut Notes) -> Option<Condition> {
    let mut fields = match value {
        // A question alone: it has any answer.
        Value::String(question) => return Some(Condition { question, ..Condition::default() }),
        // `{"deploy": "Yes"}`: the question's id is the key.
        Value::Object(object) if object.len() == 1 && !object.keys().any(|key| is_known(key)) => {
            let (question, value) = object.into_iter().next()?;
            let path = path.field(&question);
            return Some(Condition {
                question,
                options: options(Found { value, path }, notes),
                not: false,
            });
        }
        Value::Object(object) => Fields::new(object, path.clone()),
        _ => {
            notes.problem("bad_condition", path, SHAPE);
            return None;
        }
    };
    let question = fields.take(condition::QUESTION, notes).and_then(|q| scalar::text(q, notes));
    let options = fields.take(condition::OPTIONS, notes).map(|found| options(found, notes));
    let not = match fields.take(condition::NOT, notes) {
        Some(found) => {
            let not = scalar::flag(&found.value);
            if not.is_none() {
                let message = "This is neither true nor false; send one of them.";
                notes.problem("bad_condition", &found.path, message);
            }
            not
        }
        None => Some(false),
    };
    fields.finish(notes);
    let Some(question) = question else {
        notes.problem("bad_condition", path, SHAPE);
        return None;
    };
    Some(Condition { question, options: options.unwrap_or_default(), not: not? })
}

fn is_known(key: &str) -> bool {
    [condition::QUESTION, condition::OPTIONS, condition::NOT].iter().any(|field| field.names(key))
}

const SHAPE: &str = "A condition names an earlier question; \
    send {\"question\": \"its id\", \"options\": [\"a label\"]}.";

fn options(found: Found, notes: &mut Notes) -> Vec<String> {
    let Found { value, path } = found;
    let several = match value {
        Value::Array(items) => {
            items.into_iter().enumerate().map(|(at, item)| (item, path.index(at))).collect()
        }
        one => vec![(one, path)],
    };
    let mut names = vec![];
    for (value, path) in several {
        match value {
            Value::String(name) => names.push(name),
            Value::Number(_) | Value::Bool(_) => names.push(value.to_string()),
            _ => {
                let message = "This is no option; send its id or label as text.";
                notes.problem("bad_condition", &path, message);
            }
        }
    }
    names
}
