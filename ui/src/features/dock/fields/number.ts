/**
 * Numbers as people write them, read without guessing: what can be read in one way is turned into
 * the plain form that the hub takes, what can be read in two is asked about, and the rest stays as
 * it was typed for the hub to refuse.
 */

export type Reading =
  | { readonly kind: 'empty' }
  /** Read in one way; `sent` is a JSON number. */
  | { readonly kind: 'clear'; readonly sent: string }
  /** Nothing is read before the person has said which of the `candidates` is meant. */
  | { readonly kind: 'unclear'; readonly candidates: readonly string[] }
  /** No number, or none yet. */
  | { readonly kind: 'none' };

/** Where the digits of each script start that keyboards write numbers with. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

const PLAIN: Readonly<Record<string, string>> = {
  '−': '-',
  '－': '-',
  '＋': '+',
  '．': '.',
  '，': ',',
  '’': "'",
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
};

const ARABIC_DECIMAL = '٫';
/** Direction marks that some keyboards put around signs. */
const MARKS = /[\u061c\u200e\u200f]/g;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const WRITTEN = /^([+-]?)([\d.,' ٫٬]*\d[.]?)(e[+-]?\d+)?$/i;
const IN_THREES = /^[1-9]\d{0,2}(?:([.,' ٬])\d{3})(?:\1\d{3})*$/;
/** Lakhs and crores. */
const IN_TWOS = /^[1-9]\d?(?:,\d{2})+,\d{3}$/;

/** The sign between whole and fraction in a language. */
export function decimalMark(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find((part) => part.type === 'decimal')?.value ?? '.';
}

/** A plain number in the language's own writing, without groups. */
export function localNumber(text: string, locale: string): string {
  return JSON_NUMBER.test(text) ? text.replace('.', decimalMark(locale)) : text;
}

export function isPlainNumber(text: string): boolean {
  return JSON_NUMBER.test(text);
}

export function readNumber(text: string, locale: string, whole = false): Reading {
  const typed = [...text.replace(MARKS, '').trim()].map(plain).join('');
  if (!typed) return { kind: 'empty' };
  const written = WRITTEN.exec(typed);
  if (!written) return { kind: 'none' };
  const [, sign = '', body = '', exponent = ''] = written;
  const number = (digits: string) => canonical(sign, digits, exponent);

  const isWhole = exponent ? /^\d+$/.test(body) : isGrouped(body);
  const grouped = isWhole ? number(body.replace(/\D/g, '')) : null;
  const decimal = asDecimal(body);
  const fraction = decimal === null ? null : number(decimal);

  if (grouped !== null && fraction !== null) {
    // The point is also the mark of the plain form, so where it is the language's too it is clear.
    if (body.includes('.') && decimalMark(locale) === '.') return { kind: 'clear', sent: fraction };
    return unclear(decimalMark(locale) === ',' ? [fraction, grouped] : [grouped, fraction], whole);
  }
  const only = grouped ?? fraction;
  if (only === null) return { kind: 'none' };
  const foreign = fraction !== null && isLoneComma(body) && decimalMark(locale) !== ',';
  return foreign ? unclear([only], whole) : { kind: 'clear', sent: only };
}

/**
 * What the draft keeps of a typed number: the plain form where it is clear, else a text that no
 * reader takes for a number. A lone point that may part thousands becomes the comma it could as well
 * have been, since the point would be read as a decimal.
 */
export function keptNumber(text: string, locale: string, whole = false): string {
  const reading = readNumber(text, locale, whole);
  if (reading.kind === 'clear') return reading.sent;
  return reading.kind === 'unclear' ? text.replace(/[.．]/, ',') : text;
}

/** One more or one less, within the bounds; from an empty field the bound nearest to nothing. */
export function stepped(text: string, by: 1 | -1, min: number | null, max: number | null): string {
  const least = min === null ? null : BigInt(Math.ceil(min));
  const most = max === null ? null : BigInt(Math.floor(max));
  const whole = /^-?\d+$/.test(text);
  let next = whole ? BigInt(text) + BigInt(by) : 0n;
  if (most !== null && next > most) next = most;
  if (least !== null && next < least) next = least;
  return next.toString();
}

function plain(c: string): string {
  const code = c.codePointAt(0) ?? 0;
  const zero = ZEROS.find((start) => code >= start && code < start + 10);
  return zero === undefined ? (PLAIN[c] ?? c) : String(code - zero);
}

function unclear(candidates: readonly string[], whole: boolean): Reading {
  const possible = whole ? candidates.filter((one) => /^-?\d+$/.test(one)) : candidates;
  return possible.length > 0 ? { kind: 'unclear', candidates: possible } : { kind: 'none' };
}

function isGrouped(body: string): boolean {
  return /^\d+$/.test(body) || IN_THREES.test(body) || IN_TWOS.test(body);
}

function isLoneComma(body: string): boolean {
  return /^\d*,\d+$/.test(body);
}

/** The body with its last mark as a point, groups taken out; null where that can't be meant. */
function asDecimal(body: string): string | null {
  const parts = /^(.*)([.,٫])(\d*)$/.exec(body);
  if (!parts) return null;
  const [, whole = '', mark = '', digits = ''] = parts;
  if (!digits && mark !== '.') return null;
  const isWhole = /^\d*$/.test(whole) || (isGrouped(whole) && !whole.includes(mark));
  if (!isWhole || (!whole && !digits)) return null;
  if (mark === ARABIC_DECIMAL && /[.,]/.test(whole)) return null;
  return `${whole.replace(/\D/g, '')}.${digits}`;
}

function canonical(sign: string, digits: string, exponent: string): string {
  const [whole = '', fraction = ''] = digits.split('.');
  const number = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}`;
  const minus = sign === '-' && /[1-9]/.test(number) ? '-' : '';
  return `${minus}${number}${exponent.toLowerCase()}`;
}
