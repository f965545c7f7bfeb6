//! What a typed answer must be: formats, ranges, lengths, patterns.

use chrono::DateTime;
use email_address::{EmailAddress, Options};
use fluent_uri::Uri;
use regex::{Regex, RegexBuilder};

use crate::text::quoted;
use crate::{Format, Question};

/// A typed answer read by its format.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TypedValue {
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A truth value.
    Boolean(bool),
    /// Text that keeps to the rules of its format.
    Text,
}

/// Reads `text`, white space around it aside, as `format`; `None`: it is something else. Whole
/// strings only: `42xyz` is no number.
pub fn read_typed(format: Format, text: &str) -> Option<TypedValue> {
    let text = text.trim();
    let is_text = |valid: bool| valid.then_some(TypedValue::Text);
    match format {
        Format::Integer => text.parse().ok().map(TypedValue::Integer),
        Format::Number => number(text).map(TypedValue::Number),
        Format::Boolean => boolean(text).map(TypedValue::Boolean),
        Format::Email => {
            let bare = Options::default().without_display_text();
            is_text(EmailAddress::parse_with_options(text, bare).is_ok())
        }
        Format::Uri => is_text(Uri::parse(text).is_ok()),
        Format::Date => is_text(text.len() == 10 && is_date_time(&format!("{text}T00:00:00Z"))),
        Format::DateTime => is_text(is_date_time(text)),
    }
}

/// Whether `pattern` can be checked: a regular expression without look-around and
/// back-references, of reasonable size, so that matching takes linear time.
pub fn is_checkable_pattern(pattern: &str) -> bool {
    compile(pattern).is_some()
}

/// What is wrong with `text` as a typed answer to `question`: a code and what it must be. The
/// text is never repeated: it may be secret.
pub(crate) fn typed_fault(question: &Question, text: &str) -> Option<(&'static str, String)> {
    let number = match question.format.map(|format| (format, read_typed(format, text))) {
        Some((format, None)) => return Some(("wrong_format", format!("must be {}", a(format)))),
        // Beyond 2^53 the difference is smaller than any range is fine.
        #[expect(clippy::cast_precision_loss)]
        Some((_, Some(TypedValue::Integer(n)))) => Some(n as f64),
        Some((_, Some(TypedValue::Number(n)))) => Some(n),
        _ => None,
    };
    let length = text.chars().count();
    if let Some(least) = question.min.filter(|least| number.is_some_and(|n| n < *least)) {
        return Some(("too_small", format!("must be at least {least}")));
    }
    if let Some(most) = question.max.filter(|most| number.is_some_and(|n| n > *most)) {
        return Some(("too_big", format!("must be at most {most}")));
    }
    if let Some(least) = question.min_length.filter(|least| length < *least as usize) {
        let says = format!("must have at least {least} characters; it has {length}");
        return Some(("too_short", says));
    }
    if let Some(most) = question.max_length.filter(|most| length > *most as usize) {
        let says = format!("must have at most {most} characters; it has {length}");
        return Some(("too_long", says));
    }
    // A pattern that can't be checked is rejected when asked and never gets here.
    let pattern = question.pattern.as_deref()?;
    let mismatch = compile(pattern).is_some_and(|regex| !regex.is_match(text));
    mismatch.then(|| ("pattern_mismatch", format!("must match the pattern {}", quoted(pattern))))
}

/// The format in words, with an example.
fn a(format: Format) -> &'static str {
    match format {
        Format::Integer => "a whole number (an integer) such as 42",
        Format::Number => "a number such as 3.5",
        Format::Boolean => "true or false",
        Format::Email => "an e-mail address such as name@example.org",
        Format::Uri => "an address such as https://example.org/page",
        Format::Date => "a date such as 2026-01-31",
        Format::DateTime => "a date and time such as 2026-01-31T18:00:00Z",
    }
}

