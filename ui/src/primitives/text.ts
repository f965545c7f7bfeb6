/**
 * Agent texts for which the hub sends no display form: hostile characters become visible marks,
 * in the form and by the rules that the hub uses.
 */

// Whatever Unicode calls ignorable, controls but tab and newline, annotations, noncharacters.
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufff9-\ufffb\p{Noncharacter_Code_Point}\p{Cs}]/u;
const ANY_HIDDEN = new RegExp(HIDDEN, 'gu');

/** Flags like that of Scotland are spelt with tag characters; those belong where they stand. */
const TAG_FLAG = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;
/** A pictograph, what extends it, a joiner, a pictograph: one picture. */
const JOINED_BEFORE = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]*$/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;
const JOINING =
  /[\p{Script=Arabic}\p{Script=Balinese}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Javanese}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Mandaic}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Nko}\p{Script=Oriya}\p{Script=Phags_Pa}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Tibetan}]/u;
const RTL_LETTER =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** As much text around a character as decides about it. */
const NEAR = 24;

export function reveal(text: string): string {
  const lines = text.replace(/\r\n?|\u2028|\u2029/g, '\n');
  if (lines.search(HIDDEN) < 0) return lines;
  let shown = '';
  let at = 0;
  for (const found of lines.matchAll(ANY_HIDDEN)) {
    if (found.index < at) continue;
    shown += lines.slice(at, found.index);
    at = found.index + found[0].length;
    const before = lines.slice(Math.max(0, found.index - NEAR), found.index);
    const after = lines.slice(at, at + NEAR);
    const flag = /\u{1f3f4}$/u.test(before) ? TAG_FLAG.exec(found[0] + after)?.[0] : undefined;
    if (flag) {
      shown += flag;
      at = found.index + flag.length;
    } else {
      shown += belongs(found[0], before, after, lines) ? found[0] : mark(found[0]);
    }
  }
  return shown + lines.slice(at);
}

/** {@link reveal} on one line, for rows, chips and titles. */
export function revealLine(text: string): string {
  return reveal(text).replace(/\s+/g, ' ').trim();
}

/** Whether a hidden character makes what is around it what it is. */
function belongs(c: string, before: string, after: string, whole: string): boolean {
  const last = [...before].at(-1) ?? '';
  const previous = HIDDEN.test(last) ? '' : last;
  const code = c.codePointAt(0) ?? 0;
  switch (true) {
    case c === '\u200d' && JOINED_BEFORE.test(before) && PICTOGRAPH.test(after):
      return true;
    case c === '\u200c' || c === '\u200d':
      return joinsLetters(before, after, last);
    case c === '\u200e' || c === '\u200f' || c === '\u061c':
      return RTL_LETTER.test(whole);
    case c === '\ufe0e' || c === '\ufe0f':
      return /\p{Emoji}/u.test(previous);
    case code >= 0xfe00 && code <= 0xfe0d:
      return previous !== '' && !/[\s\0-\x7f]/.test(previous);
    case code >= 0xe0100 && code <= 0xe01ef:
      return /\p{Script=Han}/u.test(previous);
    case code >= 0x180b && code <= 0x180f:
      return /\p{Script=Mongolian}/u.test(previous);
    case c === '\u115f':
      return /^[\u1161-\u11a7]/.test(after);
    case c === '\u1160':
      return /[\u1100-\u115e]/.test(previous);
    default:
      return false;
  }
}

/** Beside a letter of a script that uses joiners, and not beside another joiner. */
function joinsLetters(before: string, after: string, last: string): boolean {
  if (last === '\u200c' || last === '\u200d') return false;
  const base = [...before.replace(/[\u180b-\u180f]$/, '')]
    .reverse()
    .find((c) => !/\p{Script=Inherited}/u.test(c) || HIDDEN.test(c));
  const next = [...after][0] ?? '';
  return [base ?? '', next].some((c) => !HIDDEN.test(c) && JOINING.test(c));
}

function mark(c: string): string {
  const code = c.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The direction in which a text is read, by its first letter; none where it has no letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (!letter) return undefined;
  return RTL_LETTER.test(letter) ? 'rtl' : 'ltr';
}
