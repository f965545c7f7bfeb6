//! Submitted answers in any of the shapes that are accepted. Nothing is guessed here: what is
//! selected is matched against the options by [`askdock_domain::resolve`].

mod foreign;

pub use foreign::{Given, answers_in};

use askdock_domain::{AnswerKey, Problem, Submitted};
use serde_json::Value;

use crate::read::{
    Embedded, Field, Fields, Notes, Path, answer, embedded, flag, is_placeholder, quoted,
};

/// Reads answers: an object by question (id, exact text, unique header, index), or a list by
/// position. Each entry is `{selected, text, notes, blank}`, or what is selected alone: a text
/// or a list.
///
/// # Errors
/// Entries of the wrong type, and numbers where a label or id belongs; path `answers.<key>`.
pub fn read_answers(answers: &Value) -> Result<Vec<(AnswerKey, Submitted)>, Vec<Problem>> {
    let mut notes = Notes::default();
    let path = Path::default().field("answers");
    let entries = match answers {
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| {
                let path = path.field(key);
                (AnswerKey::Name(key.clone()), read(value, &path, &mut notes))
            })
            .collect(),
        Value::Array(entries) => entries
            .iter()
            .enumerate()
            .map(|(position, value)| listed(position, value, &path.index(position), &mut notes))
            .collect(),
        Value::String(text) => match embedded(text) {
            Embedded::Container(value) => return read_answers(&value),
            _ => wrong_shape(&path, &mut notes),
        },
        _ => wrong_shape(&path, &mut notes),
    };
    if notes.has_problems() { Err(notes.into_problems()) } else { Ok(entries) }
}

fn wrong_shape(path: &Path, notes: &mut Notes) -> Vec<(AnswerKey, Submitted)> {
    let message = "These are no answers; send an object by question id, or a list in order.";
    notes.problem("wrong_type", path, message);
    vec![]
}

/// An entry of a list: by position, unless it names its question.
fn listed(
    position: usize,
    value: &Value,
    path: &Path,
    notes: &mut Notes,
) -> (AnswerKey, Submitted) {
    let name = match value {
        Value::Object(object) => Fields::new(object.clone(), path.clone())
            .take(answer::KEY, &mut Notes::default())
            .and_then(|found| found.value.as_str().map(str::to_owned)),
        _ => None,
    };
    (name.map_or(AnswerKey::Index(position), AnswerKey::Name), read(value, path, notes))
}

fn read(value: &Value, path: &Path, notes: &mut Notes) -> Submitted {
    let Value::Object(object) = value else {
        return Submitted { selected: selected(value, path, notes), ..Submitted::default() };
    };
    let mut fields = Fields::new(object.clone(), path.clone());
    let chosen = fields.take(answer::SELECTED, notes);
    let blank = fields.take(answer::BLANK, notes).is_some_and(|found| {
        flag(&found.value).unwrap_or_else(|| {
            notes.problem("wrong_type", &found.path, "This is neither true nor false.");
            false
        })
    });
    Submitted {
        selected: chosen.map_or(vec![], |found| selected(&found.value, &found.path, notes)),
        text: typed(&mut fields, answer::TEXT, notes),
        notes: typed(&mut fields, answer::NOTES, notes),
        blank,
    }
}

/// What is selected: ids or labels, never numbers, which could be positions as well.
fn selected(value: &Value, path: &Path, notes: &mut Notes) -> Vec<String> {
    let mut names = vec![];
    let mut add = |value: &Value, path: &Path| match value {
        value if is_placeholder(value) => {}
        Value::String(name) => names.push(name.clone()),
        Value::Bool(flag) => names.push(flag.to_string()),
        Value::Object(object) => {
            // As an outcome names it.
            let name = ["id", "label"].iter().find_map(|key| object.get(*key)?.as_str());
            match name {
                Some(name) => names.push(name.to_owned()),
                None => notes.problem("wrong_type", path, NO_OPTION),
            }
        }
        Value::Number(number) => {
            let number = quoted(&number.to_string());
            let message = format!(
                "A number names no option; send the label or id, or {number} in quotation marks \
                where that is the label."
            );
            notes.problem("bare_number", path, message);
        }
        Value::Array(_) | Value::Null => notes.problem("wrong_type", path, NO_OPTION),
    };
    match value {
        Value::Array(items) => {
            for (position, item) in items.iter().enumerate() {
                add(item, &path.index(position));
            }
        }
        value => add(value, path),
    }
    names
}

const NO_OPTION: &str = "This is no option; send its label or id as text.";

fn typed(fields: &mut Fields, field: Field, notes: &mut Notes) -> Option<String> {
    let found = fields.take(field, notes)?;
    match found.value {
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Bool(_) => Some(found.value.to_string()),
        _ => {
            notes.problem("wrong_type", &found.path, "This is no text; send text.");
            None
        }
    }
}