fn number(text: &str) -> Option<f64> {
    // Rust's own grammar also has `inf` and `nan`, which no form means.
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

fn boolean(text: &str) -> Option<bool> {
    let is = |words: [&str; 2]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(["true", "yes"]) {
        Some(true)
    } else if is(["false", "no"]) {
        Some(false)
    } else {
        None
    }
}

fn is_date_time(text: &str) -> bool {
    // RFC 3339 itself has a T here; the parser also takes a space.
    matches!(text.as_bytes().get(10), Some(b'T' | b't'))
        && DateTime::parse_from_rfc3339(text).is_ok()
}

fn compile(pattern: &str) -> Option<Regex> {
    const COMPILED: usize = 1 << 20;
    RegexBuilder::new(pattern).size_limit(COMPILED).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::text;

    #[test]
    fn formats() {
        let cases: &[(Format, &[&str], &[&str])] = &[
            (Format::Integer, &["42", " -7 ", "+3", "0"], &["42xyz", "4.2", "", "1e3", "٣"]),
            (Format::Number, &["42", "-0.5", "1e3", ".5"], &["inf", "NaN", "3,5", "1e999", "x"]),
            (Format::Boolean, &["true", "FALSE", "yes", "no"], &["1", "maybe", ""]),
            (
                Format::Email,
                &["a@b.org", "first.last+tag@example.co.uk", "ü@example.org"],
                &["a", "a@", "@b", "a b@c.org", "Ann <a@b.org>", "a@b.org, c@d.org"],
            ),
            (
                Format::Uri,
                &["https://example.org/a?b#c", "urn:isbn:1", "mailto:a@b.org"],
                &["example.org/a", "https://exa mple.org", "", "//x"],
            ),
            (
                Format::Date,
                &["2026-01-31", "2024-02-29"],
                &["2026-02-29", "2026-1-31", "31.01.2026", "20260131", "2026-01-31T00:00:00Z"],
            ),
            (
                Format::DateTime,
                &["2026-01-31T18:00:00Z", "2026-01-31t18:00:00.5+05:30"],
                &[
                    "2026-01-31",
                    "2026-01-31T18:00:00",
                    "2026-01-31 18:00:00Z",
                    "2026-01-31T25:00:00Z",
                ],
            ),
        ];
        for (format, good, bad) in cases {
            for text in *good {
                assert!(read_typed(*format, text).is_some(), "{format:?} {text:?}");
            }
            for text in *bad {
                assert_eq!(read_typed(*format, text), None, "{format:?} {text:?}");
            }
        }
        assert_eq!(read_typed(Format::Integer, "42"), Some(TypedValue::Integer(42)));
        assert_eq!(read_typed(Format::Boolean, "Yes"), Some(TypedValue::Boolean(true)));
    }

    #[test]
    fn ranges_lengths_and_patterns() {
        let question = Question {
            format: Some(Format::Integer),
            min: Some(1.0),
            max: Some(10.0),
            ..text("How many?")
        };
        let word = Question {
            min_length: Some(2),
            max_length: Some(4),
            pattern: Some("^[a-zü]+$".into()),
            ..text("Which word?")
        };
        let check = |question: &Question, text: &str, code: Option<&str>| {
            assert_eq!(typed_fault(question, text).map(|fault| fault.0), code, "{text:?}");
        };
        check(&question, "1", None);
        check(&question, "10", None);
        check(&question, "0", Some("too_small"));
        check(&question, "11", Some("too_big"));
        check(&question, "5 apples", Some("wrong_format"));
        check(&word, "üü", None);
        check(&word, "üüüü", None);
        check(&word, "ü", Some("too_short"));
        check(&word, "üüüüü", Some("too_long"));
        check(&word, "ab1", Some("pattern_mismatch"));
    }

    #[test]
    fn patterns_that_cannot_be_checked() {
        assert!(is_checkable_pattern("^(a+)+$"));
        for pattern in ["(", "(?=a)", r"(a)\1", "(a{1000}){1000}"] {
            assert!(!is_checkable_pattern(pattern), "{pattern}");
        }
    }

    #[test]
    fn matching_is_linear() {
        let question = Question { pattern: Some("^(a+)+$".into()), ..text("?") };
        let hostile = "a".repeat(60_000) + "!";
        assert!(typed_fault(&question, &hostile).is_some());
    }
}
