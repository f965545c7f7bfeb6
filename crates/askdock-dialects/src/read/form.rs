//! Elicitation of the Model Context Protocol: a message with a flat JSON schema, each property of
//! which is a question; a message alone; or an address to open.

use askdock_domain::{BatchKind, QuestionKind};
use serde_json::Value;

use super::around::Around;
use super::batch::assembled;
use super::containers::broken;
use super::embedded::{Embedded, embedded};
use super::fields::{Fields, Found, batch, envelope, form, question as q};
use super::notes::Notes;
use super::path::Path;
use super::question::ReadQuestion;
use super::{scalar, schema};
use crate::Ask;
use crate::dialect::Profile;

/// Wrappers within each other that are opened.
const DEEPEST: usize = 8;

/// Reads `input`; what is missing or wrong is in `notes`.
pub(super) fn read(input: Value, profile: Profile, notes: &mut Notes) -> Ask {
    let mut around = Around { levels: locate(input, notes) };
    let asks_for_address = around.asks_for_address();
    let mut ask = around.envelope(profile, notes);
    if notes.has_problems() {
        return ask;
    }
    let schema = around.take(form::SCHEMA, "", notes);
    if asks_for_address {
        ask.content.kind = BatchKind::Url;
        around.statement(&mut ask.content, notes);
        around.finish(profile, notes);
        return ask;
    }
    let message = around.text(q::TEXT, "message", notes);
    around.finish(profile, notes);
    let mut read = match schema {
        Some(found) => schema::questions(found, notes),
        None => {
            let message = "There is no requestedSchema; the message is accepted or declined.";
            notes.warn("schema_missing", &Path::default(), message);
            vec![]
        }
    };
    if read.is_empty() {
        ask.content.kind = BatchKind::Confirm;
        ask.content.message = message;
        return ask;
    }
    match (message, read.as_mut_slice()) {
        // One field: the message is the question, the field's name its label.
        (Some(message), [only]) => {
            only.question.header = Some(std::mem::replace(&mut only.question.question, message));
        }
        (message, _) => {
            let said = [message, ask.content.context.take()];
            let said: Vec<String> = said.into_iter().flatten().collect();
            ask.content.context = (!said.is_empty()).then(|| said.join("\n\n"));
        }
    }
    ask.content.questions = assembled(read, notes);
    ask
}

impl Around {
    fn asks_for_address(&self) -> bool {
        let Some(fields) = self.levels.last() else { return false };
        match fields.peek(form::MODE).and_then(Value::as_str) {
            Some(mode) if mode.trim().eq_ignore_ascii_case("url") => true,
            Some(mode) if mode.trim().eq_ignore_ascii_case("form") => false,
            _ => fields.has(batch::URL) && !fields.has(form::SCHEMA),
        }
    }
}

/// The objects around the form, the form itself last.
fn locate(input: Value, notes: &mut Notes) -> Vec<Fields> {
    let mut levels = vec![];
    let mut next = Some(Found { value: input, path: Path::default() });
    while let Some(Found { value, path }) = next.take() {
        if levels.len() > DEEPEST {
            notes.problem("too_deep", &path, "The form is wrapped too deeply; send it at the top.");
            return levels;
        }
        match value {
            Value::Object(object) => {
                let mut fields = Fields::new(object, path);
                if !is_form(&fields) {
                    next = inside(&mut fields, notes);
                }
                let ends = next.is_none() && !is_form(&fields);
                levels.push(fields);
                if ends {
                    break;
                }
            }
            Value::String(text) => match embedded(&text) {
                Embedded::Container(value) => {
                    let message = "This was JSON in a string; it was read as JSON.";
                    notes.warn("json_string", &path, message);
                    next = Some(Found { value, path });
                }
                Embedded::Broken(reason) => {
                    broken(reason, &path, notes);
                    return levels;
                }
                Embedded::Text => {
                    let fields = Fields::short_for(&path, [(q::TEXT, text.into())]);
                    levels.push(fields);
                }
            },
            _ => break,
        }
    }
    if !levels.last().is_some_and(is_form) && !notes.has_problems() {
        let path = levels.last().map_or_else(Path::default, |fields| fields.path.clone());
        let message = "There is nothing to ask; send a message and a requestedSchema.";
        notes.problem("nothing_to_ask", &path, message);
    }
    levels
}

fn is_form(fields: &Fields) -> bool {
    [form::SCHEMA, q::TEXT, batch::URL].into_iter().any(|field| fields.has(field))
}

/// What is wrapped in `fields`, if anything is.
fn inside(fields: &mut Fields, notes: &mut Notes) -> Option<Found> {
    let opens = |value: &Value| value.is_object() || value.is_string();
    if let Some(Found { value: Value::Object(requests), path }) = fields.take(form::REQUESTS, notes)
    {
        return only_request(Fields::new(requests, path), notes);
    }
    match fields.peek(envelope::WRAPPER) {
        Some(inner) if opens(inner) => fields.take(envelope::WRAPPER, notes),
        _ => fields.take_only().filter(|found| found.value.is_object()),
    }
}

/// The one request of an `InputRequired` result.
fn only_request(requests: Fields, notes: &mut Notes) -> Option<Found> {
    let path = requests.path.clone();
    let mut requests = requests.into_pairs().into_iter();
    match (requests.next(), requests.next()) {
        (Some((_, request)), None) => Some(request),
        (None, _) => None,
        _ => {
            let message = "There are several requests; send each form as an ask of its own.";
            notes.problem("several_forms", &path, message);
            None
        }
    }
}

/// A question of a form, which takes what its schema allows and nothing else.
pub(super) fn field(id: &str, title: Option<String>, path: &Path) -> ReadQuestion {
    let question = askdock_domain::Question {
        id: id.to_owned(),
        id_given: true,
        question: title.unwrap_or_else(|| id.to_owned()),
        kind: QuestionKind::Text,
        allow_custom: true,
        ..Default::default()
    };
    ReadQuestion { question, options: vec![], path: path.clone() }
}

/// The text of `value`, if it is there and says something.
pub(super) fn text_of(value: Option<&Value>, path: &Path, notes: &mut Notes) -> Option<String> {
    let value = value.filter(|value| !super::is_placeholder(value))?;
    scalar::text(Found { value: value.clone(), path: path.clone() }, notes)
}
