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
const ELEMENTS: &[&str] = &[
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
    "input",
    "args",
    "arg_key",
    "arg_value",
    "tool",
    "text",
    "tool_input",
    "tool_response",
    "ask_user",
    "ask_user_question",
    "AskUserQuestion",
    "multiSelect",
    "description",
    "s",
    "end_of_turn",
];

/// Elements that hold a field, when a model writes its call as elements.
const FIELDS: &[&str] = &["options", "choices", "header", "multiSelect", "multi_select"];

/// Fields that are recovered from one text.
const MOST: usize = 16;

/// What ends a turn or a call in some templates, in brackets.
const BRACKETED: &[&str] = &["[/INST]", "[/TOOL_CALLS]", "[/TOOL_CALL]"];

/// The markup at the very end of `text`; `None`: there is none. Markup inside code, after a
/// space (part of the sentence) or with no text before it stays.
pub(crate) fn leak(text: &str) -> Option<Leak> {
    let mut rest = text;
    let mut parameters = vec![];
    while parameters.len() < MOST {
        let shorter = without_closers(rest);
        let is_closed = shorter.len() < rest.len();
        let found =
            last_parameter(shorter).or_else(|| is_closed.then(|| last_element(shorter)).flatten());
        if let Some((before, name, value)) = found {
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
    if !changed || in_code || in_sentence || left.trim().is_empty() || closes(text, left.len()) {
        return None;
    }
    parameters.reverse();
    Some(Leak { text: left.to_owned(), parameters })
}

/// Whether the tag at `start` of `text` closes an element of the text before it, such as `<s>`.
fn closes(text: &str, start: usize) -> bool {
    let name = text[start..].trim_start().strip_prefix("</").and_then(|tag| tag.split_once('>'));
    name.is_some_and(|(name, _)| text[..start].contains(&format!("<{name}>")))
}

/// `text` without the closing tags at its end.
fn without_closers(text: &str) -> &str {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_end();
        if let Some(before) = BRACKETED.iter().find_map(|mark| trimmed.strip_suffix(mark)) {
            rest = before;
            continue;
        }
        // The nearest bracket, never one further off: this runs once for each tag of a long row.
        // The last tag of all may itself be cut short.
        let tag = trimmed.strip_suffix('>').unwrap_or(trimmed).rsplit_once('<');
        let Some((before, name)) = tag else { return rest };
        let is_closer =
            name.strip_prefix('/').is_some_and(|name| ELEMENTS.contains(&bare_name(name)));
        let is_whole = trimmed.ends_with('>');
        if !(is_closer || is_whole && is_token(name)) {
            return rest;
        }
        rest = before;
    }
}

/// Whether `name` is a control token such as `|im_end|`, or ends a turn.
fn is_token(name: &str) -> bool {
    let bars = ['|', '｜'];
    let inner = name.strip_prefix(bars).and_then(|name| name.strip_suffix(bars));
    name == "end_of_turn"
        || inner.is_some_and(|inner| {
            !inner.is_empty() && inner.chars().all(|c| c.is_alphanumeric() || "_▁/ ".contains(c))
        })
}

/// The last field of `text` that is an element of its own: what stands before it, its name, its
/// value.
fn last_element(text: &str) -> Option<(&str, &str, &str)> {
    if let Some((before, pair)) = text.rsplit_once("<arg_key>") {
        let (name, value) = pair.split_once("</arg_key>")?;
        let value = value.trim_start().strip_prefix("<arg_value>")?;
        return Some((before, name.trim(), value.trim()));
    }
    let found = FIELDS.iter().filter_map(|name| {
        let at = text.rfind(&format!("<{name}>"))?;
        Some((&text[..at], *name, text[at + name.len() + 2..].trim()))
    });
    found.max_by_key(|(before, ..)| before.len())
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
        check("Go?<|im_end|>", "Go?", &[]);
        check("Go?<｜tool▁calls▁end｜>", "Go?", &[]);
        check("Go?</invoke>[/INST]", "Go?", &[]);
        check("Go?</parameter", "Go?", &[]);
        check("Go?</question><options>[1]</options>", "Go?", &[("options", "[1]")]);
        let pair = "Go?\n<arg_key>header</arg_key>\n<arg_value>H</arg_value></tool_call>";
        check(pair, "Go?", &[("header", "H")]);
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
            "a <| b |>",
            "Keep <s>this</s>",
            "Why <options>",
            "x < y",
            "",
        ] {
            assert_eq!(leak(text), None, "{text:?}");
        }
    }
}
