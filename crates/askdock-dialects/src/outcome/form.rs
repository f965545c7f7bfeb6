//! Elicitation: accept with the form's content, decline or cancel.

use askdock_domain::{BatchKind, Format, TypedValue, read_typed};
use askdock_wire::BatchStatus;
use serde_json::{Map, Value, json};

use super::{Answered, Ended};

/// The person declines; time, the agent and the system cancel.
pub(super) fn write(ended: &Ended<'_>) -> Value {
    match ended.outcome.status {
        BatchStatus::Answered if ended.content.kind == BatchKind::Url => {
            json!({ "action": "accept" })
        }
        BatchStatus::Answered => {
            let fields = ended
                .answers()
                .filter_map(|answered| Some((answered.question.id.clone(), content(&answered)?)));
            json!({ "action": "accept", "content": fields.collect::<Map<_, _>>() })
        }
        BatchStatus::Dismissed => with_reason("decline", ended),
        BatchStatus::Pending | BatchStatus::Expired | BatchStatus::Cancelled => {
            with_reason("cancel", ended)
        }
    }
}

fn with_reason(action: &str, ended: &Ended<'_>) -> Value {
    json!({ "action": action, "_meta": { "askdock": ended.without_answer(Map::new()) } })
}

/// The value of one field, as its schema has it; `None`: it was left blank.
fn content(answered: &Answered<'_>) -> Option<Value> {
    answered.answer?;
    let question = answered.question;
    let mut selected = answered.options().map(|option| {
        let value = option.value.as_deref().and_then(|json| serde_json::from_str(json).ok());
        value.unwrap_or_else(|| Value::from(option.label.clone()))
    });
    if question.multi_select {
        return Some(selected.collect());
    }
    if !question.options.is_empty() {
        return selected.next();
    }
    let text = answered.text()?;
    Some(match question.format.and_then(|format| read_typed(format, text)) {
        Some(TypedValue::Integer(n)) => n.into(),
        // A whole number stays one where any number will do.
        Some(TypedValue::Number(n)) => match read_typed(Format::Integer, text) {
            Some(TypedValue::Integer(n)) => n.into(),
            _ => n.into(),
        },
        Some(TypedValue::Boolean(flag)) => flag.into(),
        Some(TypedValue::Text) | None => text.into(),
    })
}
