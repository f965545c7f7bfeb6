//! Bytes as a command or a file gives them: from UTF-8 to JSON to an ask.

use askdock_domain::Problem;
use serde_json::Value;

use crate::read::{normalise, too_large, unfenced};
use crate::{Ask, Dialect};

/// Reads `bytes` as the JSON of an ask in `dialect`. A byte order mark is skipped; JSON that was
/// cut short is never repaired.
///
/// # Errors
/// Bytes that aren't UTF-8 or JSON, with the place; then as [`normalise`].
pub fn normalise_text(bytes: &[u8], dialect: Dialect) -> Result<(Value, Ask), Vec<Problem>> {
    let value = parse(bytes).map_err(|problem| vec![problem])?;
    let ask = normalise(&value, dialect)?;
    Ok((value, ask))
}

fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";
    const UTF16_MARKS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];
    let problem = |code, message: String| Err(Problem::new(code, "", message));
    if let Some(problem) = too_large(bytes.len()) {
        return Err(problem);
    }
    if UTF16_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        return problem("not_utf8", "The input is UTF-16; send UTF-8.".to_owned());
    }
    let skipped = if bytes.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
    let text = match str::from_utf8(&bytes[skipped..]) {
        Ok(text) => text,
        Err(error) => {
            let offset = skipped + error.valid_up_to();
            let message = format!("The input is not valid UTF-8 at byte {offset}; send UTF-8.");
            return problem("not_utf8", message);
        }
    };
    if text.trim().is_empty() {
        return problem("empty_input", "The input is empty; send an ask as JSON.".to_owned());
    }
    // A code fence around the whole input says only where it begins and ends.
    let is_fenced = text.trim_start().starts_with("```");
    let json = if is_fenced { unfenced(text) } else { text };
    serde_json::from_str(json).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> Problem {
    let place = format!("line {}, column {}", error.line(), error.column());
    let reason = error.to_string();
    let (code, message) = if error.is_eof() {
        let message = format!(
            "The JSON is incomplete: the input ends at {place}, before the JSON does. \
            Send all of it; it is not repaired."
        );
        ("incomplete_json", message)
    } else if reason.contains("surrogate") || reason.contains("hex escape") {
        let message = format!(
            "There is half a surrogate pair (\\uD800 to \\uDFFF) at {place}; \
            send the whole character."
        );
        ("lone_surrogate", message)
    } else if reason.contains("recursion limit") {
        ("too_deep", format!("The JSON is nested too deeply at {place}; send it flatter."))
    } else {
        let reason = reason.split(" at line ").next().unwrap_or_default().to_owned();
        ("bad_json", format!("This is not valid JSON: {reason} at {place}."))
    };
    Problem::new(code, "", message)
}
