//! Texts in parts, and data shown as text.

use serde_json::Value;

/// A list of parts, `{"type": "text", "text": …}` or `{"type": "json", "value": …}`, as one text
/// with the data in fenced blocks; `None`: it is something else.
pub(crate) fn joined(parts: &Value) -> Option<Value> {
    let parts: Option<Vec<String>> = parts.as_array()?.iter().map(part).collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join("\n\n").into())
}

fn part(part: &Value) -> Option<String> {
    let content = |names: &[&str]| names.iter().find_map(|name| part.get(name));
    match part.get("type")?.as_str()? {
        "text" => content(&["text", "value", "content"])?.as_str().map(str::to_owned),
        "json" => Some(fenced_json(content(&["json", "value", "data", "content"])?)),
        _ => None,
    }
}

/// `value` as a fenced block of JSON.
pub(crate) fn fenced_json(value: &Value) -> String {
    fenced("json", &format!("{value:#}"))
}

/// `text` in a fence that nothing inside can close.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    const SHORTEST: usize = 3;
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(SHORTEST.max(longest + 1));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// The first `most` bytes of `text` at most, whole characters, and a word where some are missing.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    const MISSING: &str = "\n… (shortened)";
    if text.len() <= most {
        return text.to_owned();
    }
    let end = most.saturating_sub(MISSING.len());
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}{MISSING}", &text[..end])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_become_one_text() {
        let parts = json!([
            { "type": "text", "text": "Ship this?" },
            { "type": "json", "value": { "code": "```" } },
        ]);
        let text = "Ship this?\n\n````json\n{\n  \"code\": \"```\"\n}\n````";
        assert_eq!(joined(&parts), Some(text.into()));
        for other in [json!([]), json!("text"), json!([{ "question": "A?" }]), json!([1])] {
            assert_eq!(joined(&other), None, "{other}");
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("äöü", 6), "äöü");
        let cut = shortened(&"ä".repeat(100), 101);
        assert!(cut.len() <= 101 && cut.ends_with("ä\n… (shortened)"), "{cut}");
    }
}
