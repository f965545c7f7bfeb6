//! Display text derived from what the caller sent: folding for comparison, visible marks for
//! hostile characters, cutting by grapheme. What was sent is never changed; these are views of it.

mod hidden;
#[cfg(test)]
mod tests;

use icu_casemap::CaseMapper;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::Question;
use hidden::{Place, places};

/// Grapheme clusters of a header that chips, buttons and notifications show.
pub const SHORT_HEADER: usize = 12;

/// `text` with a visible mark for every control, bidi override, stray zero-width and tag
/// character. Line breaks and tabs stay (CR LF becomes LF), as do invisible characters where they
/// belong: inside emoji sequences and in scripts that use joiners.
pub fn display(text: &str) -> String {
    if is_plain_ascii(text) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for (c, place) in places(text) {
        match (c, place) {
            ('\r', Place::Belongs) => {}
            ('\u{2028}' | '\u{2029}', _) => shown.push('\n'),
            (c, Place::Stray) => push_mark(&mut shown, c),
            (c, _) => shown.push(c),
        }
    }
    shown
}

/// [`display`] on one line, for notifications, menus and the terminal: each run of white space
/// becomes one space, none is left outside.
pub fn plain(text: &str) -> String {
    collapse(&display(text))
}

/// Whether [`display`] has to mark something in `text`: a reason to warn the caller.
pub fn has_hostile(text: &str) -> bool {
    !is_plain_ascii(text) && places(text).iter().any(|(_, place)| *place == Place::Stray)
}

/// Whether nothing of `text` is visible: white space and invisible characters only.
pub fn is_blank(text: &str) -> bool {
    !text.bytes().any(|byte| byte.is_ascii_graphic())
        && places(text).iter().all(|(c, place)| *place != Place::Visible || c.is_whitespace())
}

/// `text` for generous comparison: NFKC, case-folded, invisible characters dropped, each run of
/// white space one space.
pub fn fold(text: &str) -> String {
    if is_plain_ascii(text) {
        return collapse(&text.to_ascii_lowercase());
    }
    let compatible: String = seen(text).nfkc().collect();
    // Folding can undo the normal form (U+0345), and the normal form can bring new capitals.
    let folded: String = CaseMapper::new().fold_string(&compatible).nfkc().collect();
    collapse(&CaseMapper::new().fold_string(&folded))
}

/// What people can tell apart at a glance: `text` in NFC without invisible characters and outer
/// white space. Two labels with one key look the same.
pub fn look_alike_key(text: &str) -> String {
    if is_plain_ascii(text) {
        return text.trim().to_owned();
    }
    seen(text).nfc().collect::<String>().trim().to_owned()
}

/// [`look_alike_key`] without regard to case: how option labels sent over the API are compared.
pub(crate) fn label_key(text: &str) -> String {
    CaseMapper::new().fold_string(&look_alike_key(text)).nfc().collect()
}

/// At most `most` grapheme clusters of `text`; what is cut off is replaced by `…`, which counts.
pub fn cut_graphemes(text: &str, most: usize) -> String {
    if text.graphemes(true).nth(most).is_none() {
        return text.to_owned();
    }
    let Some(kept) = most.checked_sub(1) else { return String::new() };
    let mut cut: String = text.graphemes(true).take(kept).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// The label that chips, buttons and notifications show for a question: its header, or the first
/// words of its text, in at most [`SHORT_HEADER`] grapheme clusters.
pub fn short_header(question: &Question) -> String {
    match question.header.as_deref().filter(|header| !is_blank(header)) {
        Some(header) => cut_graphemes(&plain(header), SHORT_HEADER),
        None => first_words(&plain(&question.question)),
    }
}

/// `label` without a `(Recommended)` at its end (any case), which a badge shows instead. A label
/// that is nothing else stays.
pub fn strip_recommended(label: &str) -> &str {
    const SUFFIX: &str = "(recommended)";
    let trimmed = label.trim_end();
    let Some(start) = trimmed.len().checked_sub(SUFFIX.len()) else { return label };
    match (trimmed.get(..start), trimmed.get(start..)) {
        (Some(rest), Some(end)) if end.eq_ignore_ascii_case(SUFFIX) && !is_blank(rest) => {
            rest.trim_end()
        }
        _ => label,
    }
}

/// `text` as messages quote it: one line, cut, never with anything hostile in it.
pub(crate) fn quoted(text: &str) -> String {
    const IN_MESSAGES: usize = 60;
    format!("\"{}\"", cut_graphemes(&plain(text), IN_MESSAGES))
}

fn first_words(line: &str) -> String {
    const MARKUP: [char; 4] = ['*', '_', '`', '#'];
    let words: Vec<&str> =
        line.split(' ').map(|w| w.trim_matches(MARKUP)).filter(|w| !w.is_empty()).collect();
    let whole = words.join(" ");
    if whole.graphemes(true).nth(SHORT_HEADER).is_none() {
        return whole;
    }
    let mut header = String::new();
    for word in words {
        let longer = if header.is_empty() { word.to_owned() } else { format!("{header} {word}") };
        // One cluster is left for the ellipsis.
        if longer.graphemes(true).nth(SHORT_HEADER - 1).is_some() {
            break;
        }
        header = longer;
    }
    if header.is_empty() { cut_graphemes(&whole, SHORT_HEADER) } else { header + "…" }
}

/// Whether every character of `text` is visible as it is, the usual case, which needs no tables.
fn is_plain_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
}

/// The characters that can be told apart by looking.
fn seen(text: &str) -> impl Iterator<Item = char> {
    places(text)
        .into_iter()
        .filter(|(_, place)| matches!(place, Place::Visible | Place::EmojiPart))
        .map(|(c, _)| c)
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push_mark(shown: &mut String, c: char) {
    match c {
        // The picture of a C0 control lies at the same distance from U+2400.
        '\0'..='\u{1F}' => shown.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7F}' => shown.push('␡'),
        _ => shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
    }
}
