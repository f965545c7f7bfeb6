//! Where the questions are: wrappers, lone objects, lists, numbered objects, JSON in strings,
//! plain text.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::embedded::{Embedded, embedded, is_printed_null};
use super::fields::{
    Field, Fields, Found, batch, enumerated, envelope, is_placeholder, option, question,
};
use super::notes::Notes;
use super::parts;
use super::path::{Path, quoted};

/// Wrappers and lists within each other that are opened.
const DEEPEST: usize = 8;

/// What was found in an input.
#[derive(Debug, Default)]
pub(crate) struct Located {
    /// The objects around the questions, from the outside in. In a flat ask the innermost is the
    /// question itself.
    pub(crate) levels: Vec<Fields>,
    /// The questions, if they are a list.
    pub(crate) items: Vec<Fields>,
    /// Where the list stands.
    pub(crate) list: Path,
    /// The innermost level is the question itself.
    pub(crate) flat: bool,
}

/// Finds the questions of `input`. Where there are none, a problem says so. With `in_parts` the
/// question's text may be a list of parts, which is one text then.
pub(crate) fn locate(input: Value, in_parts: bool, notes: &mut Notes) -> Located {
    let mut located = Located::default();
    let mut next = Some(Found { value: input, path: Path::default() });
    while let Some(found) = next.take() {
        if located.levels.len() > DEEPEST {
            let message = "The questions are wrapped too deeply; send them at the top.";
            notes.problem("too_deep", &found.path, message);
            return located;
        }
        next = open(found, in_parts, &mut located, notes);
    }
    if !located.flat && located.items.is_empty() && !notes.has_problems() {
        let path = if located.list.as_str().is_empty() && located.levels.is_empty() {
            Path::default()
        } else if located.list.as_str().is_empty() {
            Path::default().field("questions")
        } else {
            located.list.clone()
        };
        let message = "There is nothing to ask: questions is missing or empty. \
            Send an array with at least one question.";
        notes.problem("nothing_to_ask", &path, message);
    }
    located
}

/// Looks at one level; returns what is inside it if that is a level of its own.
fn open(found: Found, in_parts: bool, located: &mut Located, notes: &mut Notes) -> Option<Found> {
    let Found { value, path } = found;
    match value {
        Value::Object(object) => {
            let mut fields = Fields::new(object, path);
            if in_parts {
                fields.replace(question::TEXT, parts::joined);
            }
            open_object(fields, located, notes)
        }
        Value::Array(items) => {
            if located.levels.is_empty() {
                notes.warn("root_array", &path, "This array was read as the list of questions.");
            }
            located.list = path.clone();
            list(items, &path, 0, &mut located.items, notes);
            None
        }
        Value::String(text) => match embedded(&text) {
            Embedded::Container(value) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                Some(Found { value, path })
            }
            Embedded::Broken(reason) => {
                broken(reason, &path, notes);
                None
            }
            Embedded::Text if is_placeholder(&Value::String(text.clone())) => None,
            Embedded::Text => {
                notes.warn(
                    "plain_text",
                    &path,
                    "This text was read as a question without options.",
                );
                located.levels.push(Fields::short_for(&path, [(question::TEXT, text.into())]));
                located.flat = true;
                None
            }
        },
        Value::Null => None,
        Value::Bool(_) | Value::Number(_) => {
            not_a_list(&path, notes);
            None
        }
    }
}

fn open_object(mut fields: Fields, located: &mut Located, notes: &mut Notes) -> Option<Found> {
    if fields.is_numbered() {
        located.list = fields.path.clone();
        numbered(fields, 0, &mut located.items, notes);
        return None;
    }
    if let Some(found) = take_list(&mut fields, notes) {
        located.list = found.path.clone();
        questions(found, 0, &mut located.items, notes);
        give_options(&mut fields, &mut located.items, notes);
        located.levels.push(fields);
        return None;
    }
    let numbered = numbered_fields(&mut fields);
    if !numbered.is_empty() {
        let message = "Fields with numbers in their names were read as one question each.";
        notes.warn("numbered_fields", &fields.path, message);
        located.list = fields.path.clone();
        located.items.extend(numbered);
        located.levels.push(fields);
        return None;
    }
    if fields.has(question::TEXT)
        || fields.has(question::TITLE)
        || fields.has(question::OPTIONS)
        || fields.has(batch::URL)
    {
        located.levels.push(fields);
        located.flat = true;
        return None;
    }
    if fields.all(is_titled_list) {
        titled(fields, &mut located.items, notes);
        return None;
    }
    let inner = match fields.peek(envelope::WRAPPER) {
        Some(inner) if opens(inner) => fields.take(envelope::WRAPPER, notes),
        _ => {
            let named = fields.take_several(|_, value| looks_like_question(value));
            if !named.is_empty() {
                located.list = fields.path.clone();
                self::named(named, &fields.path, 0, &mut located.items, notes);
                located.levels.push(fields);
                return None;
            }
            fields.take_only().filter(|found| opens(&found.value))
        }
    };
    if let Some(inner) = &inner {
        notes.warn("wrapped", &inner.path, "The questions were wrapped; they were unwrapped.");
    }
    located.levels.push(fields);
    inner
}

