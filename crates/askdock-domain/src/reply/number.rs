//! Numbers as people type them.

use unicode_normalization::UnicodeNormalization;

/// The number that `text` is, in any dress: `2`, `2.`, `2)`, `#2`, `(2)`, `２`, `②`, `2️⃣`, `٢`.
/// One too large to count with is `usize::MAX`. `None`: it is something else, such as `2.5`.
pub(super) fn number(text: &str) -> Option<usize> {
    // NFKC takes width and circles off; the keycap and its variation selector are left.
    let bare: String = text
        .nfkc()
        .filter(|c| !matches!(c, '\u{20E3}' | '\u{FE0F}'))
        .map(|c| digit(c).and_then(|d| char::from_digit(d, 10)).unwrap_or(c))
        .collect();
    let bare = bare.trim();
    let bare = bare.strip_prefix(['#', '(']).unwrap_or(bare);
    let bare = bare.strip_suffix(['.', ')', ':']).unwrap_or(bare);
    let all_digits = !bare.is_empty() && bare.bytes().all(|b| b.is_ascii_digit());
    all_digits.then(|| bare.parse().unwrap_or(usize::MAX))
}

/// The value of a decimal digit in the scripts whose keyboards have their own.
fn digit(c: char) -> Option<u32> {
    const ZEROES: [char; 4] = ['0', '\u{660}', '\u{6F0}', '\u{966}'];
    ZEROES
        .into_iter()
        .find_map(|zero| u32::from(c).checked_sub(u32::from(zero)).filter(|value| *value < 10))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn any_dress() {
        for two in [
            "2",
            "2.",
            "2)",
            "#2",
            "(2)",
            "2:",
            "２",
            "２．",
            "②",
            "2\u{fe0f}\u{20e3}",
            "٢",
            "۲",
            "२",
            "02",
        ] {
            assert_eq!(number(two), Some(2), "{two}");
        }
        for other in ["", "#", "2.5", "-2", "2nd", "2 3", "two", "2..", "½"] {
            assert_eq!(number(other), None, "{other}");
        }
        assert_eq!(number("0"), Some(0));
        assert_eq!(number(&"9".repeat(40)), Some(usize::MAX));
    }
}
