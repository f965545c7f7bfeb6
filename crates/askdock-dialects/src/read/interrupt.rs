//! Human interrupts of LangGraph: an action and what may be done about it, alone or in a list.
//! One that is nothing of the kind still becomes a question with its content readable.

use askdock_domain::{
    AskContent, BatchKind, Condition, DefaultValue, Format, OptionItem, check, limits,
};
use serde_json::{Map, Value};

use super::around::Around;
use super::batch::{assembled, is_crowded, questions};
use super::embedded::{Embedded, embedded};
use super::fields::{Field, Fields, Found, envelope, interrupt};
use super::form::field;
use super::notes::Notes;
use super::options::ReadOption;
use super::parts::{fenced, fenced_json, shortened};
use super::path::Path;
use super::question::ReadQuestion;
use super::scalar;
use crate::Ask;
use crate::dialect::Profile;
use crate::outcome::EDIT;

/// Wrappers within each other that are opened.
const DEEPEST: usize = 8;

/// Reads `input`; what is missing or wrong is in `notes`.
pub(super) fn read(input: &Value, profile: Profile, notes: &mut Notes) -> Ask {
    let mut found = vec![];
    let mut levels = vec![];
    let whole = Found { value: input.clone(), path: Path::default() };
    collect(whole, 0, &mut levels, &mut found, &mut Notes::default());
    if found.is_empty() {
        return anything(input, profile, notes);
    }
    let mut around = Around { levels };
    let mut ask = around.envelope(profile, notes);
    ask.content.kind = BatchKind::Permission;
    let count = found.len();
    if is_crowded(count, &Path::default(), notes) {
        return ask;
    }
    let room = limits::QUESTIONS.max.saturating_sub(count);
    let mut read = vec![];
    for (at, fields) in found.into_iter().enumerate() {
        let id = if count == 1 { "decision".to_owned() } else { format!("decision_{}", at + 1) };
        let room = room - (read.len() - at).min(room);
        one(fields, &id, room, &mut read, notes);
    }
    for (at, question) in read.iter().enumerate() {
        notes.place(format!("questions[{at}]"), &question.path);
    }
    around.finish(profile, notes);
    ask.content.questions = assembled(read, notes);
    ask
}

/// Puts every interrupt inside `found` into `interrupts`, what is around them into `levels`.
fn collect(
    found: Found,
    depth: usize,
    levels: &mut Vec<Fields>,
    interrupts: &mut Vec<Fields>,
    notes: &mut Notes,
) {
    const WRAPPERS: Field =
        Field(&["interrupt", "interrupts", "value", "values", "request", "requests"]);
    let Found { value, path } = found;
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Array(items) => {
            for (at, value) in items.into_iter().enumerate() {
                let item = Found { value, path: path.index(at) };
                collect(item, depth + 1, levels, interrupts, notes);
            }
        }
        Value::Object(object) => {
            let mut fields = Fields::new(object, path);
            if fields.has(interrupt::ACTION_REQUEST) {
                interrupts.push(fields);
                return;
            }
            for field in [WRAPPERS, envelope::WRAPPER] {
                if let Some(inner) = fields.take(field, notes) {
                    collect(inner, depth + 1, levels, interrupts, notes);
                }
            }
            levels.push(fields);
        }
        Value::String(text) => {
            if let Embedded::Container(value) = embedded(&text) {
                collect(Found { value, path }, depth + 1, levels, interrupts, notes);
            }
        }
        _ => {}
    }
}

/// One interrupt: its decision, and a question for each argument where they may be edited.
fn one(mut fields: Fields, id: &str, room: usize, read: &mut Vec<ReadQuestion>, notes: &mut Notes) {
    let path = fields.path.clone();
    let description =
        fields.take(interrupt::DESCRIPTION, notes).and_then(|found| scalar::text(found, notes));
    let request = fields.take(interrupt::ACTION_REQUEST, notes);
    let (action, args) = match request {
        Some(Found { value: Value::Object(object), path }) => {
            let mut request = Fields::new(object, path);
            let action = request.take(interrupt::ACTION, notes);
            let args = request.take(interrupt::ARGS, notes).map(|found| found.value);
            request.finish(notes);
            (action.and_then(|found| scalar::text(found, notes)), args.unwrap_or(Value::Null))
        }
        Some(Found { value, .. }) => match value {
            Value::String(action) => (Some(action), Value::Null),
            other => (None, other),
        },
        None => (None, Value::Null),
    };
    let allowed = allowed(&mut fields, notes);
    fields.finish(notes);

    let name = action.clone().unwrap_or_else(|| "this action".to_owned());
    let mut decision =
        field(id, Some(description.unwrap_or_else(|| format!("Allow {name}?"))), &path);
    decision.question.header.clone_from(&action);
    decision.question.description = (!super::is_placeholder(&args)).then(|| shown(&args));
    decision.question.allow_custom = allowed.respond;
    if allowed.respond {
        decision.question.placeholder = Some("Respond".to_owned());
    }
    let mut edits = vec![];
    if allowed.edit {
        edits = self::edits(id, &args, &path);
        if edits.len() > room || edits.iter().any(|q| q.question.id.len() > limits::QUESTION_ID.max)
        {
            edits.clear();
        }
        if edits.is_empty() {
            let message = "There is nothing to edit, or too much; editing is not offered.";
            notes.warn("edit_not_offered", &path, message);
        }
    }
    let request = Map::from_iter([
        ("action".to_owned(), action.map_or(Value::Null, Value::from)),
        ("args".to_owned(), args),
    ]);
    let offered = [
        (allowed.accept, "accept", "Accept", None),
        (!edits.is_empty(), EDIT, "Edit", Some(Value::Object(request))),
        (allowed.ignore, "ignore", "Ignore", None),
    ];
    for (_, id, label, value) in offered.into_iter().filter(|(offered, ..)| *offered) {
        let item = OptionItem {
            id: id.to_owned(),
            label: label.to_owned(),
            value: value.map(|value| value.to_string()),
            ..OptionItem::default()
        };
        decision.options.push(ReadOption { item, path: path.clone(), label_path: path.clone() });
    }
    if decision.options.is_empty() && !allowed.respond {
        let message = "The config allows nothing; allow at least one of accept, edit, respond and \
            ignore.";
        notes.problem("nothing_to_ask", &path.field("config"), message);
    }
    read.push(decision);
    read.append(&mut edits);
}

