//! Answers that come in the form of a dialect, where something else than our own surfaces was
//! answered: the inverse of writing an outcome.

use askdock_domain::{AnswerKey, Answers, AskContent, Problem, Question, Submitted, resolve};
use serde_json::{Map, Value, json};

use super::read_answers;
use crate::Dialect;
use crate::outcome::{EDIT, split};
use crate::read::{Embedded, Path, embedded, is_placeholder};

/// What was answered in the form of a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// One answer for each question, in order.
    Answers(Answers),
    /// The person chose not to answer.
    Declined,
    /// There is no answer, for another reason.
    Cancelled,
}

/// Reads an answer to `content` in the form in which `dialect` writes outcomes. A question that
/// it leaves out was left blank.
///
/// # Errors
/// What is wrong with it, each with its place in `given` (a form's fields: `content.<name>`).
pub fn answers_in(
    dialect: Dialect,
    given: &Value,
    content: &AskContent,
) -> Result<Given, Vec<Problem>> {
    if let Value::String(text) = given
        && let Embedded::Container(inner) = embedded(text)
    {
        return answers_in(dialect, &inner, content);
    }
    let questions = content.questions.as_slice();
    let named = match dialect {
        Dialect::Askdock => read_answers(given).map(Named::Entries)?,
        Dialect::Openclaw => by_key(given.pointer("/answers/answers"), questions, values)?,
        Dialect::Codex => {
            let answers = given.get("answers").filter(|answers| !is_placeholder(answers));
            by_key(answers, questions, |question, value| {
                values(question, value.get("answers").unwrap_or(value))
            })?
        }
        Dialect::ClaudeCode => claude_code(given, questions)?,
        Dialect::Gemini => {
            let answers = given.get("answers").filter(|answers| !is_placeholder(answers));
            by_key(answers, questions, joined)?
        }
        Dialect::Jcode => by_position(given.get("answers"), "answers", questions, entry)?,
        Dialect::Opencode => {
            by_position(Some(given.get("answers").unwrap_or(given)), "", questions, values)?
        }
        Dialect::Frogbot => {
            let answers = given.pointer("/output/answers");
            by_position(answers, "output.answers", questions, |question, value| {
                values(question, value.get("selected").unwrap_or(value))
            })?
        }
        Dialect::Helmr => by_position(
            given.get("answer").map(|answer| json!([answer])).as_ref(),
            "answer",
            questions,
            helmr,
        )?,
        Dialect::McpElicitation => form(given, questions)?,
        Dialect::AcpPermission => acp_permission(given),
        Dialect::AgentInbox => agent_inbox(given, questions)?,
    };
    let Named::Entries(mut entries) = named else {
        let declined = given.get("dismissed").and_then(Value::as_bool) == Some(true)
            || given.get("action").is_some_and(|action| action == "decline");
        let status = given.get("status").and_then(Value::as_str);
        return Ok(match status {
            Some("dismissed") => Given::Declined,
            None if declined => Given::Declined,
            _ => Given::Cancelled,
        });
    };
    if dialect != Dialect::Askdock {
        let named: Vec<AnswerKey> = entries.iter().map(|(key, _)| key.clone()).collect();
        let is_missing = |at: usize| {
            let (position, name) = (AnswerKey::Index(at), &questions[at].id);
            !named.contains(&position) && !named.contains(&AnswerKey::Name(name.clone()))
        };
        entries.extend(
            (0..questions.len())
                .filter(|at| is_missing(*at))
                .map(|at| (AnswerKey::Index(at), blank())),
        );
    }
    let answers = resolve(questions, &entries);
    answers.map(Given::Answers).map_err(|problems| {
        let is_form = dialect == Dialect::McpElicitation;
        problems.into_iter().map(|p| if is_form { in_content(p) } else { p }).collect()
    })
}

/// What an answer names, before it is held against the questions.
enum Named {
    Entries(Vec<(AnswerKey, Submitted)>),
    /// There is none.
    Nothing,
}

fn blank() -> Submitted {
    Submitted { blank: true, ..Submitted::default() }
}

fn in_content(problem: Problem) -> Problem {
    let path = match problem.path.strip_prefix("answers") {
        Some(rest) => format!("content{rest}"),
        None => problem.path,
    };
    Problem { path, ..problem }
}

fn wrong_type(path: &Path, message: &str) -> Vec<Problem> {
    vec![Problem::new("wrong_type", path.as_str(), message)]
}

