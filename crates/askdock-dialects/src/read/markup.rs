//! Tool-call markup that leaked into the end of a text, when a model closed its call inside a
//! string: closing tags, and parameters that belonged beside the text.

/// A text without the markup at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Leak {
    /// What is left.
    pub(crate) text: String,
    /// Parameters found at the end, in the order in which they stood: name and raw value.
    pub(crate) parameters: Vec<(String, String)>,
}

/// Elements whose closing tags are tool-call markup.
const ELEMENTS: [&str; 16] = [
    "parameter",
    "parameters",
    "invoke",
    "question",
    "questions",
    "function",
    "function_call",
    "function_calls",
    "tool_call",
    "tool_calls",
    "tool_use",
    "arguments",
    "payload",
    "options",
    "choices",
    "header",
];

/// The markup at the very end of `text`; `None`: there is none. Markup inside code, after a
/// space (part of the sentence) or with no text before it stays.
pub(crate) fn leak(text: &str) -> Option<Leak> {
    let mut rest = text;
    let mut parameters = vec![];
    loop {
        let shorter = without_closers(rest);
        if let Some((before, name, value)) = last_parameter(shorter) {
            parameters.push((name.to_owned(), value.to_owned()));
            rest = before;
        } else if shorter.len() < rest.len() {
            rest = shorter;
        } else {
            break;
        }
    }
    let left = rest.trim_end();
    let in_code = left.matches('`').count() % 2 == 1;
    let changed = left.len() < text.trim_end().len();
    let in_sentence = rest.ends_with(' ') && !rest[left.len()..].contains('\n');
    if !changed || in_code || in_sentence || left.trim().is_empty() {
        return None;
    }
    parameters.reverse();
    Some(Leak { text: left.to_owned(), parameters })
}

/// `text` without the closing tags at its end.
fn without_closers(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_end();
        // The nearest bracket, never one further off: this runs once for each tag of a long row.
        let tag = trimmed.strip_suffix('>').and_then(|inner| inner.rsplit_once('<'));
        let Some((before, name)) = tag else { return rest };
        if !name.strip_prefix('/').is_some_and(|name| ELEMENTS.contains(&bare_name(name))) {
            return rest;
        }
        rest = before;
    }
}

/// The last `<parameter name="…">value` of `text`: what stands before it, its name, its value.
fn last_parameter(text: &str) -> Option<(&str, &str, &str)> {
    let at = text.rfind("parameter name=")?;
    let start = text[..at].rfind('<')?;
    let (tag, value) = text[start + 1..].split_once('>')?;
    let (element, attributes) = tag.split_once(char::is_whitespace)?;
    let name = attributes.trim_start().strip_prefix("name=")?;
    let quote = name.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (name, _) = name[1..].split_once(quote)?;
    (bare_name(element) == "parameter").then_some((&text[..start], name, value.trim()))
}

/// An element's name without a namespace or the marks that some models put around their own.
fn bare_name(name: &str) -> &str {
    name.trim().rsplit([':', '|', '｜']).next().unwrap_or(name).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaks_at_the_end_are_found() {
        let check = |text: &str, left: &str, parameters: &[(&str, &str)]| {
            let leak = leak(text).unwrap_or_else(|| panic!("no leak in {text:?}"));
            assert_eq!(leak.text, left);
            let found: Vec<_> =
                leak.parameters.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            assert_eq!(found, parameters);
        };
        check("Send?</parameter>\n</invoke>", "Send?", &[]);
        check("Send?\n  </function_calls> ", "Send?", &[]);
        check("Go?</｜｜DSML｜｜parameter>\n</｜｜DSML｜｜invoke>", "Go?", &[]);
        check("Go?</x:parameter>", "Go?", &[]);
        let two = "Go?</question>\n<parameter name=\"a\">[1]</parameter>\n\
            <parameter name='b'>no</parameter></invoke>";
        check(two, "Go?", &[("a", "[1]"), ("b", "no")]);
        check("Keep `a`?</parameter>", "Keep `a`?", &[]);
    }

    #[test]
    fn what_belongs_to_the_text_stays() {
        for text in [
            "Should `<parameter name=\"x\">` stay in the docs?",
            "Keep `</invoke>`",
            "Does it end with </parameter>",
            "</parameter>",
            "Why <b>bold</b>",
            "Why </div>",
            "a > b",
            "",
        ] {
            assert_eq!(leak(text), None, "{text:?}");
        }
    }
}
