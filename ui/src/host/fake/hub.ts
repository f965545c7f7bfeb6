/** A hub in memory: real enough to work with every view, small enough to read at once. */
import type {
  BatchDto,
  Delta,
  Event,
  MessageDto,
  Outcome,
  SessionDetail,
  SessionDto,
  Settings,
  WireError,
} from '../../api/types';
import type { FocusRequest, Host, OperationName, Platform, Request, Response } from '../host';
import { at, ended } from './make';
import { answersFrom, inputsOf, problemsOf, visibleUnder } from './rules';

export interface World {
  settings: Settings;
  sessions: SessionDto[];
  batches: BatchDto[];
  messages: MessageDto[];
}

type Handlers = { [N in OperationName]?: (request: Request<N>) => Response<N> };

/** One call as the page made it. */
export interface Call {
  readonly name: OperationName;
  readonly request: unknown;
}

export class FakeHub implements Host {
  platform: Platform = 'linux';
  /** Every call, oldest first. */
  readonly calls: Call[] = [];
  readonly opened: string[] = [];
  readonly paints: string[] = [];
  /** The next calls of an operation fail with these. */
  readonly failures = new Map<OperationName, WireError[]>();
  /** Milliseconds that a call takes; 0: one microtask. */
  latency = 0;
  #seq = 1;
  #listeners = new Set<(event: Event) => void>();
  #focus = new Set<(request: FocusRequest) => void>();

  constructor(readonly world: World) {
    for (const one of world.sessions) this.#count(one.id);
  }

  async call<N extends OperationName>(name: N, request: Request<N>): Promise<Response<N>> {
    const sent = structuredClone(request);
    this.calls.push({ name, request: sent });
    if (this.latency > 0) await new Promise((done) => setTimeout(done, this.latency));
    else await Promise.resolve();
    const failure = this.failures.get(name)?.shift();
    if (failure) throw failure;
    const handler = this.#handlers[name] as ((request: Request<N>) => Response<N>) | undefined;
    if (!handler) throw refuse('not_found', `No operation is called ${name}.`);
    return structuredClone(handler(sent));
  }

