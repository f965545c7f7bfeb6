/** Points in time between the field, which knows no zone, and the wire, which always names one. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const LOCAL = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** Whether the engine draws a field of this type; one that doesn't gives a line of text. */
export function isDrawn(type: 'date' | 'datetime-local'): boolean {
  const field = document.createElement('input');
  field.type = type;
  return field.type === type;
}

export function isDate(text: string): boolean {
  const at = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The zone of this machine. */
export function zone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * The moments (RFC 3339, with the offset) that a local date and time names, earliest first: two in
 * the hour that clocks repeat, none in the hour that they leave out. Null: it is no date and time.
 */
export function momentsOf(local: string): readonly string[] | null {
  if (!LOCAL.test(local) || !isDate(local.slice(0, 10))) return null;
  const seconds = local.length > 16 ? '' : ':00';
  const written = `${local.slice(0, 10)}T${local.slice(11)}${seconds}`;
  const asUtc = Date.parse(`${written}Z`);
  if (Number.isNaN(asUtc)) return null;
  // No clock is set twice within two days.
  const offsets = new Set([asUtc - DAY, asUtc + DAY].map(offsetAt));
  return [...offsets]
    .map((offset) => ({ offset, at: asUtc - offset * MINUTE }))
    .filter(({ offset, at }) => offsetAt(at) === offset)
    .sort((a, b) => a.at - b.at)
    .map(({ offset }) => written + named(offset));
}

/** A moment as the field shows it; null: the text is none. */
export function localOf(moment: string): string | null {
  const at = /^\d{4}-\d\d-\d\dt.*(?:z|[+-]\d\d:\d\d)$/i.test(moment) ? Date.parse(moment) : NaN;
  if (Number.isNaN(at)) return null;
  const local = new Date(at + offsetAt(at) * MINUTE).toISOString();
  return local.slice(0, local.slice(17, 19) === '00' ? 16 : 19);
}

/** `UTC+01:00` */
export function offsetName(moment: string): string {
  return `UTC${/[+-]\d\d:\d\d$/.exec(moment)?.[0] ?? '+00:00'}`;
}

/** Minutes east of Greenwich. */
function offsetAt(at: number): number {
  return -new Date(at).getTimezoneOffset();
}

function named(offset: number): string {
  if (offset === 0) return 'Z';
  const two = (n: number) => String(Math.floor(Math.abs(n))).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(Math.abs(offset) % 60)}`;
}
