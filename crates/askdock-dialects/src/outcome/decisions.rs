//! Formats that decide on an action.

use askdock_domain::{BatchKind, Format, TypedValue, read_typed};
use serde_json::{Map, Value, json};

use super::{Answered, Ended};

/// The option with which a person edits an action.
pub(crate) const EDIT: &str = "edit";

/// The selected option, or cancelled.
pub(super) fn acp_permission(ended: &Ended<'_>) -> Value {
    let chosen = ended.answers().filter(|_| ended.is_answered());
    match chosen.flat_map(|answered| answered.options()).next() {
        Some(option) => json!({ "outcome": { "outcome": "selected", "optionId": option.id } }),
        None => json!({ "outcome": { "outcome": "cancelled" } }),
    }
}

/// A response for each interrupt, in order. What wasn't decided is ignored, which lets the action
/// rest; beside it stands how the ask ended. Somebody who asks back responds.
pub(super) fn agent_inbox(ended: &Ended<'_>) -> Value {
    if ended.content.kind != BatchKind::Permission {
        return any_interrupt(ended);
    }
    let all: Vec<Answered<'_>> = ended.answers().collect();
    let decisions = all.iter().filter(|answered| answered.question.show_when.is_empty());
    decisions.map(|decision| response(decision, &all, ended)).collect()
}

fn response(decision: &Answered<'_>, all: &[Answered<'_>], ended: &Ended<'_>) -> Value {
    let said = |kind: &str, args: Value| json!({ "type": kind, "args": args });
    if !ended.is_answered() {
        return without_decision(ended, decision.question.allow_custom);
    }
    if let Some(text) = decision.text() {
        return said("response", text.into());
    }
    match decision.options().next() {
        Some(option) if option.id == EDIT => {
            let request = option.value.as_deref().and_then(|json| serde_json::from_str(json).ok());
            said(EDIT, edited(request.unwrap_or_default(), &decision.question.id, all))
        }
        Some(option) => said(&option.id, Value::Null),
        None => said("ignore", Value::Null),
    }
}

fn without_decision(ended: &Ended<'_>, takes_text: bool) -> Value {
    let (kind, args) = match &ended.outcome.message {
        Some(message) if takes_text => ("response", message.clone().into()),
        _ => ("ignore", Value::Null),
    };
    let fields = [("type".to_owned(), kind.into()), ("args".to_owned(), args)];
    ended.without_answer(Map::from_iter(fields))
}

/// The action with the arguments that were edited; those left blank keep their values.
fn edited(mut request: Value, decision: &str, all: &[Answered<'_>]) -> Value {
    for answered in all {
        let name = answered.question.id.strip_prefix(decision).and_then(|n| n.strip_prefix('.'));
        let Some((name, text)) = name.zip(answered.text()) else { continue };
        if let Some(argument) = request.pointer_mut("/args").and_then(|args| args.get_mut(name)) {
            *argument = retyped(argument, text);
        }
    }
    request
}

/// `text` as a value of the kind that `old` is, or as text.
fn retyped(old: &Value, text: &str) -> Value {
    let typed = match old {
        Value::Bool(_) => read_typed(Format::Boolean, text),
        Value::Number(_) => {
            read_typed(Format::Integer, text).or_else(|| read_typed(Format::Number, text))
        }
        _ => None,
    };
    match (typed, old) {
        (Some(TypedValue::Boolean(flag)), _) => flag.into(),
        (Some(TypedValue::Integer(n)), _) => n.into(),
        (Some(TypedValue::Number(n)), _) => n.into(),
        (_, Value::Array(_) | Value::Object(_)) => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        _ => text.into(),
    }
}

/// The response to an interrupt that only asks: a text, or texts by question.
fn any_interrupt(ended: &Ended<'_>) -> Value {
    if !ended.is_answered() {
        return Value::Array(vec![without_decision(ended, true)]);
    }
    let value = |answered: &Answered<'_>| match answered.values().as_slice() {
        [only] if !answered.question.multi_select => Value::from(*only),
        values => values.to_vec().into(),
    };
    let answers: Vec<Answered<'_>> = ended.answers().collect();
    let args = match answers.as_slice() {
        [only] => value(only),
        several => several
            .iter()
            .filter(|answered| answered.answer.is_some())
            .map(|answered| (answered.question.id.clone(), value(answered)))
            .collect::<Map<_, _>>()
            .into(),
    };
    json!([{ "type": "response", "args": args }])
}
