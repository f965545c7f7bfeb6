//! Single values: texts, flags, numbers.

use askdock_domain::text;
use serde_json::Value;

use super::fields::Found;
use super::notes::Notes;

/// The text of `found`. Numbers and booleans become text; `None` for what isn't text.
pub(crate) fn text(found: Found, notes: &mut Notes) -> Option<String> {
    let Found { value, path } = found;
    let text = match value {
        Value::String(text) => text,
        Value::Number(_) | Value::Bool(_) => {
            notes.warn("not_text", &path, "This was no text; it was read as text.");
            value.to_string()
        }
        _ => {
            notes.warn("not_text", &path, "This is no text; it was ignored.");
            return None;
        }
    };
    if text::has_hostile(&text) {
        notes.warn(
            "hidden_characters",
            &path,
            "Control characters, bidi controls or invisible characters are shown as visible marks.",
        );
    }
    Some(text)
}

/// What a flag says, in any dress; `None`: not understood.
pub(crate) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "1.0" | "yes" | "y" | "t" | "on" | "enabled" | "allowed" => Some(true),
            "false" | "0" | "0.0" | "no" | "n" | "f" | "off" | "disabled" | "none" | "null" => {
                Some(false)
            }
            _ => None,
        },
        // One list too many around it.
        Value::Array(items) if items.len() == 1 => flag(&items[0]),
        _ => None,
    }
}

/// The flag of `found`; a wrong one never costs the question.
pub(crate) fn flag_of(found: &Found, notes: &mut Notes) -> Option<bool> {
    let flag = flag(&found.value);
    if flag.is_none() {
        let message = "This flag was not understood and was ignored; send true or false.";
        notes.warn("flag_not_understood", &found.path, message);
    }
    flag
}

/// A finite number, also in text; `None`: not a number.
pub(crate) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

/// The number of `found`, or a warning.
pub(crate) fn number_of(found: &Found, notes: &mut Notes) -> Option<f64> {
    let number = number(&found.value);
    if number.is_none() {
        notes.warn("number_not_understood", &found.path, "This is no number; it was ignored.");
    }
    number
}

/// `number` as a count, if it is one.
pub(crate) fn whole(number: f64) -> Option<u32> {
    let fits = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    // Within the range of the type, so nothing is cut.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fits.then_some(number as u32)
}

/// The whole number of `found`, zero or more, or a warning.
pub(crate) fn count_of(found: &Found, notes: &mut Notes) -> Option<u32> {
    let whole = number(&found.value).and_then(whole);
    if whole.is_none() {
        let message = "This is no whole number; it was ignored.";
        notes.warn("number_not_understood", &found.path, message);
    }
    whole
}
