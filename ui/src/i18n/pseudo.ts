/** A language of accented, longer English: a text that stays plain is one that was not translated. */
import type { Catalogue } from './en';

const ACCENTS: Record<string, string> = {
  a: 'á', b: 'ƀ', c: 'ç', d: 'ð', e: 'é', f: 'ƒ', g: 'ĝ', h: 'ĥ', i: 'í', j: 'ĵ', k: 'ķ', l: 'ļ', m: 'ɱ',
  n: 'ñ', o: 'ó', p: 'þ', q: 'ɋ', r: 'ŕ', s: 'š', t: 'ţ', u: 'ú', v: 'ṽ', w: 'ŵ', x: 'ẋ', y: 'ý', z: 'ž',
}; // prettier-ignore

/** The text with accents on every letter, a third longer, in brackets that show where it was cut. */
export function pseudo(text: string): string {
  const accented = [...text].map((c) => ACCENTS[c] ?? c).join('');
  return `[${accented}${'·'.repeat(Math.ceil(text.length / 3))}]`;
}

export function pseudoCatalogue(catalogue: Catalogue): Catalogue {
  return mapped(catalogue) as Catalogue;
}

function mapped(value: unknown): unknown {
  if (typeof value === 'string') return pseudo(value);
  if (typeof value === 'function') return (...args: unknown[]) => mapped(value(...args));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one)]));
  }
  return value;
}