#[derive(Debug, Clone, Copy)]
struct Allowed {
    accept: bool,
    edit: bool,
    respond: bool,
    ignore: bool,
}

/// What the config allows. Without one, whatever needs no more than a word.
fn allowed(fields: &mut Fields, notes: &mut Notes) -> Allowed {
    let Some(Found { value: Value::Object(config), path }) = fields.take(interrupt::CONFIG, notes)
    else {
        let message = "There is no config; accepting, responding and ignoring are offered.";
        notes.warn("config_missing", &fields.path, message);
        return Allowed { accept: true, edit: false, respond: true, ignore: true };
    };
    let mut config = Fields::new(config, path);
    let mut flag = |field: Field| {
        let found = config.take(field, notes);
        found.and_then(|found| scalar::flag_of(&found, notes)).unwrap_or(false)
    };
    let allowed = Allowed {
        accept: flag(interrupt::ACCEPT),
        edit: flag(interrupt::EDIT),
        respond: flag(interrupt::RESPOND),
        ignore: flag(interrupt::IGNORE),
    };
    config.finish(notes);
    allowed
}

/// A question for each argument, shown when *Edit* is chosen; one left blank keeps its value.
fn edits(decision: &str, args: &Value, path: &Path) -> Vec<ReadQuestion> {
    let Value::Object(args) = args else { return vec![] };
    let question = |(name, value): (&String, &Value)| {
        let mut read = field(&format!("{decision}.{name}"), Some(name.clone()), path);
        read.question.show_when = vec![Condition {
            question: decision.to_owned(),
            options: vec![EDIT.to_owned()],
            not: false,
        }];
        (read.question.format, read.question.default) = match value {
            Value::Bool(flag) => (Some(Format::Boolean), Some(DefaultValue::Boolean(*flag))),
            Value::Number(number) => {
                let format = if number.is_f64() { Format::Number } else { Format::Integer };
                (Some(format), number.as_f64().map(DefaultValue::Number))
            }
            Value::String(text) => (None, Some(DefaultValue::Text(text.clone()))),
            Value::Null => (None, None),
            other => (None, Some(DefaultValue::Text(other.to_string()))),
        };
        read
    };
    args.iter().filter(|(name, _)| !name.trim().is_empty()).map(question).collect()
}

fn shown(args: &Value) -> String {
    const SHOWN: usize = limits::DESCRIPTION.max - 64;
    match args {
        Value::String(text) => shortened(text, limits::DESCRIPTION.max),
        args => fenced("json", &shortened(&format!("{args:#}"), SHOWN)),
    }
}

/// An interrupt of any other kind: questions if it is some, else a text field beside its content.
fn anything(input: &Value, profile: Profile, notes: &mut Notes) -> Ask {
    let mut tried = Notes::default();
    let ask = questions(input.clone(), profile, &mut tried);
    let is_sound = !tried.has_problems() && check(&ask.content).is_ok();
    if is_sound || super::is_placeholder(input) || !(input.is_object() || input.is_array()) {
        *notes = tried;
        return ask;
    }
    let path = Path::default();
    let kind = if input.is_array() { "list" } else { "object" };
    let message = format!("This {kind} is no known interrupt; it is shown beside a text field.");
    notes.warn("unknown_interrupt", &path, message);
    let mut read = field("response", Some("The agent waits for a response.".to_owned()), &path);
    read.question.description = Some(match input {
        value if value.to_string().len() < limits::DESCRIPTION.max / 2 => fenced_json(value),
        value => shown(value),
    });
    notes.place("questions[0]".to_owned(), &path);
    Ask {
        content: AskContent { questions: assembled(vec![read], notes), ..AskContent::default() },
        request_id: None,
        timeout: profile.omitted_timeout,
        session: None,
        owner_session: None,
        teammate: None,
        warnings: vec![],
    }
}
