//! Which characters of a text nobody sees, and whether they belong where they stand.

use icu_properties::props::{
    BidiClass, DefaultIgnorableCodePoint, Emoji, EmojiModifier, ExtendedPictographic, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};

/// How one character is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Seen as it is (white space included).
    Visible,
    /// Invisible by itself, but makes another picture of its neighbours: compared and kept.
    EmojiPart,
    /// Invisible and in its place: kept, not compared.
    Belongs,
    /// Invisible and out of place: marked, not compared.
    Stray,
}

const ZWNJ: char = '\u{200C}';
const ZWJ: char = '\u{200D}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// Every character of `text` with its place.
pub(super) fn places(text: &str) -> Vec<(char, Place)> {
    let chars: Vec<char> = text.chars().collect();
    let right_to_left = chars.iter().any(|&c| is_right_to_left(c));
    let mut places = Vec::with_capacity(chars.len());
    while let Some(&c) = chars.get(places.len()) {
        let at = places.len();
        let place = if is_hidden(c) {
            place_of(c, &chars[..at], &chars[at + 1..], right_to_left)
        } else {
            Place::Visible
        };
        places.push((c, place));
        if c == BLACK_FLAG {
            let tags = &chars[at + 1..];
            places.extend(tags[..flag_tags(tags)].iter().map(|&tag| (tag, Place::EmojiPart)));
        }
    }
    places
}

fn is_hidden(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\n' | '\t');
    let annotation = matches!(c, '\u{FFF9}'..='\u{FFFB}');
    let noncharacter = u32::from(c) & 0xFFFE == 0xFFFE || matches!(c, '\u{FDD0}'..='\u{FDEF}');
    control || annotation || noncharacter || is_ignorable(c)
}

/// The place of the hidden character `c` between `before` and `after`.
fn place_of(c: char, before: &[char], after: &[char], right_to_left: bool) -> Place {
    let previous = before.last().copied().filter(|c| !is_hidden(*c));
    let next = after.first().copied();
    let belongs = match c {
        '\r' => next == Some('\n'),
        ZWJ if joins_emoji(before, next) => return Place::EmojiPart,
        ZWJ | ZWNJ => joins_letters(before, next),
        '\u{200E}' | '\u{200F}' | '\u{061C}' => right_to_left,
        '\u{FE0E}' | '\u{FE0F}' => previous.is_some_and(is_emoji),
        '\u{FE00}'..='\u{FE0D}' => previous.is_some_and(|p| !p.is_ascii() && !p.is_whitespace()),
        '\u{E0100}'..='\u{E01EF}' => previous.is_some_and(|p| script(p) == Script::Han),
        '\u{180B}'..='\u{180F}' => previous.is_some_and(|p| script(p) == Script::Mongolian),
        // Stand-ins for a missing part of a Hangul syllable.
        '\u{115F}' => matches!(next, Some('\u{1161}'..='\u{11A7}')),
        '\u{1160}' => matches!(previous, Some('\u{1100}'..='\u{115E}')),
        _ => false,
    };
    if belongs { Place::Belongs } else { Place::Stray }
}

/// Unicode's rule GB11: pictograph, extenders, joiner, pictograph.
fn joins_emoji(before: &[char], next: Option<char>) -> bool {
    let base = before
        .iter()
        .rev()
        .find(|&&c| c != '\u{FE0F}' && !CodePointSetData::new::<EmojiModifier>().contains(c));
    base.is_some_and(|&c| is_pictograph(c)) && next.is_some_and(is_pictograph)
}

/// A joiner beside a letter of a script that uses joiners, and not beside another joiner.
fn joins_letters(before: &[char], next: Option<char>) -> bool {
    let repeated = matches!(before.last(), Some(&(ZWJ | ZWNJ)));
    let base = match *before {
        [.., letter, '\u{180B}'..='\u{180F}'] if script(letter) == Script::Mongolian => {
            Some(letter)
        }
        _ => before.iter().rev().copied().find(|&c| script(c) != Script::Inherited || is_hidden(c)),
    };
    !repeated && (base.is_some_and(uses_joiners) || next.is_some_and(uses_joiners))
}

/// How many characters at the start of `chars` are the tags of a flag, its end included.
fn flag_tags(chars: &[char]) -> usize {
    let named = chars
        .iter()
        .take_while(|c| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}'))
        .count();
    let complete = (3..=6).contains(&named) && chars.get(named) == Some(&CANCEL_TAG);
    if complete { named + 1 } else { 0 }
}

fn uses_joiners(c: char) -> bool {
    !is_hidden(c)
        && matches!(
            script(c),
            Script::Arabic
                | Script::Balinese
                | Script::Bengali
                | Script::Devanagari
                | Script::Gujarati
                | Script::Gurmukhi
                | Script::Javanese
                | Script::Kannada
                | Script::Khmer
                | Script::Malayalam
                | Script::Mandaic
                | Script::Mongolian
                | Script::Myanmar
                | Script::Nko
                | Script::Oriya
                | Script::PhagsPa
                | Script::Sinhala
                | Script::Syriac
                | Script::Tamil
                | Script::Telugu
                | Script::Tibetan
        )
}

fn script(c: char) -> Script {
    CodePointMapData::<Script>::new().get(c)
}

fn is_right_to_left(c: char) -> bool {
    // No right-to-left character comes before Hebrew.
    c >= '\u{590}'
        && !is_ignorable(c)
        && matches!(
            CodePointMapData::<BidiClass>::new().get(c),
            BidiClass::RightToLeft | BidiClass::ArabicLetter
        )
}

fn is_ignorable(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

fn is_emoji(c: char) -> bool {
    CodePointSetData::new::<Emoji>().contains(c)
}

fn is_pictograph(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c)
}
