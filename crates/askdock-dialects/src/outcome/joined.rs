//! Formats whose answers are one text each. Where several may be selected they are joined, and
//! one that could be taken for two is quoted as JSON.

use serde_json::{Map, Value, json};

use super::{Answered, Ended};

const BETWEEN: &str = ", ";

/// By the question's exact text, notes in annotations. A blank has no entry: an empty text would
/// read as an answer.
pub(super) fn by_text(ended: &Ended<'_>) -> Value {
    let mut answers = Map::new();
    let mut annotations = Map::new();
    for answered in ended.answers() {
        let question = &answered.question.question;
        if let Some(text) = joined(&answered) {
            answers.insert(question.clone(), text.into());
        }
        if let Some(notes) = answered.notes() {
            annotations.insert(question.clone(), json!({ "notes": notes }));
        }
    }
    let mut fields = Map::from_iter([("answers".to_owned(), answers.into())]);
    if !annotations.is_empty() {
        fields.insert("annotations".to_owned(), annotations.into());
    }
    fields.into()
}

/// By the question's position.
pub(super) fn by_position(ended: &Ended<'_>) -> Value {
    let answers: Map<String, Value> = ended
        .answers()
        .filter(|_| ended.is_answered())
        .enumerate()
        .filter_map(|(at, answered)| Some((at.to_string(), joined(&answered)?.into())))
        .collect();
    let fields = Map::from_iter([("answers".to_owned(), answers.into())]);
    if ended.is_answered() { fields.into() } else { ended.without_answer(fields) }
}

fn joined(answered: &Answered<'_>) -> Option<String> {
    let values = answered.values();
    if values.is_empty() {
        return None;
    }
    let several = answered.question.multi_select;
    let item = |value: &&str| if several { quoted(value) } else { (*value).to_owned() };
    Some(values.iter().map(item).collect::<Vec<_>>().join(BETWEEN))
}

fn quoted(value: &str) -> String {
    let is_ambiguous = value.contains(BETWEEN) || value.contains('"');
    if is_ambiguous { Value::from(value).to_string() } else { value.to_owned() }
}

/// The items of a joined text.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut items = vec![];
    let mut rest = text;
    loop {
        // A quoted item ends where its JSON does.
        let mut json = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let quoted = rest.starts_with('"').then(|| json.next()).flatten().and_then(Result::ok);
        let end = json.byte_offset();
        let after = &rest[if quoted.is_some() { end } else { 0 }..];
        match (quoted, after.strip_prefix(BETWEEN)) {
            (Some(item), Some(more)) => {
                items.push(item);
                rest = more;
            }
            (Some(item), None) if after.is_empty() => {
                items.push(item);
                return items;
            }
            _ => match rest.split_once(BETWEEN) {
                Some((item, more)) => {
                    items.push(item.to_owned());
                    rest = more;
                }
                None => {
                    items.push(rest.to_owned());
                    return items;
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_texts_come_apart_again() {
        for items in [
            vec!["a"],
            vec!["a", "b"],
            vec!["Yes, proceed", "No, cancel"],
            vec!["a \"b\"", "c"],
            vec!["\"", "\\", "ä, \n"],
            vec!["a,b", "c ,d"],
        ] {
            let text = items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(BETWEEN);
            assert_eq!(split(&text), items, "{text}");
        }
        assert_eq!(split("\"a\" b, c"), ["\"a\" b", "c"]);
        assert_eq!(split(""), [""]);
    }
}