/// Entries by question id, text, header or index; `None` for `answers`: there is no answer.
fn by_key(
    answers: Option<&Value>,
    questions: &[Question],
    read: impl Fn(&Question, &Value) -> Option<Submitted>,
) -> Result<Named, Vec<Problem>> {
    let Some(answers) = answers else { return Ok(Named::Nothing) };
    let path = Path::default().field("answers");
    let Value::Object(answers) = answers else {
        return Err(wrong_type(&path, "These are no answers; send an object."));
    };
    let mut entries = vec![];
    for (key, value) in answers {
        let by_index = || key.parse().ok().filter(|at: &usize| *at < questions.len());
        let named = |name: fn(&Question) -> Option<&str>| {
            questions.iter().position(|question| name(question) == Some(key))
        };
        let at = named(|q| Some(&q.id))
            .or_else(|| named(|q| Some(&q.question)))
            .or_else(|| named(|q| q.header.as_deref()))
            .or_else(by_index);
        let Some(at) = at else {
            // Resolving it says what the questions are called.
            entries.push((AnswerKey::Name(key.clone()), blank()));
            continue;
        };
        let Some(entry) = read(&questions[at], value) else {
            return Err(wrong_type(&path.field(key), "This is no answer; send text."));
        };
        entries.push((AnswerKey::Index(at), entry));
    }
    Ok(Named::Entries(entries))
}

/// Entries in the order of the questions.
fn by_position(
    answers: Option<&Value>,
    place: &str,
    questions: &[Question],
    read: impl Fn(&Question, &Value) -> Option<Submitted>,
) -> Result<Named, Vec<Problem>> {
    let Some(answers) = answers else { return Ok(Named::Nothing) };
    let path = if place.is_empty() { Path::default() } else { Path::default().field(place) };
    let Value::Array(answers) = answers else {
        return Ok(Named::Nothing);
    };
    let mut entries = vec![];
    for (at, value) in answers.iter().enumerate() {
        let entry = match questions.get(at) {
            Some(question) => read(question, value),
            None => Some(blank()),
        };
        let Some(entry) = entry else {
            return Err(wrong_type(&path.index(at), "This is no answer; send a list of texts."));
        };
        entries.push((AnswerKey::Index(at), entry));
    }
    Ok(Named::Entries(entries))
}

