//! A question's options: lists of texts, of objects, of numbers, named options, text in lines.

use std::collections::{HashMap, HashSet};

use askdock_domain::{OptionItem, Preview, PreviewKind, text};
use askdock_wire::names;
use serde_json::{Map, Value};

use super::containers::{broken, looks_like_option};
use super::embedded::{Embedded, embedded, is_printed_null};
use super::fields::{Fields, Found, is_placeholder, option, option_list, preview, question};
use super::notes::Notes;
use super::path::{Path, quoted};
use super::scalar;

/// An option with its place; its id is empty until all are read, unless the caller gave one.
#[derive(Debug, Clone)]
pub(crate) struct ReadOption {
    pub(crate) item: OptionItem,
    pub(crate) path: Path,
    /// Where the label came from.
    pub(crate) label_path: Path,
}

/// Reads the options of `found`; blank and repeated ones are left out.
pub(crate) fn read(found: Found, notes: &mut Notes) -> Vec<ReadOption> {
    let whole = found.path.clone();
    let mut options = vec![];
    let sent = list(found, &mut options, notes);
    if sent && options.is_empty() && !notes.has_problems() {
        let message = "None of the options can be used; send at least one with a label, \
            or leave options out for a typed answer.";
        notes.problem("no_usable_option", &whole, message);
    }
    merge_identical(options, notes)
}

/// Reads into `options`; whether anything was sent.
fn list(found: Found, options: &mut Vec<ReadOption>, notes: &mut Notes) -> bool {
    let Found { value, path } = found;
    match value {
        Value::Array(items) => {
            let alone = items.len() == 1;
            let sent = !items.is_empty();
            for (position, item) in items.into_iter().enumerate() {
                element(item, path.index(position), alone, options, notes);
            }
            sent
        }
        Value::Object(object) => {
            if let Some(inner) = wrapped(&object) {
                let path = path.field(inner);
                notes.warn("wrapped", &path, "The options were wrapped; they were unwrapped.");
                let value = object.get(inner).cloned().unwrap_or_default();
                return list(Found { value, path }, options, notes);
            }
            let is_option = looks_like_option(&object);
            let fields = Fields::new(object, path);
            if fields.is_numbered() {
                let message = "An object with numbered keys was read as a list.";
                notes.warn("numbered_object", &fields.path, message);
                let mut pairs = fields.into_pairs();
                pairs.sort_by_key(|(key, _)| key.parse::<u32>().unwrap_or(u32::MAX));
                for (_, found) in pairs {
                    element(found.value, found.path, false, options, notes);
                }
            } else if is_option {
                let message = "This object was read as a list of one option.";
                notes.warn("lone_object", &fields.path, message);
                options.extend(from_fields(fields, notes));
            } else {
                named(fields, options, notes);
            }
            true
        }
        Value::String(text) => match embedded(&text) {
            Embedded::Container(value) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                list(Found { value, path }, options, notes)
            }
            Embedded::Broken(reason) => {
                broken(reason, &path, notes);
                true
            }
            Embedded::Text if is_printed_null(&text) => {
                notes.warn("blank_option", &path, "There are no options; the answer is typed.");
                false
            }
            Embedded::Text => {
                lines(&text, &path, options, notes);
                true
            }
        },
        Value::Bool(false) => {
            notes.warn("blank_option", &path, "There are no options; the answer is typed.");
            false
        }
        _ => {
            let message = "These are no options; send an array of labels or of objects with label.";
            notes.problem("wrong_type", &path, message);
            true
        }
    }
}

/// The key under which the options stand one level further in, such as `{"item": […]}`; beside it
/// there is at most a word on what that is.
fn wrapped(object: &Map<String, Value>) -> Option<&str> {
    let holds = |(key, value): &(&String, &Value)| {
        let is_list = value.is_array()
            || value.as_object().is_some_and(looks_like_option)
            || value.as_str().is_some_and(|text| matches!(embedded(text), Embedded::Container(_)));
        is_list && (question::OPTIONS.names(key) || option_list::ITEM.names(key))
    };
    let (key, _) = object.iter().find(holds)?;
    let rest = object.keys().filter(|other| *other != key);
    rest.into_iter().all(|other| question::KIND.names(other)).then_some(key)
}

