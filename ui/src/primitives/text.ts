/**
 * Agent texts for which the hub sends no display form: hostile characters become visible marks, by
 * the rules of the hub. `tests/vectors/display.json` holds both to the same.
 */

/** Controls but tab and newline, annotation marks, and everything that is not drawn by itself. */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/u;

/** Scripts whose letters change with the joiners between them. */
const JOINING = new RegExp(
  `[${[
    'Arabic', 'Balinese', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Javanese', 'Kannada',
    'Khmer', 'Malayalam', 'Mandaic', 'Mongolian', 'Myanmar', 'Nko', 'Oriya', 'Phags_Pa', 'Sinhala',
    'Syriac', 'Tamil', 'Telugu', 'Tibetan',
  ].map((script) => `\\p{Script=${script}}`).join('')}]`,
  'u',
); // prettier-ignore

/** Letters of the areas that Unicode keeps for scripts written from right to left. */
const RTL_LETTER =
  /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const ZWNJ = '\u200c';
const ZWJ = '\u200d';
const BLACK_FLAG = '\u{1f3f4}';
const CANCEL_TAG = '\u{e007f}';

export function reveal(text: string): string {
  const lines = text.replace(/\r\n|\u2028|\u2029/g, '\n');
  if (!HIDDEN.test(lines)) return lines;
  const chars = [...lines];
  const rightToLeft = RTL_LETTER.test(lines);
  let shown = '';
  for (let at = 0; at < chars.length; at += 1) {
    const c = chars[at] ?? '';
    shown += HIDDEN.test(c) && !belongs(c, chars, at, rightToLeft) ? mark(c) : c;
    if (c !== BLACK_FLAG) continue;
    const tags = flagTags(chars, at + 1);
    shown += chars.slice(at + 1, at + 1 + tags).join('');
    at += tags;
  }
  return shown;
}

/** {@link reveal} on one line, for rows, chips and titles. */
export function revealLine(text: string): string {
  return reveal(text).replace(/\s+/g, ' ').trim();
}

function mark(c: string): string {
  const code = c.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Whether the hidden character at `at` does its work where it stands. */
function belongs(c: string, chars: readonly string[], at: number, rightToLeft: boolean): boolean {
  const before = chars[at - 1] ?? '';
  const previous = HIDDEN.test(before) ? '' : before;
  const next = chars[at + 1] ?? '';
  if (c === ZWJ && joinsEmoji(chars, at, next)) return true;
  if (c === ZWJ || c === ZWNJ) return joinsLetters(chars, at, next);
  if (/[\u200e\u200f\u061c]/.test(c)) return rightToLeft;
  if (/[\ufe0e\ufe0f]/.test(c)) return /\p{Emoji}/u.test(previous);
  if (/[\ufe00-\ufe0d]/.test(c)) return /[^\p{ASCII}\s]/u.test(previous);
  if (/[\u{e0100}-\u{e01ef}]/u.test(c)) return /\p{Script=Han}/u.test(previous);
  if (/[\u180b-\u180f]/.test(c)) return /\p{Script=Mongolian}/u.test(previous);
  // Stand-ins for a missing part of a Hangul syllable.
  if (c === '\u115f') return /[\u1161-\u11a7]/.test(next);
  if (c === '\u1160') return /[\u1100-\u115e]/.test(previous);
  return false;
}

/** Unicode's rule GB11: pictograph, extenders, joiner, pictograph. */
function joinsEmoji(chars: readonly string[], at: number, next: string): boolean {
  const base = lastBefore(chars, at, (c) => !/[\ufe0f\p{Emoji_Modifier}]/u.test(c));
  return isPictograph(base) && isPictograph(next);
}

/** The nearest character before `at` that is one of these; empty where there is none. */
function lastBefore(chars: readonly string[], at: number, is: (c: string) => boolean): string {
  let found = at - 1;
  while (found >= 0 && !is(chars[found] ?? '')) found -= 1;
  return chars[found] ?? '';
}

function isPictograph(c: string): boolean {
  return /\p{Extended_Pictographic}/u.test(c);
}

/** A joiner beside a letter of a script that uses joiners, and not beside another joiner. */
function joinsLetters(chars: readonly string[], at: number, next: string): boolean {
  const before = chars[at - 1] ?? '';
  if (before === ZWJ || before === ZWNJ) return false;
  const varied = chars[at - 2] ?? '';
  const base =
    /[\u180b-\u180f]/.test(before) && /\p{Script=Mongolian}/u.test(varied)
      ? varied
      : lastBefore(chars, at, (c) => !/\p{Script=Inherited}/u.test(c) || HIDDEN.test(c));
  return usesJoiners(base) || usesJoiners(next);
}

function usesJoiners(c: string): boolean {
  return !HIDDEN.test(c) && JOINING.test(c);
}

/** How many characters from `start` are the tags of a flag such as that of Scotland. */
function flagTags(chars: readonly string[], start: number): number {
  let end = start;
  while (/[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]/u.test(chars[end] ?? '')) end += 1;
  const named = end - start;
  return named >= 3 && named <= 6 && chars[end] === CANCEL_TAG ? named + 1 : 0;
}

/** The direction in which a text is read, by its first letter; none where it has no letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (!letter) return undefined;
  return RTL_LETTER.test(letter) ? 'rtl' : 'ltr';
}
