/**
 * What the window knows, as an immutable value: a snapshot, then deltas. Entities come whole, so
 * the newest replaces what was known. Rules live in the hub; nothing here decides anything.
 */
import type {
  BatchDto,
  Event,
  MessageDto,
  Outcome,
  SessionDetail,
  SessionDto,
  Settings,
  Snapshot,
} from '../api/types';

/** The timeline of one session, as far as it was loaded. */
export interface Content {
  /** Oldest first, ended ones included. */
  readonly batches: readonly BatchDto[];
  /** Oldest first. */
  readonly messages: readonly MessageDto[];
}

export interface Model {
  /** The last event applied. */
  readonly seq: number;
  /** This run of the hub; empty before the first snapshot. */
  readonly hub: string;
  readonly sessions: ReadonlyMap<string, SessionDto>;
  readonly pending: ReadonlyMap<string, BatchDto>;
  /** By session, for those that were opened. */
  readonly contents: ReadonlyMap<string, Content>;
  readonly settings: Settings | null;
}

export const EMPTY: Model = {
  seq: 0,
  hub: '',
  sessions: new Map(),
  pending: new Map(),
  contents: new Map(),
  settings: null,
};

/** The model after one event. An event already contained changes nothing. */
export function apply(model: Model, event: Event): Model {
  if (event.type === 'snapshot') return fromSnapshot(model, event.data);
  if (event.seq <= model.seq) return model;
  const next = { ...model, seq: event.seq };
  switch (event.type) {
    case 'session':
      return { ...next, sessions: withSession(model.sessions, event.data) };
    case 'session_deleted':
      return withoutSession(next, event.data);
    case 'batch':
      return withBatch(next, event.data);
    case 'message':
      return withMessage(next, event.data);
    case 'settings':
      return { ...next, settings: event.data };
  }
}

/** The model with a session's timeline, as loaded; what came meanwhile is applied on top of it. */
export function withDetail(model: Model, detail: SessionDetail): Model {
  const id = detail.session.id;
  const sessions = model.sessions.has(id)
    ? model.sessions
    : new Map(model.sessions).set(id, detail.session);
  const content = { batches: detail.batches, messages: detail.messages };
  return { ...model, sessions, contents: new Map(model.contents).set(id, content) };
}

/** The model after our own act ended a batch; the hub's event follows and says the same. */
export function withOutcome(model: Model, outcome: Outcome): Model {
  const batch = findBatch(model, outcome.batch);
  if (!batch || batch.status !== 'pending') return model;
  return withBatch(model, { ...batch, status: outcome.status, outcome });
}

/** A batch wherever it is known. */
export function findBatch(model: Model, id: string): BatchDto | undefined {
  const pending = model.pending.get(id);
  if (pending) return pending;
  for (const content of model.contents.values()) {
    const found = content.batches.find((batch) => batch.id === id);
    if (found) return found;
  }
  return undefined;
}

/** The model with a batch as the hub returned it. */
export function withBatch(model: Model, batch: BatchDto): Model {
  const pending = new Map(model.pending);
  if (batch.status === 'pending') pending.set(batch.id, batch);
  else pending.delete(batch.id);
  let contents = model.contents;
  for (const session of batch.shown_in) {
    const content = contents.get(session);
    if (!content) continue;
    const batches = upsert(content.batches, batch, (one) => one.id === batch.id);
    contents = new Map(contents).set(session, { ...content, batches });
  }
  return { ...model, pending, contents };
}

/** The model with a message as the hub returned it. */
export function withMessage(model: Model, message: MessageDto): Model {
  const content = model.contents.get(message.session);
  if (!content) return model;
  const messages = upsert(content.messages, message, (one) => one.id === message.id);
  const contents = new Map(model.contents).set(message.session, { ...content, messages });
  return { ...model, contents };
}

function fromSnapshot(model: Model, snapshot: Snapshot): Model {
  return {
    seq: snapshot.seq,
    hub: snapshot.hub,
    sessions: new Map(snapshot.sessions.map((session) => [session.id, session])),
    pending: new Map(snapshot.pending.map((batch) => [batch.id, batch])),
    // Stale until loaded again, but better than an empty page for that moment.
    contents: model.contents,
    settings: snapshot.settings,
  };
}

function withSession(sessions: Model['sessions'], session: SessionDto): Model['sessions'] {
  const next = new Map(sessions);
  // One that was archived already is here because the person opened it.
  if (session.archived && !next.get(session.id)?.archived) next.delete(session.id);
  else next.set(session.id, session);
  return next;
}

function withoutSession(model: Model, id: string): Model {
  const sessions = new Map(model.sessions);
  const contents = new Map(model.contents);
  sessions.delete(id);
  contents.delete(id);
  const pending = new Map([...model.pending].filter(([, batch]) => batch.session !== id));
  return { ...model, sessions, contents, pending };
}

/** Replaces the entity that `same` finds, looking from the newest, else appends it. */
function upsert<T>(list: readonly T[], item: T, same: (one: T) => boolean): T[] {
  const at = list.findLastIndex(same);
  return at < 0 ? [...list, item] : list.with(at, item);
}
