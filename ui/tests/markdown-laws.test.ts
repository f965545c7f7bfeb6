import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownLine, renderMarkdown, safeUrl } from '../src/primitives/markdown';
import { reveal } from '../src/primitives/text';

/** Any code point at all: controls, surrogates' neighbours, noncharacters, every script. */
const anyText = (maxLength: number) => fc.string({ unit: 'binary', maxLength });

const scheme = fc.constantFrom(
  'http:', 'https:', 'HTTPS:', 'mailto:', 'javascript:', 'JaVaScRiPt:', 'java\tscript:', 'data:',
  'vbscript:', 'file:', 'blob:', 'about:', 'askdock:', 'ftp:', 'ws:', '&#106;avascript:', '//', '',
); // prettier-ignore

const href = fc
  .tuple(scheme, anyText(12), fc.constantFrom('', '//evil.example/', 'alert(1)', '%0aalert(1)'))
  .map(([scheme, text, rest]) => `${scheme}${rest}${text}`);

const attribute = fc
  .tuple(
    fc.constantFrom('onclick', 'onerror', 'ontoggle', 'style', 'href', 'src', 'srcset', 'action'),
    href,
  )
  .map(([name, value]) => `${name}="${value}"`);

const element = fc
  .tuple(
    fc.constantFrom('script', 'img', 'iframe', 'svg', 'math', 'style', 'form', 'a', 'b', 'object'),
    fc.array(attribute, { maxLength: 3 }),
    anyText(8),
  )
  .map(([name, attributes, text]) => `<${name} ${attributes.join(' ')}>${text}</${name}>`);

const entity = fc
  .oneof(
    fc.integer({ min: 0, max: 0x11ffff }).map((n) => `#x${n.toString(16)}`),
    fc.constantFrom(
      'lt',
      'gt',
      'quot',
      'amp',
      'shy',
      'zwj',
      'lrm',
      'rlm',
      'ZeroWidthSpace',
      'colon',
    ),
  )
  .map((name) => `&${name};`);

/** Markdown as it nests, with anything hostile at its leaves. */
const { markdown } = fc.letrec<{ markdown: string; inline: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    anyText(20),
    element,
    entity,
    href,
    fc.tuple(tie('inline'), href).map(([text, to]) => `[${text}](${to})`),
    fc.tuple(tie('inline'), href).map(([text, to]) => `![${text}](${to})`),
    href.map((to) => `<${to}>`),
    fc
      .tuple(fc.constantFrom('*', '**', '_', '~~', '`', '``'), tie('inline'))
      .map(([mark, text]) => mark + text + mark),
  ),
  markdown: fc.oneof(
    { depthSize: 'small' },
    tie('inline'),
    fc.tuple(tie('markdown'), tie('markdown')).map(([a, b]) => `${a}\n\n${b}`),
    fc
      .tuple(fc.constantFrom('> ', '- ', '1. ', '# ', '    ', '- [ ] '), tie('markdown'))
      .map(([start, text]) => start + text.replace(/\n/g, `\n${start}`)),
    fc.tuple(anyText(6), anyText(30)).map(([lang, code]) => `\`\`\`${lang}\n${code}\n\`\`\``),
    fc.tuple(tie('inline'), tie('inline')).map(([a, b]) => `| ${a} | x |\n|---|---|\n| ${b} | y |`),
    fc.tuple(anyText(6), href).map(([name, to]) => `[${name}]: ${to}\n\n[${name}]`),
  ),
}));

/** In a document of its own, where nothing could run or load. */
function inert(text: string): HTMLElement {
  const host = document.implementation.createHTMLDocument('').createElement('div');
  host.append(renderMarkdown(text));
  return host;
}

const HIDES =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff]|[\u{e0000}-\u{e001f}]/u;

function check(text: string): void {
  const host = inert(text);
  for (const found of host.querySelectorAll('*')) {
    expect(found.tagName).not.toMatch(
      /^(script|style|img|iframe|svg|math|form|object|base|link)$/i,
    );
    for (const { name, value } of found.attributes) {
      expect(name).not.toMatch(/^on|^style$|^src|^action$|^id$|^name$/i);
      if (name === 'href') expect(safeUrl(value), value).not.toBeNull();
      else expect(value).not.toMatch(/script:/i);
    }
  }
  expect(host.textContent, JSON.stringify(text)).not.toMatch(HIDES);
  // Drawn again as HTML it is the same: nothing in it comes to life on the way.
  const again = document.implementation.createHTMLDocument('').createElement('div');
  again.innerHTML = host.innerHTML;
  expect(again.querySelectorAll('*')).toHaveLength(host.querySelectorAll('*').length);
}

