import { describe, expect, test } from 'vitest';
import type { Event } from '../src/api/types';
import { batch, ended, message, question, session, SETTINGS } from '../src/host/fake/make';
import { apply, EMPTY, findBatch, withDetail, withOutcome, type Model } from '../src/state/model';
import { byUrgency, folderName, groupSessions } from '../src/state/order';

const parent = session('parent', { title: 'Parent' });
const child = session('child', { title: 'Child' });
const asked = batch(child, {
  number: 1,
  shown_in: ['child', 'parent'],
  questions: [question({ question: 'Which?', options: ['A', 'B'] })],
});

const snapshot = (seq: number, given: object = {}): Event => ({
  seq,
  type: 'snapshot',
  data: {
    seq,
    hub: 'h',
    sessions: [parent, child],
    pending: [asked],
    settings: SETTINGS,
    ...given,
  },
});

function known(): Model {
  let model = apply(EMPTY, snapshot(10));
  for (const one of [parent, child]) {
    model = withDetail(model, { session: one, batches: [asked], messages: [] });
  }
  return model;
}

describe('the model', () => {
  test('an event that it contains already changes nothing', () => {
    const model = known();
    const old: Event = { seq: 10, type: 'session_deleted', data: 'child' };
    expect(apply(model, old)).toBe(model);
  });

  test('an end reaches every session that shows the batch', () => {
    const after = apply(known(), { seq: 11, type: 'batch', data: ended(asked, {}) });
    expect(after.pending.size).toBe(0);
    for (const id of ['child', 'parent']) {
      expect(after.contents.get(id)?.batches.map((one) => one.status)).toEqual(['answered']);
    }
  });

  test('our own outcome ends the batch before the event says so, and only once', () => {
    const { outcome } = ended(asked, { status: 'dismissed' });
    if (!outcome) throw new Error('no outcome');
    const after = withOutcome(known(), outcome);
    expect(findBatch(after, asked.id)?.status).toBe('dismissed');
    expect(withOutcome(after, { ...outcome, status: 'answered' })).toBe(after);
  });

  test('a message is added once, and delivered in its place', () => {
    const posted = message(child, { text: 'hi', delivered_at: null });
    const first = apply(known(), { seq: 11, type: 'message', data: posted });
    const second = apply(first, {
      seq: 12,
      type: 'message',
      data: { ...posted, delivered_at: '2026-01-01T00:00:00Z' },
    });
    expect(second.contents.get('child')?.messages).toHaveLength(1);
    expect(second.contents.get('child')?.messages[0]?.delivered_at).not.toBeNull();
    expect(first.contents.get('child')?.messages[0]?.delivered_at).toBeNull();
  });

  test('a deleted or archived session goes', () => {
    const deleted = apply(known(), { seq: 11, type: 'session_deleted', data: 'child' });
    expect([...deleted.sessions.keys()]).toEqual(['parent']);
    const archived = apply(known(), {
      seq: 11,
      type: 'session',
      data: { ...parent, archived: true },
    });
    expect(archived.sessions.has('parent')).toBe(false);
  });

  test('a snapshot replaces everything that it speaks of', () => {
    const after = apply(known(), snapshot(50, { pending: [], sessions: [parent] }));
    expect([after.seq, after.pending.size, after.sessions.size]).toEqual([50, 0, 1]);
  });
});

describe('order', () => {
  test('urgent is what expires soonest, then the oldest, then whose agent is away', () => {
    const base = { questions: [] };
    const late = batch(child, { ...base, number: 5, deadline: '2026-01-01T02:00:00Z' });
    const soon = batch(child, { ...base, number: 6, deadline: '2026-01-01T01:00:00Z' });
    const old = batch(child, { ...base, number: 2 });
    const young = batch(child, { ...base, number: 7 });
    const away = batch(child, { ...base, number: 1, away: true, deadline: '2026-01-01T00:00:00Z' });
    expect(byUrgency([young, away, old, late, soon]).map((one) => one.number)).toEqual([
      6, 5, 2, 7, 1,
    ]);
  });

  test('pinned sessions come first in their group', () => {
    const now = Date.now();
    const [group] = groupSessions(
      [
        session('new', { last_activity_at: new Date(now).toISOString() }),
        session('old', { last_activity_at: new Date(now - 5000).toISOString(), pinned: true }),
      ],
      '',
      now,
    );
    expect(group?.sessions.map((one) => one.id)).toEqual(['old', 'new']);
  });

  test('folders of any platform are named by their last part', () => {
    expect(folderName('/home/ana/code/x')).toBe('x');
    expect(folderName('C:\\new_build\\')).toBe('new_build');
    expect(folderName('/')).toBe('/');
    expect(folderName(null)).toBeNull();
  });
});
