/**
 * The time as components see it. It moves on events, when the window is shown, and by a timer only
 * while a countdown is on screen: a waiting window wakes nothing.
 */
const SECOND = 1_000;
const MINUTE = 60_000;

class Clock {
  #now = $state(Date.now());
  #watchers = new Set<{ step: number; at: number }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    document.addEventListener('visibilitychange', () => this.touch());
    window.addEventListener('focus', () => this.touch());
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#now;
  }

  /** Something happened: what is shown relative to now is brought up to date. */
  touch(): void {
    this.#now = Date.now();
    this.#arm();
  }

  /**
   * Keeps the time moving while a countdown to `at` is on screen, whenever the whole seconds or
   * minutes that are left become fewer; returns how to stop.
   */
  watch(step: 'second' | 'minute', at: number): () => void {
    const watcher = { step: step === 'second' ? SECOND : MINUTE, at };
    this.#watchers.add(watcher);
    this.#arm();
    return () => {
      this.#watchers.delete(watcher);
      this.#arm();
    };
  }

  /** One timer, for the next step of any of them, and none while nobody looks. */
  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (document.hidden || this.#watchers.size === 0) return;
    const now = Date.now();
    const next = [...this.#watchers].map(({ step, at }) => (((at - now) % step) + step) % step);
    this.#timer = setTimeout(() => this.touch(), Math.min(...next) + 1);
  }
}

export const clock = new Clock();
