/** The state of one window: the model, what is on show, and the acts that reach the hub. */
import { getContext, setContext, tick } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { BatchDto, Draft, Event, MessageDto, Outcome, WireError } from '../api/types';
import { BatchDraft } from '../features/dock/draft.svelte';
import { hasTyped } from '../features/dock/answers';
import {
  toWireError,
  type FocusRequest,
  type Host,
  type OperationName,
  type Request,
  type Response,
} from '../host/host';
import { i18n } from '../i18n/index.svelte';
import { ComposerTexts } from '../features/composer/texts.svelte';
import { clock } from '../primitives/clock.svelte';
import { byUrgency } from './order';
import { apply, EMPTY, withBatch, withDetail, withMessage, withOutcome, type Model } from './model';

export type View = { readonly kind: 'inbox' } | { readonly kind: 'session'; readonly id: string };

/** `dock` means the first control with which the question is answered. */
export type FocusTarget = 'dock' | 'composer' | 'find';

export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'info';
  readonly text: string;
}

export class App {
  model: Model = $state.raw(EMPTY);
  view: View = $state.raw({ kind: 'inbox' });
  notices: readonly Notice[] = $state.raw([]);
  /** What a screen reader hears: politely, or at once. */
  polite = $state('');
  assertive = $state('');
  /** Which batch of a session is on show, where the person chose one. */
  readonly chosen = new SvelteMap<string, string>();
  /** What was typed for batches that ended elsewhere. */
  readonly leftovers = new SvelteMap<string, Draft>();
  /** Why a session's timeline isn't there. */
  readonly loadErrors = new SvelteMap<string, WireError>();
  /** What should take the focus once it is on the page; whoever takes it clears this. */
  wantsFocus: FocusTarget | null = $state(null);
  /** Whether the person types in the composer right now, which no arriving batch may disturb. */
  typingInComposer: () => boolean = () => false;
  /** Whether the person's hands are in a dock: what they press next is meant for its batch. */
  handsInDock: () => boolean = () => false;
  /** The batch under the person's hands went away: the composer takes what they go on typing. */
  interrupted = false;
  readonly composers = new ComposerTexts(this);

  /** Highest the dock may be, in pixels, where the person dragged it; never over its own limit. */
  dockHeight: number | null = $state(null);

  readonly #drafts = new Map<string, BatchDraft>();
  /** Batches whose dock stays slim because they came while the person was typing. */
  readonly quiet = new SvelteMap<string, true>();
  readonly #loading = new Map<string, Event[]>();
  #awaited: FocusRequest | null = null;
  #noticeId = 0;
  #stops: (() => void)[] = [];

  constructor(readonly host: Host) {}