/// The questions of `{"question_1": "…", "options_1": […], "question_2": "…"}`.
fn numbered_fields(fields: &mut Fields) -> Vec<Fields> {
    let belongs = |key: &str, value: &Value| {
        !is_placeholder(value)
            && enumerated(key).is_some_and(|(name, _)| {
                let fields = [question::TEXT, question::DESCRIPTION, question::ID];
                fields.iter().chain(OF_A_QUESTION).any(|field| field.names(name))
            })
    };
    let asks = |key: &str, value: &Value| {
        value.is_string() && enumerated(key).is_some_and(|(name, _)| question::TEXT.names(name))
    };
    if !fields.any(asks) {
        return vec![];
    }
    let mut by_number: BTreeMap<(usize, String), Fields> = BTreeMap::new();
    for (key, Found { value, path }) in fields.take_several(belongs) {
        let Some((name, number)) = enumerated(&key) else { continue };
        let whole = fields.path.clone();
        // In numerical order: 10 after 9.
        let of_one = by_number
            .entry((number.len(), number.to_lowercase()))
            .or_insert_with(|| Fields::short_for(&whole, []));
        of_one.add_named(name.to_owned(), value, path);
    }
    by_number.into_values().collect()
}

/// What stands beside the only question and belongs to it, where its options do.
const OF_A_QUESTION: &[Field] = &[
    question::OPTIONS,
    question::HEADER,
    question::MULTI,
    question::CUSTOM,
    question::MIN_SELECTED,
    question::MAX_SELECTED,
];

/// Gives options that stand beside the questions to those they are for: the only question, or
/// each its own list.
fn give_options(beside: &mut Fields, questions: &mut [Fields], notes: &mut Notes) {
    let have_none = questions.iter().all(|question| !question.has(question::OPTIONS));
    if !have_none || !beside.has(question::OPTIONS) {
        return;
    }
    if let [only] = questions {
        let message = "The options stood beside the question; they were read as its own.";
        notes.warn("options_beside", &beside.path, message);
        beside.lend(OF_A_QUESTION, only);
        return;
    }
    let Some(Found { value, path }) = beside.take(question::OPTIONS, notes) else { return };
    match value {
        Value::Array(lists)
            if lists.len() == questions.len() && lists.iter().all(Value::is_array) =>
        {
            let message = "Each list of options was read as that of the question in its place.";
            notes.warn("options_beside", &path, message);
            for ((at, list), question) in lists.into_iter().enumerate().zip(questions) {
                question.add(question::OPTIONS, list, path.index(at));
            }
        }
        _ => {
            let message = "It is not clear to which question these options belong; send them \
                inside the questions.";
            notes.problem("options_beside", &path, message);
        }
    }
}

/// Takes the field that holds the list of questions.
fn take_list(fields: &mut Fields, notes: &mut Notes) -> Option<Found> {
    if let Some(found) = fields.take(envelope::QUESTIONS, notes) {
        return Some(found);
    }
    if let Some(field) = words(fields).filter(|field| holds(fields, *field)) {
        return fields.take(field, notes);
    }
    // With a text beside it, a list of items is a question's options.
    if !fields.has(question::TEXT) && fields.peek(envelope::LISTS).is_some_and(opens) {
        return fields.take(envelope::LISTS, notes);
    }
    None
}

/// Whether there is an object or array to open.
fn opens(value: &Value) -> bool {
    match value {
        Value::Object(_) | Value::Array(_) => true,
        Value::String(text) => !matches!(embedded(text), Embedded::Text),
        _ => false,
    }
}

/// Reads what stands where the list of questions belongs.
fn questions(found: Found, depth: usize, items: &mut Vec<Fields>, notes: &mut Notes) {
    let Found { value, path } = found;
    if depth > DEEPEST {
        notes.problem("too_deep", &path, "The questions are wrapped too deeply; send them flat.");
        return;
    }
    match value {
        Value::Array(list_items) => list(list_items, &path, depth, items, notes),
        Value::Object(object) => lone(Fields::new(object, path), depth, items, notes),
        Value::String(text) => match embedded(&text) {
            Embedded::Container(value) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                questions(Found { value, path }, depth + 1, items, notes);
            }
            Embedded::Text if is_printed_null(&text) => {}
            Embedded::Text => plain(text, &path, items, notes),
            Embedded::Broken(reason) => broken(reason, &path, notes),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => not_a_list(&path, notes),
    }
}

