/**
 * Agent texts for which the hub sends no display form: hostile characters become visible marks,
 * in the form that the hub uses.
 */

// Controls but tab and newline, bidi embeddings, overrides and isolates, marks and tag characters.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

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
  return text.replace(HIDDEN, (c) => {
    const code = c.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

const RTL_LETTER =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The direction in which a text is read, by its first letter; none where it has no letters. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (!letter) return undefined;
  return RTL_LETTER.test(letter) ? 'rtl' : 'ltr';
}
