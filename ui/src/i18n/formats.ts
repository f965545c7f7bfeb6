/** Numbers, plurals and times in one language, by `Intl`. */

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export class Formats {
  readonly #plurals: Intl.PluralRules;
  readonly #numbers: Intl.NumberFormat;
  readonly #relative: Intl.RelativeTimeFormat;
  readonly #cache = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>();

  constructor(readonly locale: string) {
    this.#plurals = new Intl.PluralRules(locale);
    this.#numbers = new Intl.NumberFormat(locale);
    this.#relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  }

  plural(n: number, forms: Forms): string {
    return forms[this.#plurals.select(n)] ?? forms.other;
  }

  number(n: number): string {
    return this.#numbers.format(n);
  }

  /** A number as it may be typed: exact, and without groups. */
  plain(n: number): string {
    return this.#cached('plain', () => {
      return new Intl.NumberFormat(this.locale, { useGrouping: false, maximumFractionDigits: 20 });
    }).format(n);
  }

  /** A day of the calendar, given as `2026-01-31`. */
  day(date: string): string {
    const format = this.#date('calendar', { dateStyle: 'medium', timeZone: 'UTC' });
    return format.format(Date.parse(`${date}T00:00:00Z`));
  }

  minutes(n: number): string {
    return this.#unit('minute').format(n);
  }

  /** How long ago, as short as a list row wants it: `now`, `4 min`, `1 hr`, `Fri`, `3 Nov`. */
  ago(then: number, now: number): string {
    const past = Math.max(0, now - then);
    if (past < MINUTE) return this.#relative.format(0, 'second');
    if (past < HOUR) return this.#unit('minute').format(Math.floor(past / MINUTE));
    if (past < DAY) return this.#unit('hour').format(Math.floor(past / HOUR));
    if (past < 6 * DAY) return this.#date('weekday', { weekday: 'short' }).format(then);
    if (past < 300 * DAY) {
      return this.#date('day', { day: 'numeric', month: 'short' }).format(then);
    }
    return this.#date('year', { year: 'numeric', month: 'short' }).format(then);
  }

  /** A moment: the time if it was today, else with its day. */
  moment(then: number, now: number): string {
    const sameDay = new Date(then).toDateString() === new Date(now).toDateString();
    return sameDay ? this.time(then) : this.full(then);
  }

  time(then: number): string {
    return this.#date('time', { hour: '2-digit', minute: '2-digit' }).format(then);
  }

  full(then: number): string {
    return this.#date('full', { dateStyle: 'medium', timeStyle: 'short' }).format(then);
  }

  /** Time left: `1:42` in the last two minutes, else in whole units, rounded up. */
  left(ms: number): string {
    if (ms < 2 * MINUTE) {
      const seconds = Math.max(0, Math.ceil(ms / 1000));
      const two = new Intl.NumberFormat(this.locale, { minimumIntegerDigits: 2 });
      return `${this.number(Math.floor(seconds / 60))}:${two.format(seconds % 60)}`;
    }
    if (ms < 2 * HOUR) return this.#unit('minute').format(Math.ceil(ms / MINUTE));
    return this.#unit('hour').format(Math.ceil(ms / HOUR));
  }

  #unit(unit: 'minute' | 'hour'): Intl.NumberFormat {
    return this.#cached(unit, () => {
      return new Intl.NumberFormat(this.locale, { style: 'unit', unit, unitDisplay: 'short' });
    });
  }

  #date(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return this.#cached(name, () => new Intl.DateTimeFormat(this.locale, options));
  }

  #cached<T extends Intl.DateTimeFormat | Intl.NumberFormat>(name: string, make: () => T): T {
    const known = this.#cache.get(name) as T | undefined;
    if (known) return known;
    const made = make();
    this.#cache.set(name, made);
    return made;
  }
}
