/** The composer's text of each session: kept in memory at once, saved with the session soon. */
import { SvelteMap } from 'svelte/reactivity';
import type { SessionDto } from '../../api/types';
import type { App } from '../../state/app.svelte';

const SAVE_MS = 400;

interface Text {
  readonly now: string;
  /** As the hub has it, or will have once the saves on their way are there. */
  readonly saved: string;
  /** As the hub last said. */
  readonly heard: string;
  /** Our saves of which the hub hasn't spoken yet, oldest first. */
  readonly sent: readonly string[];
}

export class ComposerTexts {
  readonly #texts = new SvelteMap<string, Text>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly app: App) {}

  get(session: SessionDto): string {
    return this.#texts.get(session.id)?.now ?? session.composer;
  }

  set(session: SessionDto, now: string): void {
    this.#texts.set(session.id, { ...(this.#texts.get(session.id) ?? asHeard(session)), now });
    if (!this.#timers.has(session.id)) {
      this.#timers.set(
        session.id,
        setTimeout(() => void this.flush(session.id), SAVE_MS),
      );
    }
  }

  /** Saves the text now; on blur, on a switch, on close. */
  async flush(session: string): Promise<void> {
    clearTimeout(this.#timers.get(session));
    this.#timers.delete(session);
    const text = this.#texts.get(session);
    if (!text || text.now === text.saved) return;
    const request = { id: session, title: null, pinned: null, archived: null, composer: text.now };
    this.#texts.set(session, { ...text, saved: text.now, sent: [...text.sent, text.now] });
    if (await this.app.call('session.update', request)) return;
    const current = this.#texts.get(session);
    if (!current) return;
    const sent = current.sent.filter((one) => one !== text.now);
    this.#texts.set(session, { ...current, saved: text.saved, sent });
  }

  flushAll(): void {
    for (const session of this.#texts.keys()) void this.flush(session);
  }

  /**
   * Takes what the hub says of a session. Most of it is about something else, or an echo of our own
   * saves, late by then; a text that another window saved counts only if ours is unchanged.
   */
  receive(session: SessionDto): void {
    const ours = this.#texts.get(session.id);
    const heard = session.composer;
    if (!ours || heard === ours.heard) return;
    const own = ours.sent.indexOf(heard);
    const changed = ours.now !== ours.saved || this.#timers.has(session.id);
    if (own >= 0 || changed) {
      this.#texts.set(session.id, { ...ours, heard, sent: ours.sent.slice(own + 1) });
    } else {
      this.#texts.set(session.id, asHeard(session));
    }
  }
}

function asHeard({ composer }: SessionDto): Text {
  return { now: composer, saved: composer, heard: composer, sent: [] };
}
