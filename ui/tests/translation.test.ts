import { describe, expect, test } from 'vitest';
import { english } from '../src/i18n/en';
import { Formats } from '../src/i18n/formats';
import { pseudo, pseudoCatalogue } from '../src/i18n/pseudo';
import { scene } from '../src/host/fake/scenes';
import { show, VIEWS } from './views';

const ATTRIBUTES = ['aria-label', 'title', 'placeholder'] as const;

/** What `Intl` writes, names of keys, and the words of the configuration snippet. */
const UNTRANSLATED =
  /\b(min|hr|now|AM|PM|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|at|pid)\b/g;

/** What the person of a view types, names of zones, examples of addresses. */
const NO_TEXTS = [
  'ana at example',
  'https://example.org',
  'correct horse battery staple',
  'UTC Etc Europe',
];

/** The words that are neither translated nor written by `Intl`. */
function wordsOf(text: string): string[] {
  const rest = text.replace(/\[[^[\]]*\]/g, ' ').replace(UNTRANSLATED, ' ');
  return rest.match(/[A-Za-z]{2,}/g) ?? [];
}

/** Every string of the scene: those come from agents and persons. */
function given(name: string): string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && /[A-Za-z]{2}/.test(value)) found.push(value);
    else if (typeof value === 'object' && value) Object.values(value).forEach(collect);
  };
  collect(scene(name));
  return found;
}

function shownTexts(): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('kbd, dd, pre, script, style, .prose')) continue;
    found.push(node.textContent ?? '');
  }
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ATTRIBUTES) found.push(element.getAttribute(name) ?? '');
  }
  return found;
}

test.each(VIEWS)('$name: every text comes from the catalogue', async (view) => {
  await show(view, { language: 'en-XA' });
  const known = [...given(view.scene), ...NO_TEXTS].join('\n');
  const foreign = shownTexts().filter((text) =>
    wordsOf(text).some((word) => !known.includes(word)),
  );
  expect(foreign).toEqual([]);
});

describe('the pseudo-locale', () => {
  test('marks every text of the catalogue, also the composed ones', () => {
    const marked = pseudoCatalogue(english(new Formats('en')));
    expect(marked.app.close).toBe(pseudo('Close'));
    expect(marked.dock.step(1, 3)).toBe(pseudo('1 of 3'));
  });
});

describe('formats', () => {
  const formats = new Formats('en');
  const now = Date.parse('2026-11-30T12:00:00Z');
  const before = (seconds: number) => formats.ago(now - seconds * 1000, now);

  test('relative times are as short as a row wants them', () => {
    expect([before(5), before(240), before(3700), before(3 * 86_400)]).toEqual([
      'now',
      '4 min',
      '1 hr',
      'Fri',
    ]);
    expect(before(-30)).toBe('now');
  });

  test('time left is exact in the last two minutes and rounded up before', () => {
    expect([0, 59_001, 119_999, 120_000, 580_000, 7_200_000].map((ms) => formats.left(ms))).toEqual(
      ['0:00', '1:00', '2:00', '2 min', '10 min', '2 hr'],
    );
  });

  test('plurals and digits are those of the language', () => {
    const arabic = new Formats('ar-EG');
    expect(arabic.plural(2, { two: 'two', other: 'other' })).toBe('two');
    expect(arabic.number(42)).toBe('٤٢');
  });
});
