//! Flat JSON schemas, as far as forms use them. References are followed inside the schema only;
//! nothing is ever fetched.

use std::collections::HashMap;

use askdock_domain::{DefaultValue, Format, OptionItem, Question, text};
use serde_json::{Map, Value};

use super::batch::is_crowded;
use super::containers::broken;
use super::embedded::{Embedded, embedded};
use super::fields::Found;
use super::form::{field, text_of};
use super::notes::Notes;
use super::options::{ReadOption, merge_identical};
use super::path::{Path, quoted};
use super::question::{ReadQuestion, SentKind};
use super::{scalar, too_large};

/// References and lone alternatives that are followed from one to the next.
const DEEPEST: usize = 8;

/// Keywords that narrow down an answer in ways that are not checked here.
const UNCHECKED: [&str; 5] = ["multipleOf", "not", "if", "patternProperties", "dependentRequired"];

/// The keywords of a schema.
type Schema<'a> = HashMap<&'a str, &'a Value>;

/// A question for each property of the schema `found`; none: there is nothing to fill in.
pub(super) fn questions(found: Found, notes: &mut Notes) -> Vec<ReadQuestion> {
    let Found { value, path } = found;
    let root = match value {
        Value::String(text) => match embedded(&text) {
            Embedded::Container(value) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                value
            }
            Embedded::Broken(reason) => {
                broken(reason, &path, notes);
                return vec![];
            }
            Embedded::Text => Value::String(text),
        },
        value => value,
    };
    let Some(schema) = resolved(&root, &root, &path, notes) else { return vec![] };
    let properties = match schema.get("properties") {
        Some(Value::Object(properties)) => properties,
        None | Some(Value::Null) => {
            if let Some(kind) = kind_of(&schema).filter(|kind| *kind != "object") {
                let message = format!(
                    "A form is an object, not {}; send type \"object\" with properties.",
                    quoted(kind)
                );
                notes.problem("not_an_object", &path, message);
            }
            return vec![];
        }
        Some(_) => {
            let message = "These are no properties; send an object with a schema for each field.";
            notes.problem("wrong_type", &path.field("properties"), message);
            return vec![];
        }
    };
    let place = path.field("properties");
    if is_crowded(properties.len(), &place, notes) {
        return vec![];
    }
    let required = required(&schema, properties, &path, notes);
    let mut read = vec![];
    let mut shown = 0;
    for (name, node) in properties {
        let path = place.field(name);
        notes.place(format!("questions[{}]", read.len()), &path);
        let Some(node) = resolved(node, &root, &path, notes) else { continue };
        let is_required = required.contains(&name.as_str())
            || node.get("required").and_then(|flag| flag.as_bool()) == Some(true);
        let mut question = property(name, node, &root, &path, notes);
        question.question.required = is_required;
        // One schema that many fields refer to is sent once, but shown many times.
        shown += question.options.iter().map(|option| option.item.label.len()).sum::<usize>();
        if let Some(problem) = too_large(shown) {
            notes.problem(problem.code, &path, problem.message);
            return vec![];
        }
        read.push(question);
    }
    read
}

/// The names of required properties.
fn required<'a>(
    schema: &Schema<'a>,
    properties: &Map<String, Value>,
    path: &Path,
    notes: &mut Notes,
) -> Vec<&'a str> {
    let names = schema.get("required").and_then(|names| names.as_array()).into_iter().flatten();
    let (known, ghosts): (Vec<_>, Vec<_>) = names
        .enumerate()
        .partition(|(_, name)| name.as_str().is_some_and(|name| properties.contains_key(name)));
    for (at, _) in ghosts {
        let message = "This required name is no property of the form; it was ignored.";
        notes.warn("unknown_required", &path.field("required").index(at), message);
    }
    known.into_iter().filter_map(|(_, name)| name.as_str()).collect()
}

