/**
 * For a moment after a question appears or moves, clicks and keys meant for what was there before
 * are swallowed, so that a stray one can't answer it.
 */
export const GUARD_MS = 400;

export class Guard {
  #until = 0;
  #keys = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts the moment, for clicks and mostly for keys; `onopen` is called when it is over. */
  start(keys: boolean, onopen: () => void): void {
    this.#keys = keys;
    this.#until = performance.now() + GUARD_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onopen, GUARD_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  get active(): boolean {
    return performance.now() < this.#until;
  }

  /** Swallows the event while the moment lasts. */
  readonly swallow = (event: Event): void => {
    if (!this.active || (!this.#keys && event instanceof KeyboardEvent)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