  start(): void {
    this.#stops = [
      this.host.subscribe((event) => this.#receive(event)),
      this.host.onFocusRequest((request) => this.#show(request)),
    ];
  }

  stop(): void {
    this.composers.flushAll();
    for (const stop of this.#stops) stop();
    this.#stops = [];
    for (const draft of this.#drafts.values()) draft.close();
  }

  /** The pending batches of a session, oldest first. */
  pendingOf(session: string): readonly BatchDto[] {
    return [...this.model.pending.values()].filter((batch) => batch.shown_in.includes(session));
  }

  /** The batch that the dock of a session shows: the chosen one while it waits, else the oldest. */
  shownBatch(session: string): BatchDto | undefined {
    const pending = this.pendingOf(session);
    const chosen = this.chosen.get(session);
    return pending.find((batch) => batch.id === chosen) ?? pending[0];
  }

  /**
   * The person's work on a batch; the same one for as long as the batch waits. Made when the batch
   * comes, because state made while something is derived would not be followed there.
   */
  draft(batch: BatchDto): BatchDraft {
    let draft = this.#drafts.get(batch.id);
    if (!draft) {
      draft = new BatchDraft(this.host, batch, {
        ended: (outcome, byUs) => this.#ended(outcome, byUs),
        failed: (error) => this.fail(error, true),
        replaced: (fresh) => this.#replace(fresh),
      });
      this.#drafts.set(batch.id, draft);
    }
    return draft;
  }

  openInbox(): void {
    this.view = { kind: 'inbox' };
    clock.touch();
  }

  /** Shows a session, and where a batch is named that batch, however it had been put away. */
  openSession(id: string, batch?: string): void {
    this.interrupted = false;
    if (batch) {
      this.chosen.set(id, batch);
      this.quiet.delete(batch);
      const pending = this.model.pending.get(batch);
      if (pending) this.setExpanded(pending, true);
    }
    if (this.view.kind !== 'session' || this.view.id !== id) this.view = { kind: 'session', id };
    clock.touch();
    if (!this.model.contents.has(id)) void this.load(id);
  }

  /** Loads the timeline of a session. */
  async load(id: string): Promise<void> {
    if (this.#loading.has(id)) return;
    const meanwhile: Event[] = [];
    this.#loading.set(id, meanwhile);
    try {
      const detail = await this.host.call('session.get', { id });
      this.loadErrors.delete(id);
      // The answer may be older than what the events have brought since it was asked for.
      const loaded = withDetail(this.model, detail);
      this.model = meanwhile.reduce(applyAgain, loaded);
    } catch (error) {
      this.loadErrors.set(id, toWireError(error));
    } finally {
      this.#loading.delete(id);
    }
  }

  /** Runs an operation; a failure is shown, and null comes back. */
  async call<N extends OperationName>(name: N, request: Request<N>): Promise<Response<N> | null> {
    try {
      return await this.host.call(name, request);
    } catch (error) {
      this.fail(toWireError(error), false);
      return null;
    }
  }

  /** Sends the person's message; false: it was not taken, and its text must stay. */
  async post(session: string, text: string, key: string): Promise<boolean> {
    try {
      const message: MessageDto = await this.host.call('message.post', { session, text, key });
      this.model = withMessage(this.model, message);
      return true;
    } catch (error) {
      this.fail(toWireError(error), true);
      return false;
    }
  }

  /** Shows the next or previous waiting batch of the session. */
  page(session: string, by: number): void {
    const pending = this.pendingOf(session);
    const at = pending.findIndex((batch) => batch.id === this.shownBatch(session)?.id);
    const next = pending[(at + by + pending.length) % pending.length];
    if (next && pending.length > 1) {
      this.quiet.delete(next.id);
      this.chosen.set(session, next.id);
    }
  }

  /** Whether the dock of this batch is open: not collapsed, and not held back by typing. */
  isExpanded(batch: BatchDto): boolean {
    return !this.draft(batch).draft.collapsed && !this.quiet.has(batch.id);
  }

  setExpanded(batch: BatchDto, expanded: boolean): void {
    this.quiet.delete(batch.id);
    const draft = this.draft(batch);
    if (draft.draft.collapsed === expanded) draft.note((one) => (one.collapsed = !expanded));
  }

  /** Opens and focuses the dock, collapses it, or goes to the most urgent batch from elsewhere. */
  toggleDock(): void {
    const batch = this.view.kind === 'session' ? this.shownBatch(this.view.id) : undefined;
    if (!batch) {
      const [urgent] = byUrgency(this.model.pending.values());
      if (urgent) this.openSession(urgent.session, urgent.id);
      this.focus('dock');
    } else if (this.isExpanded(batch)) {
      this.setExpanded(batch, false);
      this.focus('composer');
    } else {
      this.setExpanded(batch, true);
      this.focus('dock');
    }
  }

  /** The next waiting batch: of this session if it has several, else the most urgent elsewhere. */
  nextBatch(): void {
    const session = this.view.kind === 'session' ? this.view.id : null;
    if (session && this.pendingOf(session).length > 1) this.page(session, 1);
    else {
      const others = [...this.model.pending.values()].filter(
        (batch) => !session || !batch.shown_in.includes(session),
      );
      const [urgent] = byUrgency(others);
      if (urgent) this.openSession(urgent.session, urgent.id);
    }
    this.focus('dock');
  }

  /** Saves everything that is unsaved, before the window goes. */
  flush(): void {
    this.composers.flushAll();
    for (const draft of this.#drafts.values()) void draft.flush();
  }

  /** Asks for the focus; a wish that nothing on the page fulfils is forgotten. */
  focus(target: FocusTarget): void {
    this.wantsFocus = target;
    void tick().then(() => {
      if (this.wantsFocus === target) this.wantsFocus = null;
    });
  }

  fail(error: WireError, kept: boolean): void {
    const text = i18n.text.app.failed(error.message);
    this.notify('error', kept ? `${text} ${i18n.text.app.kept}` : text);
  }

  notify(kind: Notice['kind'], text: string): void {
    if (this.notices.some((notice) => notice.text === text)) return;
    this.notices = [...this.notices.slice(-2), { id: ++this.#noticeId, kind, text }];
  }

  dismissNotice(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }

  #receive(event: Event): void {
    if (event.type === 'snapshot') this.#receiveSnapshot(event);
    else {
      for (const meanwhile of this.#loading.values()) meanwhile.push(event);
      const before = this.model;
      this.model = apply(before, event);
      if (event.type === 'batch' && this.model !== before) this.#receiveBatch(event.data, before);
      if (event.type === 'session_deleted') this.#leave(event.data);
      if (event.type === 'session') {
        this.composers.receive(event.data);
        if (event.data.archived) this.#leave(event.data.id);
      }
      if (event.type === 'settings') void i18n.use(event.data.language);
    }
    clock.touch();
  }

  #receiveSnapshot(event: Event & { type: 'snapshot' }): void {
    const first = this.model.hub === '';
    this.model = apply(this.model, event);
    void i18n.use(event.data.settings.language);
    for (const [id, draft] of this.#drafts) {
      const batch = this.model.pending.get(id);
      if (batch) draft.receive(batch);
      else this.#drop(id, true);
    }
    for (const batch of this.model.pending.values()) this.draft(batch);
    const current = this.view.kind === 'session' ? this.view.id : null;
    const contents = new Map([...this.model.contents].filter(([id]) => id === current));
    this.model = { ...this.model, contents };
    if (current) void this.load(current);
    else if (first && this.#awaited) this.#show(this.#awaited);
    else if (first) this.#openFirst();
  }

  /** At the start: the only session that waits, else the inbox if several do, else the newest. */
  #openFirst(): void {
    const waiting = new Set([...this.model.pending.values()].map((batch) => batch.session));
    const [only] = waiting;
    if (waiting.size === 1 && only) this.openSession(only);
    else if (waiting.size === 0) {
      const [newest] = this.model.sessions.keys();
      if (newest) this.openSession(newest);
    }
  }

  #receiveBatch(batch: BatchDto, before: Model): void {
    if (batch.status !== 'pending') {
      this.#endedElsewhere(batch, before);
      return;
    }
    if (before.pending.has(batch.id)) {
      this.#drafts.get(batch.id)?.receive(batch);
      return;
    }
    this.draft(batch);
    if (this.#isOnShow(batch)) {
      if (this.interrupted || this.typingInComposer()) this.quiet.set(batch.id, true);
    } else if (this.view.kind === 'inbox' && before.pending.size === 0) {
      // Nothing else waits and nothing else is on show: no list of one to choose from.
      this.openSession(batch.session, batch.id);
    }
    const first = batch.questions[0];
    const text = first?.display?.question ?? first?.question ?? batch.message ?? '';
    this.polite = i18n.text.dock.arrived(batch.agent, text);
  }

  #ended(outcome: Outcome, byUs: boolean): void {
    const batch = this.model.pending.get(outcome.batch);
    this.model = withOutcome(this.model, outcome);
    if (!byUs && batch) return this.#takenAway(batch, outcome);
    this.#drop(outcome.batch, outcome.status !== 'answered');
    this.focus('composer');
  }

  #endedElsewhere(batch: BatchDto, before: Model): void {
    // While our own act is under way, its response says who won.
    if (this.#drafts.get(batch.id)?.sending) return;
    if (!before.pending.has(batch.id) || !this.#drafts.has(batch.id)) return;
    this.#takenAway(batch, batch.outcome);
  }

  /** Somebody or something else ended the batch; the person may be in the middle of it. */
  #takenAway(batch: BatchDto, outcome: Outcome | null): void {
    this.#drop(batch.id, true);
    if (!this.#isOnShow(batch)) return;
    if (outcome) this.notify('info', describeEnd(outcome));
    if (this.handsInDock()) {
      this.interrupted = true;
      for (const session of batch.shown_in) {
        for (const other of this.pendingOf(session)) this.quiet.set(other.id, true);
      }
    }
    this.focus('composer');
  }

  /** Forgets the work on a batch that has ended; what was typed in vain stays copyable. */
  #drop(id: string, keep: boolean): void {
    const draft = this.#drafts.get(id);
    if (!draft) return;
    if (keep && hasTyped(draft.draft)) this.leftovers.set(id, $state.snapshot(draft.draft));
    draft.close();
    this.#drafts.delete(id);
    this.quiet.delete(id);
  }

  #isOnShow(batch: BatchDto): boolean {
    return this.view.kind === 'session' && batch.shown_in.includes(this.view.id);
  }

  #replace(batch: BatchDto): void {
    this.model = withBatch(this.model, batch);
    this.#drafts.get(batch.id)?.receive(batch);
  }

  #leave(session: string): void {
    if (this.view.kind === 'session' && this.view.id === session) this.openInbox();
  }

  #show({ session, batch }: FocusRequest): void {
    if (this.model.hub === '') {
      // A window made for this very request knows nothing yet.
      this.#awaited = { session: session ?? null, batch: batch ?? null };
      return;
    }
    const target = session ?? (batch ? this.model.pending.get(batch)?.session : undefined);
    if (target) this.openSession(target, batch ?? undefined);
    else this.openInbox();
    this.focus('dock');
  }
}

/** Applies an event that the model has seen to content that may not have. */
function applyAgain(model: Model, event: Event): Model {
  return { ...apply({ ...model, seq: event.seq - 1 }, event), seq: Math.max(model.seq, event.seq) };
}

/** How a batch ended and by whom, in a line. */
export function describeEnd(outcome: Outcome): string {
  const { summary, dock } = i18n.text;
  return dock.endedBy(summary.ended[outcome.status], describeResponder(outcome));
}

/** Who ended a batch and where. */
export function describeResponder({ responder }: Outcome): string {
  const { summary } = i18n.text;
  if (responder.kind === 'system') return summary.system;
  const who =
    responder.kind === 'user'
      ? summary.you
      : responder.kind === 'api_key'
        ? summary.key(responder.id)
        : responder.id;
  const where = summary.via[responder.via] ?? summary.viaOther(responder.via);
  return `${who}, ${where}`;
}

const APP = Symbol('app');

export function provideApp(app: App): App {
  return setContext(APP, app);
}

export function useApp(): App {
  return getContext<App>(APP);
}