/// `node` with its references followed and `null` alternatives left out.
fn resolved<'a>(
    node: &'a Value,
    root: &'a Value,
    path: &Path,
    notes: &mut Notes,
) -> Option<Schema<'a>> {
    let mut schema = object(node, path, notes)?;
    for _ in 0..=DEEPEST {
        let inner = if let Some(reference) = schema.remove("$ref") {
            referred(reference, root, path, notes)?
        } else if let Some(only) = only_alternative(&mut schema) {
            only
        } else {
            return Some(schema);
        };
        // What stands beside a reference is nearer to the field.
        for (key, value) in object(inner, path, notes)? {
            schema.entry(key).or_insert(value);
        }
    }
    let message = "$ref leads from one schema to the next without end; send the schema itself.";
    notes.problem("endless_reference", path, message);
    None
}

fn object<'a>(node: &'a Value, path: &Path, notes: &mut Notes) -> Option<Schema<'a>> {
    match node {
        Value::Object(schema) => Some(schema.iter().map(|(key, value)| (&**key, value)).collect()),
        Value::Bool(true) => Some(Schema::new()),
        Value::String(kind) if SentKind::named(kind).is_some() => {
            let message = "A type's name stands for the schema; it was read as {\"type\": …}.";
            notes.warn("type_alone", path, message);
            Some(Schema::from_iter([("type", node)]))
        }
        _ => {
            let message = "This is no schema; send an object such as {\"type\": \"string\"}.";
            notes.problem("wrong_type", path, message);
            None
        }
    }
}

/// What the reference names inside `root`.
fn referred<'a>(
    reference: &Value,
    root: &'a Value,
    path: &Path,
    notes: &mut Notes,
) -> Option<&'a Value> {
    let name = reference.as_str().unwrap_or_default();
    let Some(pointer) = name.strip_prefix('#') else {
        let message = format!(
            "$ref {} leads outside the schema and is never fetched; send the schema itself, or \
            a $ref to #/$defs.",
            quoted(name)
        );
        notes.problem("remote_reference", path, message);
        return None;
    };
    let Some(target) = root.pointer(pointer) else {
        let message = format!("$ref {} names nothing in this schema; send it along.", quoted(name));
        notes.problem("unknown_reference", path, message);
        return None;
    };
    notes.warn("reference_followed", path, "A $ref was replaced by the schema that it names.");
    Some(target)
}

/// The schema that alone is left of `allOf`, `anyOf` or `oneOf` once `null` is no alternative.
fn only_alternative<'a>(schema: &mut Schema<'a>) -> Option<&'a Value> {
    let is_null = |value: &Value| value.get("type").is_some_and(|kind| kind == "null");
    for name in ["allOf", "anyOf", "oneOf"] {
        let Some(all) = schema.get(name).and_then(|all| all.as_array()) else { continue };
        let said: Vec<&Value> = all.iter().filter(|value| !is_null(value)).collect();
        if let [only] = said.as_slice()
            && only.get("const").is_none()
        {
            schema.remove(name);
            return Some(only);
        }
    }
    None
}

fn property(
    name: &str,
    mut schema: Schema<'_>,
    root: &Value,
    path: &Path,
    notes: &mut Notes,
) -> ReadQuestion {
    let title = text_of(schema.remove("title"), &path.field("title"), notes);
    let mut read = field(name, title, path);
    read.question.description =
        text_of(schema.remove("description"), &path.field("description"), notes);
    for keyword in UNCHECKED.iter().filter(|keyword| schema.contains_key(**keyword)) {
        let message = "This keyword is not checked here; it was ignored.";
        notes.warn("keyword_ignored", &path.field(keyword), message);
    }
    let default = schema.remove("default").filter(|value| !value.is_null());
    let kind = kind_of(&schema);
    let is_list = kind == Some("array") || (kind.is_none() && schema.contains_key("items"));
    if is_list {
        list(&mut read, &schema, root, path, notes);
    } else if let Some(options) = options(&schema, path, notes) {
        choose(&mut read, options, notes);
    } else {
        typed(&mut read.question, kind, &schema, path, notes);
    }
    read.question.default = default.and_then(|value| {
        let fitting = default_value(&read, value);
        if fitting.is_none() {
            let message = "This default is no value of the field; it was left out.";
            notes.warn("default_ignored", &path.field("default"), message);
        }
        fitting
    });
    read
}

