//! Several options in one reply.

use super::{Labels, Reply, by_number, key, unquoted};
use crate::text::is_blank;

/// A reply to a multiple choice, taken apart.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Positions of the options named, as often as they are.
    pub(super) selected: Vec<usize>,
    /// What names no option, in order; pieces that stood together stay together as they were.
    pub(super) leftover: Vec<String>,
    /// Why the reply can't be understood.
    pub(super) fault: Option<String>,
}

/// Takes `line` apart at `,` `;` `、` `，`, line breaks and " and ". A label that has such a
/// separator in it is tried before its pieces: longest first.
pub(super) fn split(labels: &Labels<'_>, line: &str) -> Parts {
    // No list of options is longer; comparing each place with each label has to end.
    const MOST_PIECES: usize = 1000;
    let mut parts = Parts::default();
    let pieces = pieces(line);
    if pieces.len() > MOST_PIECES {
        return parts;
    }
    let keys = piece_keys(line);
    let label_keys: Vec<Vec<String>> =
        labels.question.options.iter().map(|option| piece_keys(&option.label)).collect();
    let mut loose: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(&(start, end)) = pieces.get(at) {
        let longest = longest(&label_keys, &keys[at..]);
        let label = longest.map(|(length, found)| {
            (length, labels.pick(&found, &line[start..pieces[at + length - 1].1]))
        });
        let number = || Some((1, by_number(labels.question, &line[start..end])?));
        match label.or_else(number) {
            Some((length, Reply::Answer(answer))) => {
                parts.selected.extend(answer.selected);
                parts.leftover.extend(loose.take().map(|span| leftover(line, span)));
                at += length;
            }
            Some((_, Reply::Rejected(fault))) => {
                parts.fault = Some(fault);
                return parts;
            }
            Some((_, Reply::Dismiss)) | None => {
                loose = Some((loose.map_or(start, |(start, _)| start), end));
                at += 1;
            }
        }
    }
    parts.leftover.extend(loose.map(|span| leftover(line, span)));
    parts
}

/// The most pieces at the start of `keys` that are a whole label, and whose.
fn longest(labels: &[Vec<String>], keys: &[String]) -> Option<(usize, Vec<usize>)> {
    let starts_with = |at: &usize| !labels[*at].is_empty() && keys.starts_with(&labels[*at]);
    let found: Vec<usize> = (0..labels.len()).filter(starts_with).collect();
    let length = found.iter().map(|at| labels[*at].len()).max()?;
    Some((length, found.into_iter().filter(|at| labels[*at].len() == length).collect()))
}

fn leftover(line: &str, (start, end): (usize, usize)) -> String {
    let span = &line[start..end];
    unquoted(span).unwrap_or(span).to_owned()
}

fn piece_keys(text: &str) -> Vec<String> {
    pieces(text).into_iter().map(|(start, end)| key(&text[start..end])).collect()
}

/// Byte ranges of the pieces of `text` between separators, without outer white space and blanks.
fn pieces(text: &str) -> Vec<(usize, usize)> {
    let mut ranges = vec![];
    let (mut start, mut at) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        let separator = separator(&text[at..]);
        if separator > 0 {
            ranges.push((start, at));
            start = at + separator;
            at = start;
        } else {
            at += c.len_utf8();
        }
    }
    ranges.push((start, text.len()));
    let trimmed = ranges.into_iter().map(|(start, end)| {
        let piece = &text[start..end];
        let from = start + piece.len() - piece.trim_start().len();
        (from, from + piece.trim().len())
    });
    trimmed.filter(|&(start, end)| !is_blank(&text[start..end])).collect()
}

/// Length in bytes of the separator that `text` begins with; 0: none.
fn separator(text: &str) -> usize {
    const AND: &[u8] = b" and ";
    let and = text.as_bytes().get(..AND.len()).is_some_and(|head| head.eq_ignore_ascii_case(AND));
    match text.chars().next() {
        Some(c @ (',' | ';' | '\n' | '、' | '，')) => c.len_utf8(),
        // Its last space may begin another one.
        _ if and => AND.len() - 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn separators() {
        let check = |text: &str, expect: &[&str]| {
            let found: Vec<&str> = pieces(text).into_iter().map(|(a, b)| &text[a..b]).collect();
            assert_eq!(found, expect, "{text:?}");
        };
        check("a, b;c\nd、e，f and g", &["a", "b", "c", "d", "e", "f", "g"]);
        check("a, b, and c", &["a", "b", "c"]);
        check("a and and AND b", &["a", "b"]);
        check("sand andes", &["sand andes"]);
        check(",; \u{200b},", &[]);
        check("", &[]);
    }
}
