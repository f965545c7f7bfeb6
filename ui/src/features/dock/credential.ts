/** Whether a typed text looks like a credential, which the person is asked about before sending. */

const FORMATS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{20,}/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bgithub_pat_[A-Za-z0-9_]{40,}/,
  /\bglpat-[A-Za-z0-9_-]{20,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{35}\b/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
];

/** Tokens shorter than this are words; hashes and ids are hexadecimal and left alone. */
const TOKEN = /[A-Za-z0-9+/_=-]{32,}/g;
/** Bits a character from which a token is taken for random. */
const RANDOM_BITS = 4.3;

export function looksLikeCredential(text: string): boolean {
  if (FORMATS.some((format) => format.test(text))) return true;
  return (text.match(TOKEN) ?? []).some(isRandom);
}

function isRandom(token: string): boolean {
  const mixed = /[a-z]/.test(token) && /[A-Z]/.test(token) && /\d/.test(token);
  return mixed && !token.includes('/') && entropy(token) > RANDOM_BITS;
}

function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1);
  let bits = 0;
  for (const n of counts.values()) bits -= (n / text.length) * Math.log2(n / text.length);
  return bits;
}