/// An object where a list belongs: a lone question, numbered or named questions, or a wrapper.
fn lone(mut fields: Fields, depth: usize, items: &mut Vec<Fields>, notes: &mut Notes) {
    if fields.is_numbered() {
        return numbered(fields, depth, items, notes);
    }
    if is_question(&fields) {
        notes.warn("lone_object", &fields.path, "This object was read as a list of one question.");
        items.push(fields);
    } else if let Some(found) = take_inner_list(&mut fields, notes) {
        notes.warn("wrapped", &found.path, "The questions were wrapped; they were unwrapped.");
        fields.finish(notes);
        questions(found, depth + 1, items, notes);
    } else if fields.all(|_, value| looks_like_question(value)) {
        let path = fields.path.clone();
        named(fields.into_pairs(), &path, depth, items, notes);
    } else if fields.all(is_titled_list) {
        titled(fields, items, notes);
    } else {
        // Its faults are told when it is read as a question.
        items.push(fields);
    }
}

/// Questions by name; the names become their ids.
fn named(
    named: Vec<(String, Found)>,
    path: &Path,
    depth: usize,
    items: &mut Vec<Fields>,
    notes: &mut Notes,
) {
    let message = "This object was read as a list; its keys became the questions' ids.";
    notes.warn("named_questions", path, message);
    for (key, found) in named {
        let Value::Object(mut object) = found.value else { continue };
        object.entry("id").or_insert(Value::String(key));
        element(Found { value: object.into(), path: found.path }, depth + 1, items, notes);
    }
}

/// `{"Which database?": ["Postgres", "SQLite"], …}`: the keys are what is asked.
fn titled(fields: Fields, items: &mut Vec<Fields>, notes: &mut Notes) {
    let message = "This object was read as questions with their options.";
    notes.warn("questions_by_text", &fields.path, message);
    for (key, found) in fields.into_pairs() {
        let fields = [(question::TEXT, key.into()), (question::OPTIONS, found.value)];
        let question = Fields::short_for(&found.path, fields);
        items.push(question);
    }
}

/// Whether `key` is a sentence and `value` what may be chosen as the answer.
fn is_titled_list(key: &str, value: &Value) -> bool {
    let key = key.trim();
    let is_sentence = key.contains(char::is_whitespace) || key.ends_with(['?', '？', '؟', ':']);
    is_sentence && value.as_array().is_some_and(|list| list.iter().all(is_choice))
}

/// Whether `value` may be an option: a label, or an object that isn't a question.
fn is_choice(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Number(_) | Value::Bool(_) => true,
        Value::Object(object) => looks_like_option(object) && !object.contains_key("question"),
        Value::Null | Value::Array(_) => false,
    }
}

fn list(list: Vec<Value>, path: &Path, depth: usize, items: &mut Vec<Fields>, notes: &mut Notes) {
    for (position, value) in list.into_iter().enumerate() {
        element(Found { value, path: path.index(position) }, depth, items, notes);
    }
}

/// One element of a list: a question in any dress, or a list within the list.
fn element(found: Found, depth: usize, items: &mut Vec<Fields>, notes: &mut Notes) {
    let Found { value, path } = found;
    if depth > DEEPEST {
        notes.problem("too_deep", &path, "The questions are nested too deeply; send one list.");
        return;
    }
    match value {
        value if is_placeholder(&value) && !value.is_object() => {
            notes.warn("blank_question", &path, "This entry is empty; it was left out.");
        }
        Value::Array(mut inner) if is_pair(&inner) => {
            let message = "This pair was read as a question and its options.";
            notes.warn("question_pair", &path, message);
            let (options, text) = (inner.pop(), inner.pop());
            let pair = [text.unwrap_or_default(), options.unwrap_or_default()];
            let [text, options] = pair;
            let fields = [(question::TEXT, text), (question::OPTIONS, options)];
            items.push(Fields::short_for(&path, fields));
        }
        Value::Array(inner) => {
            notes.warn("nested_array", &path, "A list within the list was read as part of it.");
            list(inner, &path, depth + 1, items, notes);
        }
        Value::Object(object) => {
            let mut fields = Fields::new(object, path);
            match take_inner_list(&mut fields, notes) {
                Some(found) => {
                    let message = "The questions were wrapped; they were unwrapped.";
                    notes.warn("wrapped", &found.path, message);
                    fields.finish(notes);
                    questions(found, depth + 1, items, notes);
                }
                None => items.push(fields),
            }
        }
        Value::String(text) => match embedded(&text) {
            Embedded::Container(value) => {
                notes.warn("json_string", &path, "This was JSON in a string; it was read as JSON.");
                element(Found { value, path }, depth + 1, items, notes);
            }
            Embedded::Text => plain(text, &path, items, notes),
            Embedded::Broken(reason) => broken(reason, &path, notes),
        },
        _ => {
            let message = "This is no question; send an object with question and options.";
            notes.problem("wrong_type", &path, message);
        }
    }
}

