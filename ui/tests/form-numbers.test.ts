import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isPlainNumber,
  keptNumber,
  localNumber,
  readNumber,
  stepped,
} from '../src/features/dock/fields/number';
import { FORMATS } from '../src/host/fake/rules';

/** What is read, what is asked, `?` where it is no number. */
function read(text: string, locale: string, whole = false): string {
  const reading = readNumber(text, locale, whole);
  switch (reading.kind) {
    case 'clear':
      return reading.sent;
    case 'unclear':
      return reading.candidates.join(' or ');
    case 'empty':
      return '';
    case 'none':
      return '?';
  }
}

describe('a number is read in one way or not at all', () => {
  test.each([
    ['', '', ''],
    ['  42 ', '42', '42'],
    ['-7', '-7', '-7'],
    ['−7', '-7', '-7'],
    ['+3', '3', '3'],
    ['007', '7', '7'],
    ['.5', '0.5', '0.5'],
    ['5.', '5', '5'],
    ['1e3', '1e3', '1e3'],
    ['9007199254740993', '9007199254740993', '9007199254740993'],
    ['0.125', '0.125', '0.125'],
    ['1.5', '1.5', '1.5'],
    // The comma is a decimal mark in one of the languages only.
    ['1,5', '1.5', '1.5'],
    ['0,125', '0.125', '0.125'],
    // May be a thousand, may be one and a bit.
    ['1,234', '1234 or 1.234', '1.234 or 1234'],
    ['1.234', '1.234', '1.234 or 1234'],
    // Only groups, or only a fraction.
    ['1,234.5', '1234.5', '1234.5'],
    ['1.234,5', '1234.5', '1234.5'],
    ['1,234,567', '1234567', '1234567'],
    ['1.234.567', '1234567', '1234567'],
    ['1 234,5', '1234.5', '1234.5'],
    ['1 234', '1234', '1234'],
    ["1'234.50", '1234.50', '1234.50'],
    ['12,34,567', '1234567', '1234567'],
    ['1.2345', '1.2345', '1.2345'],
    // Other digits and marks.
    ['１２', '12', '12'],
    ['٣٫٥', '3.5', '3.5'],
    ['١٬٢٣٤', '1234', '1234'],
    // No numbers.
    ['80a', '?', '?'],
    ['1,23,4', '?', '?'],
    ['12 34', '?', '?'],
    ['1.2.3', '?', '?'],
    ['10²', '?', '?'],
    ['NaN', '?', '?'],
    ['Infinity', '?', '?'],
    ['0x10', '?', '?'],
    ['1,', '?', '?'],
    ['-', '?', '?'],
  ])('%j is %j in English and %j in German', (text, english, german) => {
    expect(read(text, 'en')).toBe(english);
    expect(read(text, 'de')).toBe(german);
  });

  test('a comma that is no mark of the language is asked about, even with one reading', () => {
    expect(readNumber('1,5', 'en').kind).toBe('unclear');
    expect(readNumber('1,5', 'de').kind).toBe('clear');
  });

  test('the language decides, not its family', () => {
    expect(read('1.234', 'de-CH')).toBe('1.234');
    expect(read('1,5', 'fr')).toBe('1.5');
  });

  test('for a whole number only whole readings are offered', () => {
    expect(read('1,234', 'en', true)).toBe('1234');
    expect(readNumber('1,234', 'en', true).kind).toBe('unclear');
    expect(read('1,5', 'en', true)).toBe('?');
  });
});

const written = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0123456789.,- +e'٫٬٣１．，"), maxLength: 10 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const locale = fc.constantFrom('en', 'de', 'fr', 'de-CH', 'ar-EG', 'ja', 'en-IN');

describe('for any text', () => {
  test('what is kept is a plain number where it is clear, else nothing the hub would take', () => {
    fc.assert(
      fc.property(written, locale, fc.boolean(), (text, locale, whole) => {
        const reading = readNumber(text, locale, whole);
        const kept = keptNumber(text, locale, whole);
        if (reading.kind === 'clear') {
          expect(isPlainNumber(kept)).toBe(true);
        } else if (reading.kind === 'unclear') {
          expect(FORMATS['number']?.test(kept.trim()), kept).toBe(false);
          // Asked again after a restart, with the same readings.
          expect(readNumber(kept, locale, whole).kind).toBe('unclear');
          expect(new Set(read(kept, locale, whole).split(' or '))).toEqual(
            new Set(reading.candidates),
          );
        }
      }),
      { numRuns: 4000 },
    );
  });

  test('a number that a language writes is never read as another', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
        fc.constantFrom('en', 'de', 'fr', 'de-CH', 'ja', 'en-IN', 'pt-BR'),
        fc.boolean(),
        (number, locale, useGrouping) => {
          const rounded = Number(number.toFixed(3));
          const format = new Intl.NumberFormat(locale, { useGrouping, maximumFractionDigits: 3 });
          const reading = readNumber(format.format(rounded), locale);
          const read =
            reading.kind === 'clear'
              ? [reading.sent]
              : reading.kind === 'unclear'
                ? reading.candidates
                : [];
          expect(read.map(Number), format.format(rounded)).toContain(rounded + 0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('what a draft brings back is the number that was kept', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), locale, (number, locale) => {
        const plain = JSON.stringify(number);
        fc.pre(isPlainNumber(plain));
        const shown = localNumber(plain, locale);
        const read = readNumber(shown, locale);
        if (read.kind === 'clear') expect(Number(read.sent)).toBe(number + 0);
        else expect(read.kind).toBe('unclear');
      }),
    );
  });
});

describe('stepping', () => {
  test('stays within the bounds and exact', () => {
    expect(stepped('', 1, null, null)).toBe('0');
    expect(stepped('', 1, 1024, 65_535)).toBe('1024');
    expect(stepped('', -1, null, -5)).toBe('-5');
    expect(stepped('65535', 1, 1024, 65_535)).toBe('65535');
    expect(stepped('9007199254740993', 1, null, null)).toBe('9007199254740994');
    expect(stepped('1', 1, 0.5, 2.5)).toBe('2');
  });
});