  subscribe(onEvent: (event: Event) => void): () => void {
    this.#listeners.add(onEvent);
    queueMicrotask(() => onEvent({ seq: this.#seq, type: 'snapshot', data: this.snapshot() }));
    return () => this.#listeners.delete(onEvent);
  }

  async openExternal(url: string): Promise<void> {
    this.opened.push(url);
  }

  onFocusRequest(show: (request: FocusRequest) => void): () => void {
    this.#focus.add(show);
    return () => this.#focus.delete(show);
  }

  painted(batch: string): void {
    this.paints.push(batch);
  }

  snapshot() {
    const { sessions, batches, settings } = structuredClone(this.world);
    return {
      seq: this.#seq,
      hub: 'fake',
      sessions: sessions.filter((one) => !one.archived),
      pending: batches.filter((one) => one.status === 'pending'),
      settings,
    };
  }

  /** Says to every listener what changed. */
  emit(delta: Delta): void {
    const event = structuredClone({ seq: ++this.#seq, ...delta }) as Event;
    for (const listener of this.#listeners) listener(event);
  }

  /** The hub lost nothing but the listeners did: they start again from a snapshot. */
  resend(): void {
    this.emit({ type: 'snapshot', data: { ...this.snapshot(), seq: this.#seq + 1 } });
  }

  /** An agent asks. */
  ask(batch: BatchDto): void {
    this.world.batches.push(batch);
    this.#changed(batch);
  }

  /** A batch changes from outside: another window, a notification, the agent. */
  change(id: string, change: (batch: BatchDto) => BatchDto): void {
    const at = this.world.batches.findIndex((batch) => batch.id === id);
    const before = this.world.batches[at];
    if (!before) throw new Error(`no batch ${id}`);
    const after = change(before);
    this.world.batches[at] = after;
    this.#changed(after);
  }

  say(message: MessageDto): void {
    this.world.messages.push(message);
    this.emit({ type: 'message', data: message });
  }

  show(request: FocusRequest): void {
    for (const show of this.#focus) show(request);
  }

  batch(id: string): BatchDto {
    const found = this.world.batches.find((batch) => batch.id === id);
    if (!found) throw refuse('not_found', 'No such batch.');
    return found;
  }

  #session(id: string): SessionDto {
    const found = this.world.sessions.find((session) => session.id === id);
    if (!found) throw refuse('not_found', 'No such session.');
    return found;
  }

  #changed(batch: BatchDto): void {
    this.emit({ type: 'batch', data: batch });
    for (const id of batch.shown_in) this.emit({ type: 'session', data: this.#count(id) });
  }

  #count(id: string): SessionDto {
    const session = this.#session(id);
    const own = this.world.batches.filter((batch) => batch.shown_in.includes(id));
    const pending = own.filter((batch) => batch.status === 'pending');
    session.pending = pending.filter((batch) => !batch.away).length;
    session.away = pending.filter((batch) => batch.away).length;
    session.answered = Math.max(session.answered, own.length - pending.length);
    return session;
  }

  #end(id: string, hash: string | null, outcome: Partial<Outcome>): Outcome {
    const batch = this.batch(id);
    if (batch.status !== 'pending') {
      throw { ...refuse('already_ended', 'It has ended already.'), outcome: batch.outcome };
    }
    if (hash !== batch.content_hash) throw refuse('stale_content', 'The question changed.');
    const after = ended(batch, outcome);
    this.change(id, () => ({ ...after, delivered_at: batch.away ? null : at(0) }));
    return after.outcome as Outcome;
  }

  #update(session: SessionDto, change: Partial<SessionDto>): SessionDto {
    Object.assign(session, change);
    this.emit({ type: 'session', data: session });
    return session;
  }

  readonly #handlers: Handlers = {
    'batch.get': ({ id }) => this.batch(id),
    'batch.draft': ({ id, draft, draft_rev }) => {
      const batch = this.batch(id);
      if (batch.status !== 'pending') {
        throw { ...refuse('already_ended', 'It has ended already.'), outcome: batch.outcome };
      }
      if (draft_rev !== batch.draft_rev) throw refuse('stale_draft', 'Saved elsewhere meanwhile.');
      const inputs = inputsOf(batch, draft);
      const visible = visibleUnder(batch, inputs);
      this.change(id, (one) => ({ ...one, draft, visible, draft_rev: one.draft_rev + 1 }));
      return {
        draft_rev: batch.draft_rev + 1,
        visible,
        problems: problemsOf(batch, inputs),
      };
    },
    'batch.activity': ({ id }) => {
      this.change(id, (one) => ({ ...one, paused_since: one.paused_since ?? at(0) }));
      return {};
    },
    'batch.extend': ({ id, seconds }) => {
      this.change(id, (one) => {
        const deadline = Date.parse(one.deadline ?? at(0)) + seconds * 1000;
        return { ...one, deadline: new Date(deadline).toISOString() };
      });
      return this.batch(id);
    },
    'batch.answer': ({ id, answers, content_hash, via }) => {
      const problems = problemsOf(this.batch(id), answers);
      if (problems.length > 0 && this.batch(id).status === 'pending') {
        throw { ...refuse('invalid', 'Some answers are missing.'), problems };
      }
      return this.#end(id, content_hash, {
        answers: answersFrom(this.batch(id), answers),
        responder: { kind: 'user', id: 'local', via: via ?? 'dock' },
      });
    },
    'batch.dismiss': ({ id, content_hash }) =>
      this.#end(id, content_hash, { status: 'dismissed', reason: 'user' }),
    'batch.ask_back': ({ id, content_hash, message, answers }) =>
      this.#end(id, content_hash, {
        status: 'dismissed',
        reason: 'ask_back',
        message,
        partial: answersFrom(this.batch(id), answers),
      }),
    'session.get': ({ id }): SessionDetail => ({
      session: this.#session(id),
      batches: this.world.batches.filter((batch) => batch.shown_in.includes(id)),
      messages: this.world.messages.filter((message) => message.session === id),
    }),
    'session.update': ({ id, ...change }) => {
      const named = Object.entries(change).filter(([, value]) => value !== null);
      return this.#update(this.#session(id), Object.fromEntries(named));
    },
    'session.delete': ({ id }) => {
      this.world.sessions = this.world.sessions.filter((session) => session.id !== id);
      this.emit({ type: 'session_deleted', data: id });
      return {};
    },
    'message.post': ({ session, text }) => {
      const message: MessageDto = {
        id: Math.max(0, ...this.world.messages.map((one) => one.id)) + 1,
        session,
        author: 'person',
        text,
        posted_at: at(0),
        delivered_at: null,
      };
      this.say(message);
      return message;
    },
    'settings.set': (patch) => {
      Object.assign(this.world.settings, patch);
      this.emit({ type: 'settings', data: this.world.settings });
      return this.world.settings;
    },
  };
}

export function refuse(code: WireError['code'], message: string): WireError {
  return { code, message };
}
