//! Helmr: a text, or what is selected with its values.

use serde_json::{Map, Value, json};

use super::Ended;

/// The answer to the only question, and who gave it.
pub(super) fn write(ended: &Ended<'_>) -> Value {
    let Some(answered) = ended.answers().next().filter(|_| ended.is_answered()) else {
        return ended.without_answer(Map::new());
    };
    let answer: Value = if answered.question.options.is_empty() {
        answered.text().unwrap_or_default().into()
    } else {
        let selected = answered.options().map(|option| {
            let mut entry = Map::from_iter([("id".to_owned(), option.id.clone().into())]);
            let value = option.value.as_deref().and_then(|json| serde_json::from_str(json).ok());
            if let Some(value) = value {
                entry.insert("value".to_owned(), value);
            }
            Value::Object(entry)
        });
        let mut answer =
            Map::from_iter([("selected".to_owned(), selected.collect::<Vec<_>>().into())]);
        for (name, text) in [("custom", answered.text()), ("notes", answered.notes())] {
            if let Some(text) = text {
                answer.insert(name.to_owned(), text.into());
            }
        }
        answer.into()
    };
    let responder = &ended.outcome.responder;
    // The format knows two kinds; whoever holds no key is the person.
    let kind = if responder.kind == "api_key" { "api_key" } else { "user" };
    json!({ "answer": answer, "answeredBy": { "kind": kind, "id": responder.id } })
}