/// A list of labels and typed text, or one of them alone.
fn values(question: &Question, value: &Value) -> Option<Submitted> {
    let texts: Vec<String> = match value {
        Value::Array(items) => {
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
        Value::String(text) => vec![text.clone()],
        Value::Null => vec![],
        _ => return None,
    };
    Some(submitted(question, texts))
}

/// One text, in which several are joined where several may be selected.
fn joined(question: &Question, value: &Value) -> Option<Submitted> {
    match value {
        Value::String(text) if question.multi_select => Some(submitted(question, split(text))),
        value => values(question, value),
    }
}

/// Labels are selected, whatever else there is was typed.
fn submitted(question: &Question, texts: Vec<String>) -> Submitted {
    let is_label = |text: &String| question.options.iter().any(|option| option.label == *text);
    let (mut selected, typed): (Vec<_>, Vec<_>) = texts.into_iter().partition(is_label);
    let mut entry = Submitted::default();
    if question.allow_custom {
        entry.text = (!typed.is_empty()).then(|| typed.join(", "));
    } else {
        selected.extend(typed);
    }
    entry.blank = selected.is_empty() && entry.text.is_none();
    entry.selected = selected;
    entry
}

/// `{selected?, text?}`; an empty one is blank.
fn entry(_: &Question, value: &Value) -> Option<Submitted> {
    let object = value.as_object()?;
    if object.is_empty() {
        return Some(blank());
    }
    let listed = read_answers(&json!([value])).ok()?;
    listed.into_iter().next().map(|(_, entry)| entry)
}

fn claude_code(given: &Value, questions: &[Question]) -> Result<Named, Vec<Problem>> {
    let given = given.pointer("/hookSpecificOutput/updatedInput").unwrap_or(given);
    let given = given.get("updatedInput").unwrap_or(given);
    let answers = given.get("answers").filter(|answers| !is_placeholder(answers));
    let mut named = by_key(answers, questions, joined)?;
    if let Named::Entries(entries) = &mut named {
        for (key, entry) in entries {
            let AnswerKey::Index(at) = key else { continue };
            let annotation = given.get("annotations").and_then(|a| a.get(&questions[*at].question));
            let note = annotation.and_then(|annotation| annotation.get("notes")?.as_str());
            entry.notes = note.map(str::to_owned);
        }
    }
    Ok(named)
}

fn helmr(question: &Question, answer: &Value) -> Option<Submitted> {
    let Value::Object(fields) = answer else { return values(question, answer) };
    let text = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let selected = fields.get("selected").and_then(Value::as_array).into_iter().flatten();
    let id = |entry: &Value| Some(entry.get("id").unwrap_or(entry).as_str()?.to_owned());
    Some(Submitted {
        selected: selected.map(id).collect::<Option<_>>()?,
        text: text("custom"),
        notes: text("notes"),
        blank: false,
    })
}

/// `{action, content}`; the content alone counts as accepted.
fn form(given: &Value, questions: &[Question]) -> Result<Named, Vec<Problem>> {
    let path = Path::default().field("action");
    match given.get("action").and_then(Value::as_str) {
        Some("accept") => {}
        None if given.get("action").is_none_or(Value::is_null)
            && given.get("content").is_some() => {}
        Some("decline" | "cancel") => return Ok(Named::Nothing),
        _ => return Err(wrong_type(&path, "Send action accept, decline or cancel.")),
    }
    let empty = Map::new();
    let content = match given.get("content") {
        Some(Value::Object(content)) => content,
        None | Some(Value::Null) => &empty,
        Some(_) => {
            let path = Path::default().field("content");
            return Err(wrong_type(&path, "This is no content; send an object by field name."));
        }
    };
    let mut entries = vec![];
    for (name, value) in content {
        let path = Path::default().field("content").field(name);
        let question = questions.iter().find(|question| question.id == *name);
        let entry = match question {
            Some(question) => field(question, value),
            None => Some(blank()),
        };
        let Some(entry) = entry else {
            return Err(wrong_type(&path, "This is no value of the field; send what it asks for."));
        };
        entries.push((AnswerKey::Name(name.clone()), entry));
    }
    Ok(Named::Entries(entries))
}

/// The value of a form's field, of the declared type or as text.
fn field(question: &Question, value: &Value) -> Option<Submitted> {
    let name = |value: &Value| {
        let json = value.to_string();
        let option = question.options.iter().find(|option| option.value.as_ref() == Some(&json));
        match (option, value) {
            (Some(option), _) => Some(option.id.clone()),
            (None, Value::String(text)) => Some(text.clone()),
            (None, Value::Number(_) | Value::Bool(_)) => Some(json),
            (None, _) => None,
        }
    };
    Some(match value {
        Value::Null => blank(),
        Value::Array(items) if question.multi_select => {
            let selected: Vec<String> = items.iter().map(name).collect::<Option<_>>()?;
            Submitted { blank: selected.is_empty(), selected, ..Submitted::default() }
        }
        value if !question.options.is_empty() => {
            Submitted { selected: vec![name(value)?], ..Submitted::default() }
        }
        Value::String(text) => Submitted { text: Some(text.clone()), ..Submitted::default() },
        Value::Number(_) | Value::Bool(_) => {
            Submitted { text: Some(value.to_string()), ..Submitted::default() }
        }
        _ => return None,
    })
}

fn acp_permission(given: &Value) -> Named {
    let outcome = given.get("outcome").unwrap_or(given);
    match outcome.get("optionId").and_then(Value::as_str) {
        Some(id) => {
            let entry = Submitted { selected: vec![id.to_owned()], ..Submitted::default() };
            Named::Entries(vec![(AnswerKey::Index(0), entry)])
        }
        None => Named::Nothing,
    }
}

/// `[{type, args}]` for each decision, in order.
fn agent_inbox(given: &Value, questions: &[Question]) -> Result<Named, Vec<Problem>> {
    let responses = match given {
        Value::Array(responses) => responses.as_slice(),
        response => std::slice::from_ref(response),
    };
    if responses.iter().any(|response| response.get("status").is_some()) {
        return Ok(Named::Nothing);
    }
    let decisions = || questions.iter().enumerate().filter(|(_, q)| q.show_when.is_empty());
    let mut entries = vec![];
    for ((at, question), response) in decisions().zip(responses) {
        let args = response.get("args").unwrap_or(&Value::Null);
        let selected =
            |id: &str| Submitted { selected: vec![id.to_owned()], ..Submitted::default() };
        let entry = match response.get("type").and_then(Value::as_str) {
            Some("response") => values(question, args).unwrap_or_else(|| Submitted {
                text: Some(args.to_string()),
                ..Submitted::default()
            }),
            Some(kind @ ("accept" | "ignore" | EDIT)) => selected(kind),
            _ => {
                let path = Path::default().index(at);
                let message = "This is no response; send type accept, edit, response or ignore.";
                return Err(wrong_type(&path, message));
            }
        };
        if entry.selected.first().is_some_and(|id| id == EDIT) {
            entries.extend(edits(&question.id, args, questions));
        }
        entries.push((AnswerKey::Index(at), entry));
    }
    Ok(Named::Entries(entries))
}

/// The arguments of an edited action, as answers to the questions for them.
fn edits(decision: &str, request: &Value, questions: &[Question]) -> Vec<(AnswerKey, Submitted)> {
    let args = request.get("args").and_then(Value::as_object).into_iter().flatten();
    args.filter_map(|(name, value)| {
        let id = format!("{decision}.{name}");
        let at = questions.iter().position(|question| question.id == id)?;
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let blank = is_placeholder(value);
        let text = (!blank).then_some(text);
        Some((AnswerKey::Index(at), Submitted { text, blank, ..Submitted::default() }))
    })
    .collect()
}