/// The one type of `schema` that isn't `null`.
fn kind_of<'a>(schema: &Schema<'a>) -> Option<&'a str> {
    match schema.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        _ => None,
    }
}

/// Several of the items' values.
fn list(
    read: &mut ReadQuestion,
    schema: &Schema<'_>,
    root: &Value,
    path: &Path,
    notes: &mut Notes,
) {
    let place = path.field("items");
    let items = match schema.get("items") {
        Some(items) => match resolved(items, root, &place, notes) {
            Some(items) => items,
            None => return,
        },
        None => Schema::new(),
    };
    let Some(options) = options(&items, &place, notes) else {
        let message = "A list needs the values to select from; send items with an enum, or ask \
            for one flat value instead of a list.";
        notes.problem("list_without_options", path, message);
        return;
    };
    choose(read, options, notes);
    let question = &mut read.question;
    question.multi_select = true;
    question.min_selected = count(schema, "minItems").filter(|least| *least > 0);
    question.max_selected = count(schema, "maxItems");
}

fn choose(read: &mut ReadQuestion, options: Vec<ReadOption>, notes: &mut Notes) {
    read.options = merge_identical(options, notes);
    read.question.allow_custom = false;
}

/// The values of an enumeration with their titles; `None`: it is none.
fn options(schema: &Schema<'_>, path: &Path, notes: &mut Notes) -> Option<Vec<ReadOption>> {
    for name in ["oneOf", "anyOf"] {
        if let Some(titled) = schema.get(name).and_then(|titled| titled.as_array())
            && let Some(options) = titled_options(titled, &path.field(name))
        {
            return Some(options);
        }
    }
    let (name, values) = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => ("enum", values.as_slice()),
        (_, Some(value)) => ("const", std::slice::from_ref(*value)),
        _ => return None,
    };
    let titles = ["enumNames", "x-enumNames", "enumTitles"].iter();
    let titles = titles.filter_map(|name| schema.get(*name)?.as_array()).next();
    if let Some(titles) = titles.filter(|titles| titles.len() != values.len()) {
        let message = format!(
            "enumNames has the wrong length, {} instead of {}; where one is missing, the value \
            stands for it.",
            titles.len(),
            values.len()
        );
        notes.warn("titles_incomplete", &path.field("enumNames"), message);
    }
    let title = |at: usize| titles?.get(at)?.as_str().map(str::to_owned);
    let place = path.field(name);
    let options = values.iter().enumerate();
    Some(options.map(|(at, value)| option(value, title(at), None, place.index(at))).collect())
}

fn titled_options<'a>(titled: &'a [Value], path: &Path) -> Option<Vec<ReadOption>> {
    let text = |entry: &Value, name| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    let constant = |entry: &'a Value| {
        let only = entry.get("enum").and_then(Value::as_array).filter(|all| all.len() == 1);
        entry.get("const").or_else(|| only?.first())
    };
    let options = titled.iter().enumerate().map(|(at, entry)| {
        let value = constant(entry)?;
        Some(option(value, text(entry, "title"), text(entry, "description"), path.index(at)))
    });
    options.collect::<Option<Vec<_>>>().filter(|options| !options.is_empty())
}

fn option(
    value: &Value,
    title: Option<String>,
    description: Option<String>,
    path: Path,
) -> ReadOption {
    let name = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let title = title.filter(|title| !text::is_blank(title));
    let is_blank = text::is_blank(&name);
    let label = title.unwrap_or_else(|| if is_blank { "(empty)" } else { &name }.to_owned());
    let item = OptionItem {
        id: if is_blank { String::new() } else { name },
        recommended: text::strip_recommended(&label) != label,
        label,
        description,
        value: Some(value.to_string()),
        preview: None,
    };
    ReadOption { item, label_path: path.clone(), path }
}

