/** The composer's text of each session: kept in memory at once, saved with the session soon. */
import { SvelteMap } from 'svelte/reactivity';
import type { SessionDto } from '../../api/types';
import type { App } from '../../state/app.svelte';

const SAVE_MS = 400;

interface Text {
  readonly now: string;
  /** As the hub has it. */
  readonly saved: string;
}

export class ComposerTexts {
  readonly #texts = new SvelteMap<string, Text>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(private readonly app: App) {}

  get(session: SessionDto): string {
    return this.#texts.get(session.id)?.now ?? session.composer;
  }

  set(session: SessionDto, now: string): void {
    const saved = this.#texts.get(session.id)?.saved ?? session.composer;
    this.#texts.set(session.id, { now, saved });
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
    this.#texts.set(session, { ...text, saved: text.now });
    if (await this.app.call('session.update', request)) return;
    const current = this.#texts.get(session);
    if (current) this.#texts.set(session, { ...current, saved: text.saved });
  }

  flushAll(): void {
    for (const session of this.#texts.keys()) void this.flush(session);
  }

  /** Another window may have saved another text: it counts only if ours is unchanged. */
  receive(session: SessionDto): void {
    const ours = this.#texts.get(session.id);
    if (!ours || ours.now !== ours.saved || this.#timers.has(session.id)) return;
    this.#texts.set(session.id, { now: session.composer, saved: session.composer });
  }
}