describe('whatever an agent sends', () => {
  test('is drawn without scripts, handlers, foreign addresses or hidden characters', () => {
    fc.assert(fc.property(markdown, check), { numRuns: 1500 });
  });

  test('is drawn, were it only Unicode', () => {
    fc.assert(fc.property(anyText(400), check), { numRuns: 400 });
  });

  test('an address that is opened is one of the web, however it was written', () => {
    fc.assert(
      fc.property(href, anyText(6), (to, text) => {
        for (const source of [`[${text}](${to})`, `<${to}>`, to, `[${text}][1]\n\n[1]: ${to}`]) {
          for (const link of inert(source).querySelectorAll('a[href]')) {
            expect(new URL(link.getAttribute('href') ?? '').protocol).toMatch(/^https?:$/);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['entities that hide', 'pay&#x202e;txt&#8203;&shy;&ZeroWidthSpace;&#x2066;'],
    ['an entity in code', '`&#x202e;`'],
    ['an entity in an address', '[x](https://e.example/&#x202e;a)'],
    ['an entity in a refused address', '[x](javascript:&#x202e;a)'],
  ])('%s', (_, text) => check(text));

  test.each([
    ['quotes', '>'],
    ['lists', '- '],
    ['numbers', '1. '],
    ['brackets', '['],
    ['images', '!['],
    ['stars', '**a '],
    ['ticks', '`a``'],
    ['entities', '&#'],
    ['tags', '<a '],
    ['links', '[a](b '],
    ['tables', '|-'],
    ['scripts', '<script>'],
  ])('%s nested as deep as a text may be long neither throw nor stall', (_, piece) => {
    const text = piece.repeat(Math.floor(65_536 / piece.length));
    const started = performance.now();
    const host = inert(`${text}x`);
    expect(host.textContent.length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

describe('marks', () => {
  test('are put once: what is shown is shown the same again', () => {
    fc.assert(
      fc.property(anyText(60), (text) => {
        expect(reveal(reveal(text))).toBe(reveal(text));
        expect(reveal(text)).not.toMatch(HIDES);
        expect(markdownLine(text)).not.toMatch(HIDES);
      }),
      { numRuns: 1500 },
    );
  });

  // The hub's own table; both must draw the same.
  test.each([
    ['nul\0 bell\u0007 del\u007f', 'nul␀ bell␇ del␡'],
    ['c1 \u009b31m', 'c1 ⟨U+009B⟩31m'],
    ['ad\u200bmin \ufeff\u2060\u00ad', 'ad⟨U+200B⟩min ⟨U+FEFF⟩⟨U+2060⟩⟨U+00AD⟩'],
    ['a\u200db\u200cc', 'a⟨U+200D⟩b⟨U+200C⟩c'],
    ['hi\u{e0068}\u{e0069}', 'hi⟨U+E0068⟩⟨U+E0069⟩'],
    ['x\ufe0f', 'x⟨U+FE0F⟩'],
    ['x\u{e0101}', 'x⟨U+E0101⟩'],
    ['left\u200e mark', 'left⟨U+200E⟩ mark'],
    ['\u3164filler', '⟨U+3164⟩filler'],
    ['🏴\u{e0067}\u{e0062}', '🏴⟨U+E0067⟩⟨U+E0062⟩'],
    ['می\u200c\u200cخ', 'می\u200c⟨U+200C⟩خ'],
    ['ب\ufe0f\u200c', 'ب⟨U+FE0F⟩⟨U+200C⟩'],
    ['😀\ufe0f\ufe0f', '😀\ufe0f⟨U+FE0F⟩'],
  ])('%j', (text, shown) => expect(reveal(text)).toBe(shown));

  test.each([
    '👨\u200d👩\u200d👧\u200d👦 review',
    '👩🏽\u200d💻',
    '❤\ufe0f\u200d🔥',
    '2\ufe0f\u20e3',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'می\u200cخواهم',
    'क्\u200dष',
    '葛\u{e0100}城',
    'שלום\u200f!',
  ])('stay away where the character belongs: %j', (text) => expect(reveal(text)).toBe(text));
});
