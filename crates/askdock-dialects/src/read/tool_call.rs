//! A permission request of the Agent Client Protocol: a tool call and the ways to decide on it.

use askdock_domain::{BatchKind, limits};
use serde_json::Value;

use super::around::Around;
use super::batch::assembled;
use super::containers::broken;
use super::embedded::{Embedded, embedded};
use super::fields::{Fields, Found, call, envelope, option};
use super::form::field;
use super::notes::Notes;
use super::parts::{fenced, fenced_json, shortened};
use super::path::Path;
use super::{options, scalar};
use crate::Ask;
use crate::dialect::Profile;

/// Wrappers within each other that are opened.
const DEEPEST: usize = 8;

/// Reads `input`; what is missing or wrong is in `notes`.
pub(super) fn read(input: Value, profile: Profile, notes: &mut Notes) -> Ask {
    let mut around = Around { levels: locate(input, notes) };
    let mut ask = around.envelope(profile, notes);
    ask.content.kind = BatchKind::Permission;
    let Some(whole) = around.levels.last().map(|fields| fields.path.clone()) else { return ask };
    let call = around.take(call::CALL, "", notes);
    let mut read = match call {
        Some(Found { value: Value::Object(object), path }) => {
            let mut fields = Fields::new(object, path);
            described(&mut fields, notes)
        }
        // Some send the call's fields beside the options.
        _ => around.levels.last_mut().and_then(|fields| described(fields, notes)),
    }
    .unwrap_or_else(|| field("decision", Some("Allow this tool call?".to_owned()), &whole));
    notes.place("questions[0]".to_owned(), &read.path);
    read.question.id_given = false;
    read.question.id.clear();
    read.question.allow_custom = false;
    match around.take(call::OPTIONS, "questions[0].options", notes) {
        Some(mut found) => {
            read_kinds(&mut found.value);
            read.options = options::read(found, notes);
        }
        None if !notes.has_problems() => {
            let message = "There are no options to decide with; send an array of objects with \
                optionId, name and kind.";
            notes.problem("no_options", &whole.field("options"), message);
        }
        None => {}
    }
    around.finish(profile, notes);
    ask.content.questions = assembled(vec![read], notes);
    ask
}

/// The objects around the request, the request itself last.
fn locate(input: Value, notes: &mut Notes) -> Vec<Fields> {
    let mut levels = vec![];
    let mut next = Some(Found { value: input, path: Path::default() });
    while let Some(Found { value, path }) = next.take() {
        match value {
            Value::Object(object) if levels.len() <= DEEPEST => {
                let mut fields = Fields::new(object, path);
                let is_request = fields.has(call::CALL) || fields.has(call::OPTIONS);
                if !is_request {
                    next = match fields.peek(envelope::WRAPPER) {
                        Some(inner) if inner.is_object() || inner.is_string() => {
                            fields.take(envelope::WRAPPER, notes)
                        }
                        _ => fields.take_only().filter(|found| found.value.is_object()),
                    };
                }
                levels.push(fields);
                if is_request {
                    return levels;
                }
            }
            Value::String(text) => match embedded(&text) {
                Embedded::Container(value) => {
                    let message = "This was JSON in a string; it was read as JSON.";
                    notes.warn("json_string", &path, message);
                    next = Some(Found { value, path });
                }
                Embedded::Broken(reason) => broken(reason, &path, notes),
                Embedded::Text => {}
            },
            _ => {}
        }
    }
    if !notes.has_problems() {
        let message = "There is nothing to allow; send a toolCall and options.";
        notes.problem("nothing_to_ask", &Path::default(), message);
    }
    levels
}

/// The question that the tool call is; `None`: it says nothing.
fn described(fields: &mut Fields, notes: &mut Notes) -> Option<super::question::ReadQuestion> {
    let title = fields.take(call::TITLE, notes).and_then(|found| scalar::text(found, notes));
    let kind = fields.take(call::KIND, notes).and_then(|found| scalar::text(found, notes));
    let content = fields.take(call::CONTENT, notes).map(|found| contents(&found.value));
    let raw = fields.take(call::RAW_INPUT, notes).map(|found| match found.value {
        Value::String(text) => fenced("", &shortened(&text, SHOWN)),
        value => fenced("json", &shortened(&format!("{value:#}"), SHOWN)),
    });
    let description = content.filter(|content| !content.is_empty()).or(raw);
    let text = title.or_else(|| kind.as_ref().map(|kind| format!("Allow this call ({kind})?")));
    let mut read = field(
        "decision",
        Some(text.or_else(|| description.is_some().then(|| "Allow this tool call?".to_owned()))?),
        &fields.path,
    );
    read.question.header = kind;
    read.question.description = description;
    Some(read)
}

/// Bytes of a call's own data that are shown, so that a fence fits around them.
const SHOWN: usize = limits::DESCRIPTION.max - 64;

/// Texts as they are, changes as diffs, anything else as JSON.
fn contents(content: &Value) -> String {
    let parts = match content {
        Value::Array(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    let shown: Vec<String> = parts.iter().filter_map(shown).collect();
    shortened(&shown.join("\n\n"), limits::DESCRIPTION.max)
}

fn shown(part: &Value) -> Option<String> {
    let text = |name: &str| part.get(name).and_then(Value::as_str);
    match part {
        Value::String(text) => Some(text.clone()),
        _ if text("type") == Some("content") => part.get("content").and_then(shown),
        _ if text("type") == Some("terminal") => None,
        _ if text("type") == Some("diff") => {
            let side = |mark: char, text: &str| {
                text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>()
            };
            let path = text("path").unwrap_or_default();
            let (old, new) = (text("oldText").unwrap_or_default(), text("newText"));
            let lines = [side('-', old), side('+', new.unwrap_or_default())].concat();
            Some(fenced("diff", &format!("--- {path}\n{}", lines.trim_end())))
        }
        _ => text("text").map(str::to_owned).or_else(|| Some(fenced_json(part))),
    }
}

/// Moves each option's kind into its value, and gives it a name where it has none.
fn read_kinds(options: &mut Value) {
    for option in options.as_array_mut().into_iter().flatten() {
        let Some(option) = option.as_object_mut() else { continue };
        option.remove("_meta");
        let Some(Value::String(kind)) = option.remove("kind") else { continue };
        let is_named = option
            .iter()
            .any(|(key, value)| option::LABEL.names(key) && !super::is_placeholder(value));
        if !is_named {
            let name = match kind.as_str() {
                "allow_once" => "Allow once",
                "allow_always" => "Always allow",
                "reject_once" => "Reject",
                "reject_always" => "Always reject",
                kind => kind,
            };
            option.insert("name".to_owned(), name.into());
        }
        option.entry("value").or_insert(Value::String(kind));
    }
}
