import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownLine, renderMarkdown, safeUrl, sanitized } from '../src/primitives/markdown';
import { reveal, revealLine } from '../src/primitives/text';

const ALLOWED = new Set(
  'P BR STRONG EM DEL CODE PRE UL OL LI BLOCKQUOTE HR TABLE THEAD TBODY TR TH TD A SPAN'.split(' '),
);
const ATTRIBUTES: Record<string, readonly string[]> = {
  A: ['href', 'rel'],
  PRE: ['data-lang', 'tabindex'],
  OL: ['start'],
  SPAN: ['class', 'dir'],
  CODE: ['dir'],
  TABLE: ['tabindex'],
};

/** What must hold of every text, however hostile. */
function checkSafe(fragment: DocumentFragment): void {
  const host = document.createElement('div');
  host.append(fragment);
  for (const element of host.querySelectorAll('*')) {
    expect(ALLOWED, element.outerHTML).toContain(element.tagName);
    for (const { name } of element.attributes) {
      expect([...(ATTRIBUTES[element.tagName] ?? []), 'dir'], element.outerHTML).toContain(name);
    }
    if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) {
      expect(element.getAttribute('href')).toMatch(/^https?:/i);
    }
  }
}

/** What is hidden in a text must be seen. */
function checkShown(fragment: DocumentFragment): void {
  expect(fragment.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/);
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![x](https://evil.example/p.png)',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input></form>',
  '<details open ontoggle=alert(1)>',
  '<div style="background:url(https://evil.example)">x</div>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<base href="https://evil.example/">',
  '```html"><img src=x onerror=alert(1)>\ncode\n```',
  '`<b>`',
  '[![x](https://evil.example/p.png)](https://evil.example)',
  '<https://evil.example/"onmouseover="alert(1)>',
  '\u202Egnp.exe\u202C',
  '\u001b[31mred\u001b[0m',
  '# heading\n\n| a | b |\n|---|---|\n| <b>x</b> | ![i](x) |',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<p id="app" name="body" class="unseen">clobber</p>',
];

describe('agent text', () => {
  test.each(HOSTILE)('is harmless: %s', (text) => {
    checkShown(renderMarkdown(text));
    checkSafe(renderMarkdown(text));
    checkSafe(sanitized(text));
  });

  test('is harmless however the pieces are put together', () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '`',
        '```',
        '[',
        '](',
        ')',
        '|',
        '\n',
        '&',
        '&#x6a;',
        '](javascript:',
        'onerror=',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '\\',
      ),
      fc.string({ maxLength: 12, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        checkShown(renderMarkdown(pieces.join('')));
        checkSafe(renderMarkdown(pieces.join('')));
        checkSafe(sanitized(pieces.join('')));
      }),
      { numRuns: 400 },
    );
  });

  test('loads nothing', () => {
    const before = performance.getEntriesByType('resource').length;
    for (const text of HOSTILE) document.createElement('div').append(renderMarkdown(text));
    expect(performance.getEntriesByType('resource')).toHaveLength(before);
  });

  test('keeps raw HTML readable as text', () => {
    expect(markdownLine('a <b>bold</b> word')).toBe('a <b>bold</b> word');
  });

  test('shows where a link really goes', () => {
    expect(markdownLine('[the notes](https://xn--e1awd7f.com/x)')).toBe(
      'the notes (xn--e1awd7f.com)',
    );
    expect(markdownLine('[bank.example](https://evil.example)')).toContain('(evil.example)');
    expect(markdownLine('[x](https://аррӏе.com)')).toContain('(xn--80ak6aa92e.com)');
    expect(markdownLine('https://example.com/a')).toBe('https://example.com/a');
    expect(markdownLine('[x](https://bank.example@evil.example/)')).toContain('(evil.example)');
  });

  test('keeps an address that may not be opened readable', () => {
    expect(markdownLine('[x](javascript:alert)')).toBe('x (javascript:alert)');
  });

  test('draws the subset', () => {
    const host = document.createElement('div');
    host.append(
      renderMarkdown(
        '**b** _i_ `c` ~~d~~\n\n1. x\n\n> q\n\n| a |\n|---|\n| 1 |\n\n```rust\nx\n```',
      ),
    );
    const tags = [...host.querySelectorAll('*')].map((one) => one.tagName);
    expect(tags).toEqual(
      expect.arrayContaining(['STRONG', 'EM', 'CODE', 'DEL', 'OL', 'BLOCKQUOTE', 'TABLE', 'PRE']),
    );
    expect(host.querySelector('pre')?.dataset['lang']).toBe('rust');
    expect(host.querySelector('p')?.getAttribute('dir')).toBe('auto');
  });

  test('a heading is no heading of the page', () => {
    const host = document.createElement('div');
    host.append(renderMarkdown('# Big'));
    expect(host.innerHTML).toBe('<p dir="auto"><strong>Big</strong></p>');
  });
});

describe('addresses', () => {
  test('only those of the web may be opened', () => {
    expect(safeUrl('https://example.com')).not.toBeNull();
    expect(safeUrl('mailto:a@example.com')).toBeNull();
    for (const bad of ['javascript:1', 'file:///x', 'data:x', 'askdock://x', 'x', '']) {
      expect(safeUrl(bad), bad).toBeNull();
    }
  });
});

describe('hidden characters', () => {
  test('that make one name look like another are shown', () => {
    for (const c of [
      '\u00ad',
      '\u034f',
      '\u200b',
      '\u200d',
      '\u200e',
      '\u3164',
      '\ufe0f',
      '\uffa0',
    ]) {
      expect(revealLine(`Cla${c}ude`), c).toMatch(/^Cla⟨U\+[0-9A-F]{4}⟩ude$/);
    }
  });

  test('that do their work stay', () => {
    for (const text of ['👩‍💻 ❤️', 'می‌خواهم', 'क्‍ष', '\u200eשלום', '1️⃣']) {
      expect(revealLine(text)).toBe(text);
    }
  });

  test('become visible marks', () => {
    expect(reveal('a\u202Eb')).toBe('a⟨U+202E⟩b');
    expect(reveal('\u0007')).toBe('␇');
    expect(reveal('a\u200Bb')).toBe('a⟨U+200B⟩b');
    expect(reveal('\u{E0041}')).toBe('⟨U+E0041⟩');
  });

  test('stay where they belong', () => {
    expect(reveal('👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 می‌خواهم\n\tx')).toBe('👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿 می‌خواهم\n\tx');
  });

  test('line ends become line breaks', () => {
    expect(reveal('a\r\nb\rc\u2028d')).toBe('a\nb\nc\nd');
  });
});