fn element(
    value: Value,
    path: Path,
    alone: bool,
    options: &mut Vec<ReadOption>,
    notes: &mut Notes,
) {
    match value {
        value if is_placeholder(&value) => {
            notes.warn("blank_option", &path, "This option is blank; it was left out.");
        }
        Value::Object(object) => {
            let mut fields = Fields::new(object, path);
            // `{"option": {"label": …}}`
            let inner = match fields.peek(option::LABEL) {
                Some(Value::Object(inner)) if looks_like_option(inner) => {
                    fields.take(option::LABEL, notes)
                }
                _ => None,
            };
            match inner {
                Some(Found { value: Value::Object(inner), path }) => {
                    fields.finish(notes);
                    options.extend(from_fields(Fields::new(inner, path), notes));
                }
                _ => options.extend(from_fields(fields, notes)),
            }
        }
        // One list too many around all of them, or around each of them.
        Value::Array(inner) if alone || inner.len() == 1 => {
            notes.warn("nested_array", &path, "A list within the list was read as part of it.");
            for (position, item) in inner.into_iter().enumerate() {
                match item {
                    Value::Array(_) => nested(&path.index(position), notes),
                    item => element(item, path.index(position), false, options, notes),
                }
            }
        }
        Value::Array(_) => nested(&path, notes),
        Value::String(text) => match embedded(&text) {
            Embedded::Container(Value::Object(object)) if looks_like_option(&object) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                options.extend(from_fields(Fields::new(object, path), notes));
            }
            Embedded::Broken(reason) if text.contains("\"label\"") => broken(reason, &path, notes),
            _ => options.extend(labelled(text.into(), &path, notes)),
        },
        value => options.extend(labelled(value, &path, notes)),
    }
}

fn nested(path: &Path, notes: &mut Notes) {
    let message = "A list stands where an option belongs; send a label, \
        or an object with label and description.";
    notes.problem("wrong_type", path, message);
}

/// `{"Postgres": "One more service", …}`: the keys are what is chosen.
fn named(fields: Fields, options: &mut Vec<ReadOption>, notes: &mut Notes) {
    let message = "This object was read as a list; its keys became the options' labels.";
    notes.warn("named_options", &fields.path, message);
    for (key, found) in fields.into_pairs() {
        let path = found.path.clone();
        match found.value {
            Value::Object(mut object) => {
                object
                    .entry(if looks_like_option(&object) { "id" } else { "label" })
                    .or_insert(Value::String(key));
                options.extend(from_fields(Fields::new(object, path), notes));
            }
            description => {
                let both = [(option::LABEL, key.into()), (option::DESCRIPTION, description)];
                options.extend(from_fields(Fields::short_for(&path, both), notes));
            }
        }
    }
}

/// Options in a text: one a line, never split at commas.
fn lines(text: &str, path: &Path, options: &mut Vec<ReadOption>, notes: &mut Notes) {
    let lines: Vec<&str> = text.lines().filter(|line| !text::is_blank(line)).collect();
    let message = match lines.len() {
        0 | 1 => "This text was read as a list of one option.",
        _ => "Each line of this text was read as an option.",
    };
    notes.warn("options_text", path, message);
    match lines.as_slice() {
        [] | [_] => options.extend(labelled(text.into(), path, notes)),
        lines => {
            for line in lines {
                let line = line.trim();
                let line = ["- ", "* ", "• ", "– ", "— ", "· ", "+ "]
                    .iter()
                    .find_map(|b| line.strip_prefix(b))
                    .unwrap_or(line);
                options.extend(labelled(line.into(), path, notes));
            }
        }
    }
}

/// An option that is a label only.
fn labelled(label: Value, path: &Path, notes: &mut Notes) -> Option<ReadOption> {
    from_fields(Fields::short_for(path, [(option::LABEL, label)]), notes)
}

fn is_recommended(label: &str) -> bool {
    text::strip_recommended(label) != label
}

fn from_fields(mut fields: Fields, notes: &mut Notes) -> Option<ReadOption> {
    fields.mend_leaks(
        &[option::LABEL, option::DESCRIPTION],
        &[option::DESCRIPTION, option::PREVIEW],
        notes,
    );
    let path = fields.path.clone();
    let mut label_path = path.clone();
    let mut texts = fields.take_all(option::LABEL).into_iter();
    let sent_label = texts.next().and_then(|found| {
        label_path = found.path.clone();
        scalar::text(found, notes)
    });
    let value = fields.take(option::VALUE, notes).map(|found| found.value);
    let id = fields.take(option::ID, notes).and_then(|found| scalar::text(found, notes));
    let mut description =
        fields.take(option::DESCRIPTION, notes).and_then(|found| scalar::text(found, notes));
    for spare in texts.filter(|spare| spare.value.as_str() != sent_label.as_deref()) {
        if description.is_none() {
            let message = "The label stands elsewhere; this is shown as its description.";
            notes.warn("read_as_description", &spare.path, message);
            description = scalar::text(spare, notes);
        } else {
            let message = format!("{label_path} says this already; it was ignored.");
            notes.warn("duplicate_field", &spare.path, message);
        }
    }
    let preview = fields.take(option::PREVIEW, notes).and_then(|found| read_preview(found, notes));
    let flagged = fields
        .take(option::RECOMMENDED, notes)
        .and_then(|found| scalar::flag_of(&found, notes))
        .unwrap_or(false);
    fields.refuse(option::FORGED, notes);
    fields.finish(notes);

    let from_value = || match &value {
        Some(Value::String(text)) => Some(text.clone()),
        Some(scalar @ (Value::Number(_) | Value::Bool(_))) => Some(scalar.to_string()),
        _ => None,
    };
    let label = match sent_label.or_else(from_value) {
        Some(label) => label,
        None => {
            let Some(label) = description.take().or_else(|| id.clone()) else {
                notes.warn("blank_option", &path, "This option is blank; it was left out.");
                return None;
            };
            let message = "The label is missing; the description or id stands in for it.";
            notes.warn("label_missing", &path, message);
            label
        }
    };
    let item = OptionItem {
        id: id.unwrap_or_default(),
        recommended: flagged || is_recommended(&label),
        label,
        description,
        value: value.map(|value| value.to_string()),
        preview,
    };
    Some(ReadOption { item, path, label_path })
}

