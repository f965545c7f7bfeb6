//! JSON inside strings.

use serde_json::Value;

use super::markup;

/// Strings within strings that are opened.
const LAYERS: usize = 3;

/// What a string holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Embedded {
    /// An object or array.
    Container(Value),
    /// Text that means itself.
    Text,
    /// Meant as JSON, but it isn't; the clause says why. It is never repaired: half a question
    /// is a wrong question.
    Broken(&'static str),
}

/// Reads `text` as JSON where it is meant as an object or array.
pub(crate) fn embedded(text: &str) -> Embedded {
    let mut text = unfenced(text).to_owned();
    if text.starts_with("[object Object]") {
        return Embedded::Broken("it is what is printed for an object whose content is lost");
    }
    if !looks_like_json(&text) {
        // `[1, 2]` is JSON and `[1] Ship it` isn't: only the whole text can tell.
        let parsed = if text.starts_with('[') { serde_json::from_str(&text).ok() } else { None };
        return parsed.map_or(Embedded::Text, Embedded::Container);
    }
    for _ in 0..LAYERS {
        match serde_json::from_str(&text) {
            Ok(Value::String(inner)) if looks_like_json(&inner) => {
                unfenced(&inner).clone_into(&mut text)
            }
            Ok(container @ (Value::Array(_) | Value::Object(_))) => {
                return Embedded::Container(container);
            }
            Ok(_) => return Embedded::Text,
            // Something between quotation marks.
            Err(_) if text.starts_with('"') => return Embedded::Text,
            Err(error) => match unclosed(&text) {
                Some(rest) => rest.clone_into(&mut text),
                None => return Embedded::Broken(reason(&text, &error)),
            },
        }
    }
    Embedded::Broken("it is wrapped in more than three strings")
}

/// `text` without the tags that closed a tool call behind its JSON.
fn unclosed(text: &str) -> Option<String> {
    let leak = markup::leak(text).filter(|leak| leak.parameters.is_empty())?;
    leak.text.ends_with([']', '}', '"', '`']).then(|| unfenced(&leak.text).to_owned())
}

/// Whether `text`, where a list belongs, is what programs print for nothing.
pub(crate) fn is_printed_null(text: &str) -> bool {
    matches!(text.trim(), "null" | "undefined" | "None" | "nil" | "NULL")
}

fn reason(text: &str, error: &serde_json::Error) -> &'static str {
    const PYTHON: [&str; 5] = ["{'", "['", "True", "False", "None"];
    if error.is_eof() {
        "it is incomplete and ends too early"
    } else if PYTHON.iter().any(|mark| text.contains(mark)) {
        "it looks like a Python literal"
    } else if error.to_string().contains("recursion limit") {
        "it is nested too deeply"
    } else {
        "a comma, quotation mark or bracket is out of place"
    }
}

/// Whether `text` starts as JSON does. A bracket alone is no sign: people write `[urgent] …`.
fn looks_like_json(text: &str) -> bool {
    let text = text.trim_start();
    let mut chars = text.chars();
    let first = chars.next();
    let rest = chars.as_str().trim_start();
    match first {
        Some('{') => {
            rest.starts_with(['"', '\'', '}'])
                || rest.split_once(':').is_some_and(|(key, _)| is_bare_key(key.trim()))
        }
        Some('[') => rest.starts_with(['{', '[', '"', '\'', ']']),
        Some('"') => looks_like_json_escaped(rest),
        _ => false,
    }
}

/// Whether what follows an opening quotation mark is JSON in a string.
fn looks_like_json_escaped(text: &str) -> bool {
    let text = text.trim_start_matches(['\\', '"', ' ']);
    text.starts_with(['{', '['])
}

fn is_bare_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// `text` without white space, a byte order mark and a code fence around it.
pub(crate) fn unfenced(text: &str) -> &str {
    let invisible = |c: char| matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}');
    let text = text.trim_matches(|c: char| c.is_whitespace() || invisible(c));
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some(inner) = inner else { return text };
    match inner.split_once('\n') {
        Some((language, body)) if language.trim().chars().all(char::is_alphanumeric) => body.trim(),
        // ```json[…]``` on one line.
        _ => {
            let body = inner.strip_prefix("json").unwrap_or(inner).trim();
            if body.starts_with(['[', '{']) { body } else { text }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_opened_through_three_strings_and_never_repaired() {
        let layers = |count: usize| {
            (0..count).fold(json!({ "a": [1] }), |inner, _| inner.to_string().into())
        };
        for count in 1..=3 {
            let text = layers(count);
            let opened = embedded(text.as_str().unwrap());
            assert_eq!(opened, Embedded::Container(json!({ "a": [1] })), "{count}");
        }
        assert!(matches!(embedded(layers(4).as_str().unwrap()), Embedded::Broken(_)));
        for broken in ["{\"a\": [1", "[{'a': True}]", "[\"a\",]", "{a: 1}", "[{\"a\": 1}] x"] {
            assert!(matches!(embedded(broken), Embedded::Broken(_)), "{broken}");
        }
    }

    #[test]
    fn text_stays_text() {
        for text in
            ["[urgent] Ship?", "[1] first", "{name} is free", "\"Yes\"", "42", "true", "", "{", "["]
        {
            assert_eq!(embedded(text), Embedded::Text, "{text}");
        }
        assert_eq!(embedded(" [1, 2]\n"), Embedded::Container(json!([1, 2])));
        assert_eq!(embedded("```json\n[\"a\"]\n```"), Embedded::Container(json!(["a"])));
    }
}
