/** Colours in code: diffs by our own hand, languages by highlight.js, which loads when needed. */
import DOMPurify from 'dompurify';

/** Above this, colouring would be felt. */
const MOST = 30_000;
/** Trying every language costs as many times as much. */
const MOST_GUESSED = 6_000;

/** In place of a language that nobody named. */
export const GUESS = '?';

/** Fills the element with coloured code; plain text until the colours are there. */
export function fillCode(into: HTMLElement, code: string, language: string): void {
  into.textContent = code;
  if (code.length > (language === GUESS ? MOST_GUESSED : MOST)) return;
  if (/^(diff|patch)$/i.test(language)) {
    into.replaceChildren(diffLines(code));
  } else if (language) {
    void import('./languages').then(({ guessed, highlighted }) => {
      const html = language === GUESS ? guessed(code) : highlighted(code, language);
      if (html === null || into.textContent !== code) return;
      const coloured = DOMPurify.sanitize(html, {
        ALLOWED_TAGS: ['span'],
        ALLOWED_ATTR: ['class'],
        RETURN_DOM_FRAGMENT: true,
      });
      // Colours may never change what is read.
      if (coloured.textContent === code) into.replaceChildren(coloured);
    });
  }
}

const LINE_CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^(\+\+\+|---) /, 'code-file'],
  [/^\+/, 'code-added'],
  [/^-/, 'code-removed'],
  [/^@@/, 'code-place'],
];

function diffLines(code: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const line of code.split(/(?<=\n)/)) {
    const span = document.createElement('span');
    span.className = LINE_CLASSES.find(([start]) => start.test(line))?.[1] ?? '';
    span.textContent = line;
    fragment.append(span);
  }
  return fragment;
}