fn read_preview(found: Found, notes: &mut Notes) -> Option<Preview> {
    let Found { value, path } = found;
    let mut fields = match value {
        Value::Object(object) => Fields::new(object, path),
        value => {
            let text = scalar::text(Found { value, path }, notes)?;
            return Some(Preview { kind: PreviewKind::Markdown, text });
        }
    };
    let kind = fields.take(preview::KIND, notes).map(|found| preview_kind(&found.value));
    let named = [
        (preview::TEXT, None),
        (preview::MARKDOWN, Some(PreviewKind::Markdown)),
        (preview::CODE, Some(PreviewKind::Code)),
        (preview::DIFF, Some(PreviewKind::Diff)),
    ];
    let mut read = None;
    for (field, implied) in named {
        if read.is_none()
            && let Some(found) = fields.take(field, notes)
        {
            read = scalar::text(found, notes)
                .map(|text| Preview { kind: implied.or(kind).unwrap_or_default(), text });
        }
    }
    fields.finish(notes);
    read
}

fn preview_kind(value: &Value) -> PreviewKind {
    let name = value.as_str().unwrap_or_default().trim().to_lowercase();
    match name.as_str() {
        "md" => PreviewKind::Markdown,
        "patch" => PreviewKind::Diff,
        // The name of a language, or of something that is best shown as it is.
        name => names::preview_kind_from_name(name).unwrap_or(PreviewKind::Code),
    }
}

/// `options` with each that was sent twice only once.
pub(super) fn merge_identical(options: Vec<ReadOption>, notes: &mut Notes) -> Vec<ReadOption> {
    let mut seen = HashSet::new();
    let mut kept = Vec::with_capacity(options.len());
    for option in options {
        let OptionItem { id, label, description, value, preview, recommended } = &option.item;
        let preview = preview.as_ref().map(|preview| preview.text.clone());
        let (id, label) = (id.clone(), label.clone());
        let all = (id, label, description.clone(), value.clone(), preview, *recommended);
        if seen.insert(all) {
            kept.push(option);
        } else {
            let label = quoted(&option.item.label);
            let message = format!("The option {label} was sent twice; it is shown once.");
            notes.warn("duplicate_option", &option.path, message);
        }
    }
    kept
}

/// Gives an id to every option that has none: the words of its label, different from every other
/// id and from every other option's label, so that neither is taken for the other.
pub(crate) fn give_ids(options: &mut [OptionItem]) {
    let given = options.iter().map(|option| option.id.clone()).filter(|id| !id.is_empty());
    let mut taken: HashSet<String> = given.collect();
    // Where the search for a free number goes on, so that many equal labels take no longer.
    let mut numbers: HashMap<String, u64> = HashMap::new();
    let labels: HashSet<String> = options.iter().map(|option| option.label.clone()).collect();
    for (position, option) in options.iter_mut().enumerate() {
        if !option.id.is_empty() {
            continue;
        }
        let base = slug(&option.label).unwrap_or_else(|| format!("option-{}", position + 1));
        let is_free =
            |id: &String| !taken.contains(id) && (*id == option.label || !labels.contains(id));
        let mut id = base.clone();
        while !is_free(&id) {
            let number = numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            id = format!("{base}-{number}");
        }
        taken.insert(id.clone());
        option.id = id;
    }
}

/// The letters and digits of `label` in lower case, joined by `-`; `None`: it has none.
fn slug(label: &str) -> Option<String> {
    const LONGEST: usize = 64;
    let mut slug = String::new();
    for word in text::strip_recommended(label).split(|c: char| !c.is_alphanumeric()) {
        let word = word.to_lowercase();
        if word.is_empty() {
            continue;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(&word);
        if slug.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|end| slug.is_char_boundary(*end)).unwrap_or(0);
            slug.truncate(end);
            break;
        }
    }
    let slug = slug.trim_end_matches('-').to_owned();
    (!slug.is_empty()).then_some(slug)
}
