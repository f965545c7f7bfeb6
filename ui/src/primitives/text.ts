/**
 * Agent texts for which the hub sends no display form: hostile characters become visible marks,
 * in the form that the hub uses.
 */

// Controls but tab and newline, annotation marks, and everything that is not drawn by itself.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Scripts whose letters change with the joiners between them. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Mongolian}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Syriac}\p{Script=Tamil}\p{Script=Telugu}]/u;
const PICTURE = /^\p{Extended_Pictographic}/u;
const AFTER_PICTURE = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)*$/u;
const EMOJI_END = /\p{Emoji}$/u;

/** Flags like that of Scotland are spelt with tag characters; those belong where they stand. */
const TAG_FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}/gu;

export function reveal(text: string): string {
  const lines = text.replace(/\r\n?|\u2028|\u2029/g, '\n');
  if (lines.search(HIDDEN) < 0) return lines;
  let shown = '';
  let at = 0;
  for (const flag of lines.matchAll(TAG_FLAG)) {
    shown += marked(lines.slice(at, flag.index)) + flag[0];
    at = flag.index + flag[0].length;
  }
  return shown + marked(lines.slice(at));
}

/** {@link reveal} on one line, for rows, chips and titles. */
export function revealLine(text: string): string {
  return reveal(text).replace(/\s+/g, ' ').trim();
}

function marked(text: string): string {
  return text.replace(HIDDEN, (c, at: number) => {
    if (belongs(c, text.slice(0, at), text.slice(at + c.length), text)) return c;
    const code = c.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** Whether a hidden character does its work where it stands. */
function belongs(c: string, before: string, after: string, text: string): boolean {
  switch (c) {
    case '\u200c':
    case '\u200d': {
      if (c === '\u200d' && AFTER_PICTURE.test(before) && PICTURE.test(after)) return true;
      const previous = before.at(-1) ?? '';
      return (
        JOINING.test(previous) || (!/[\u200c\u200d]/.test(previous) && JOINING.test(after[0] ?? ''))
      );
    }
    case '\ufe0e':
    case '\ufe0f':
      return EMOJI_END.test(before);
    case '\u200e':
    case '\u200f':
    case '\u061c':
      return RTL_LETTER.test(text);
    default:
      return false;
  }
}

const RTL_LETTER =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The direction in which a text is read, by its first letter; none where it has no letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (!letter) return undefined;
  return RTL_LETTER.test(letter) ? 'rtl' : 'ltr';
}