/// Whether `list` is a question's text with its options.
fn is_pair(list: &[Value]) -> bool {
    matches!(list, [Value::String(text), Value::Array(options)]
        if embedded(text) == Embedded::Text && !options.is_empty() && options.iter().all(is_choice))
}

/// A list inside a list's element, such as `[{"questions": […]}]`, or a call around one.
fn take_inner_list(fields: &mut Fields, notes: &mut Notes) -> Option<Found> {
    if is_question(fields) {
        return None;
    }
    let list = take_list(fields, notes);
    if list.is_some() || fields.has(question::OPTIONS) {
        return list;
    }
    let is_wrapped = fields.peek(envelope::WRAPPER).is_some_and(opens);
    if is_wrapped { fields.take(envelope::WRAPPER, notes) } else { None }
}

fn numbered(fields: Fields, depth: usize, items: &mut Vec<Fields>, notes: &mut Notes) {
    let message = "An object with numbered keys was read as a list.";
    notes.warn("numbered_object", &fields.path, message);
    let mut pairs = fields.into_pairs();
    pairs.sort_by_key(|(key, _)| key.parse::<u32>().unwrap_or(u32::MAX));
    for (_, found) in pairs {
        element(found, depth + 1, items, notes);
    }
}

fn plain(text: String, path: &Path, items: &mut Vec<Fields>, notes: &mut Notes) {
    notes.warn("plain_text", path, "This text was read as a question without options.");
    items.push(Fields::short_for(path, [(question::TEXT, text.into())]));
}

/// The field that the object's question is in, if it has words of its own.
fn words(fields: &Fields) -> Option<Field> {
    [question::TEXT, question::TITLE, question::HEADER, question::DESCRIPTION]
        .into_iter()
        .find(|field| fields.has(*field))
}

/// Whether the words in `field` are questions of their own. With options beside them they are
/// this question's words, whatever they look like.
fn holds(fields: &Fields, field: Field) -> bool {
    !fields.has(question::OPTIONS) && fields.peek(field).is_some_and(holds_questions)
}

/// Whether the object is a question, not something around one.
fn is_question(fields: &Fields) -> bool {
    let own = words(fields).filter(|field| *field != question::DESCRIPTION);
    own.is_some_and(|field| !holds(fields, field))
}

/// Whether `value` is no text but questions: an object that asks or holds a list of questions,
/// or a list with such.
fn holds_questions(value: &Value) -> bool {
    let asks = |value: &Value| looks_like_question(value) || has_list(value);
    match value {
        Value::Array(items) => items.iter().any(is_or_embeds_question),
        Value::String(text) => match embedded(text) {
            Embedded::Container(Value::Array(items)) => items.iter().any(is_or_embeds_question),
            Embedded::Container(value) => asks(&value),
            Embedded::Text | Embedded::Broken(_) => false,
        },
        value => asks(value),
    }
}

fn has_list(value: &Value) -> bool {
    let is_list =
        |(key, value): (&String, &Value)| envelope::QUESTIONS.names(key) && !is_placeholder(value);
    value.as_object().is_some_and(|object| object.iter().any(is_list))
}

fn is_or_embeds_question(value: &Value) -> bool {
    match value.as_str().map(embedded) {
        Some(Embedded::Container(inner)) => looks_like_question(&inner),
        Some(Embedded::Text | Embedded::Broken(_)) => false,
        None => looks_like_question(value),
    }
}

fn looks_like_question(value: &Value) -> bool {
    let Value::Object(object) = value else { return false };
    let asks =
        |field: Field| object.iter().any(|(key, value)| field.names(key) && !is_placeholder(value));
    asks(question::TEXT) || asks(question::TITLE)
}

/// Whether `object` has what makes an option.
pub(crate) fn looks_like_option(object: &Map<String, Value>) -> bool {
    object.iter().any(|(key, value)| {
        (option::LABEL.names(key) || option::VALUE.names(key)) && !is_placeholder(value)
    })
}

/// A text that is meant as JSON and isn't.
pub(crate) fn broken(reason: &str, path: &Path, notes: &mut Notes) {
    let name = path.as_str().rsplit('.').next().filter(|name| !name.is_empty());
    let place = name.map_or_else(|| "The input".to_owned(), quoted);
    let message = format!(
        "{place} is text that is not valid JSON: {reason}. Send an array or object itself, \
        not as text."
    );
    notes.problem("bad_json", path, message);
}

fn not_a_list(path: &Path, notes: &mut Notes) {
    let message = "This is no list of questions; send an array of objects with question and \
        options.";
    notes.problem("wrong_type", path, message);
}