/// A value that is typed.
fn typed(
    question: &mut Question,
    kind: Option<&str>,
    schema: &Schema<'_>,
    path: &Path,
    notes: &mut Notes,
) {
    let nested = kind == Some("object") || schema.contains_key("properties");
    if nested || kind == Some("null") {
        let message = "Only a flat form can be filled in, without an object inside; send its \
            fields at the top level.";
        notes.problem("nested_object", path, message);
        return;
    }
    let named = kind.map(SentKind::named);
    match named {
        None => {
            let message = "The field has no type; it was read as text.";
            notes.warn("type_missing", path, message);
        }
        Some(None) => {
            let message = "This type is not known; the field was read as text.";
            notes.warn("kind_not_understood", &path.field("type"), message);
        }
        Some(Some(SentKind::YesNo)) => question.format = Some(Format::Boolean),
        Some(Some(kind)) => {
            question.format = kind.format();
            question.secret = kind == SentKind::Secret;
        }
    }
    if question.format.is_none()
        && let Some(format) = schema.get("format").and_then(|format| format.as_str())
    {
        match SentKind::named(format) {
            Some(SentKind::Secret) => question.secret = true,
            Some(SentKind::Typed(known)) => question.format = Some(known),
            _ => {
                let message = "This format is not known; it was ignored.";
                notes.warn("format_not_understood", &path.field("format"), message);
            }
        }
    }
    if schema.get("writeOnly").and_then(|flag| flag.as_bool()) == Some(true) {
        question.secret = true;
    }
    let is_whole = question.format == Some(Format::Integer);
    let number = |name: &str| schema.get(name).and_then(|n| scalar::number(n));
    let above = |n: f64| if is_whole { n.floor() + 1.0 } else { n.next_up() };
    let below = |n: f64| if is_whole { n.ceil() - 1.0 } else { n.next_down() };
    if question.format.is_some_and(Format::is_numeric) {
        question.min = number("minimum").or(number("exclusiveMinimum").map(above));
        question.max = number("maximum").or(number("exclusiveMaximum").map(below));
    }
    question.min_length = count(schema, "minLength").filter(|least| *least > 0);
    question.max_length = count(schema, "maxLength");
    question.pattern =
        schema.get("pattern").and_then(|pattern| pattern.as_str()).map(str::to_owned);
}

fn count(schema: &Schema<'_>, name: &str) -> Option<u32> {
    scalar::whole(schema.get(name).and_then(|n| scalar::number(n))?)
}

/// What `value` suggests as a start; `None`: the field can't have it.
fn default_value(read: &ReadQuestion, value: &Value) -> Option<DefaultValue> {
    let name_of = |value: &Value| {
        let json = value.to_string();
        let is_meant = |option: &&ReadOption| {
            option.item.value.as_ref() == Some(&json) || Some(&*option.item.label) == value.as_str()
        };
        let OptionItem { id, label, .. } = &read.options.iter().find(is_meant)?.item;
        Some(if id.is_empty() { label } else { id }.clone())
    };
    if read.question.multi_select {
        let values = value.as_array()?.iter();
        return values.map(name_of).collect::<Option<Vec<_>>>().map(DefaultValue::Options);
    }
    if !read.options.is_empty() {
        return name_of(value).map(DefaultValue::Text);
    }
    match read.question.format {
        Some(Format::Boolean) => scalar::flag(value).map(DefaultValue::Boolean),
        Some(Format::Integer) => {
            scalar::number(value).filter(|n| n.fract() == 0.0).map(DefaultValue::Number)
        }
        Some(Format::Number) => scalar::number(value).map(DefaultValue::Number),
        _ => match value {
            Value::String(text) => Some(DefaultValue::Text(text.clone())),
            Value::Number(_) | Value::Bool(_) => Some(DefaultValue::Text(value.to_string())),
            _ => None,
        },
    }
}
