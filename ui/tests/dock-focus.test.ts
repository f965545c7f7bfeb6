import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { batch, ended, question as ask } from '../src/host/fake/make';
import type { Outcome } from '../src/api/types';
import { GUARD_MS } from '../src/features/dock/guard';
import { refuse, type FakeHub } from '../src/host/fake/hub';
import {
  all,
  checked,
  dockReady,
  maybe,
  one,
  open,
  openDock,
  option,
  press,
  rawKey,
  requests,
  settle,
} from './window';

function another(hub: FakeHub, number = 77) {
  const [session] = hub.world.sessions;
  if (!session) throw new Error('the scene has no session');
  return batch(session, {
    number,
    questions: [ask({ id: 'late', header: 'Late', question: 'And this?', options: ['Yes', 'No'] })],
  });
}

const composer = () => one('composer-input') as HTMLTextAreaElement;

describe('the guard', () => {
  test('swallows clicks and keys in the first moment after a batch appears', async () => {
    const hub = await open('idle', { session: 'ship' });
    hub.ask(another(hub));
    await settle();
    expect(one('dock').dataset['ready']).toBe('false');
    rawKey(one('dock'), { key: '1' });
    option('yes').querySelector('input')?.click();
    one('submit').click();
    one('skip').click();
    await settle();
    expect(checked()).toEqual([]);
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
    expect(requests(hub, 'batch.dismiss')).toHaveLength(0);
    await dockReady();
    rawKey(one('dock'), { key: '1' });
    await settle();
    expect(checked()).toEqual(['yes']);
  });

  test('starts anew when another batch takes the place', async () => {
    const hub = await openDock('two');
    await press('11');
    expect(requests(hub, 'batch.answer')).toHaveLength(1);
    expect(one('dock').dataset['batch']).toBe('0199-9');
    expect(one('dock').dataset['ready']).toBe('false');
    await press('1');
    expect(checked()).toEqual([]);
  });
});

describe('a new batch', () => {
  test('takes the place of an idle composer and the focus that nobody uses', async () => {
    const hub = await open('idle', { session: 'ship' });
    (document.activeElement as HTMLElement).blur();
    hub.ask(another(hub));
    await settle();
    expect(document.activeElement).toBe(one('dock'));
  });

  test('leaves a composer alone in which the person types, text and focus', async () => {
    const hub = await open('idle', { session: 'ship' });
    await userEvent.click(composer());
    await userEvent.keyboard('half a sen');
    hub.ask(another(hub));
    await settle();
    expect(document.activeElement).toBe(composer());
    expect(composer().value).toBe('half a sen');
    expect(maybe('dock')).toBeNull();
    expect(one('slim-bar').dataset['batch']).toBe('0199-77');
    await userEvent.keyboard('tence');
    expect(composer().value).toBe('half a sentence');
    await press('{Control>}j{/Control}');
    expect(one('dock').contains(document.activeElement)).toBe(true);
    await press('{Control>}j{/Control}');
    expect(composer().value).toBe('half a sentence');
  });

  test('does not disturb a composition in the batch on show', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('nih');
    const field = one('other-input') as HTMLTextAreaElement;
    field.dispatchEvent(new CompositionEvent('compositionstart'));
    hub.ask(another(hub));
    await settle();
    expect(one('other-input')).toBe(field);
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('nih');
    expect(one('pager').dataset['of']).toBe('2');
  });

  test('leaves the focus in the find box', async () => {
    const hub = await open('idle', { session: 'ship' });
    const find = document.querySelector<HTMLInputElement>('input[type=search]');
    find?.focus();
    hub.ask(another(hub));
    await settle();
    expect(maybe('dock')).not.toBeNull();
    expect(document.activeElement).toBe(find);
  });

  test('is told to screen readers politely, with agent and question', async () => {
    const hub = await open('idle', { session: 'ship' });
    hub.ask(another(hub));
    await settle();
    expect(one('live-polite').textContent).toBe('Claude Code asks: And this?');
  });

  test('is measured once it is painted', async () => {
    const hub = await open('idle', { session: 'ship' });
    hub.ask(another(hub));
    await expect.poll(() => hub.paints).toEqual(['0199-77']);
  });
});

describe('a batch taken away from under the hands', () => {
  const GONE = { status: 'cancelled', responder: { kind: 'system', id: 'agent', via: 'mcp' } };
  const takeAway = (hub: FakeHub, id: string) =>
    hub.change(id, (batch) => ended(batch, GONE as Partial<Outcome>));
  const past = () => new Promise((done) => setTimeout(done, GUARD_MS + 50));

  test('leaves what is typed on to the composer, whatever else waits', async () => {
    const hub = await openDock('two');
    const first = one('dock').dataset['batch'] ?? '';
    await press('0');
    await press('half a ');
    takeAway(hub, first);
    await settle();
    await past();
    await press('sentence 1');
    expect(composer().value).toBe('sentence 1');
    expect(maybe('dock')).toBeNull();
    expect(requests(hub, 'batch.dismiss')).toEqual([]);
    expect(requests(hub, 'batch.answer')).toEqual([]);
    expect(one('slim-bar').dataset['batch']).toBe('0199-9');
  });

  test('nor does one that comes in the same moment take the keys', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('half a ');
    takeAway(hub, one('dock').dataset['batch'] ?? '');
    hub.ask(another(hub));
    await settle();
    await past();
    await press('sentence');
    expect(composer().value).toBe('sentence');
    expect(requests(hub, 'batch.dismiss')).toEqual([]);
    expect(maybe('dock')).toBeNull();
  });

  test('gives the focus to the composer when only our own act learns of it', async () => {
    const hub = await openDock('single');
    const id = one('dock').dataset['batch'] ?? '';
    const winner = ended(hub.batch(id), GONE as Partial<Outcome>).outcome;
    const late = { ...refuse('already_ended', 'It had ended.'), outcome: winner };
    hub.failures.set('batch.answer', [late]);
    await press('1');
    one('submit').click();
    await settle();
    expect(maybe('dock')).toBeNull();
    expect(document.activeElement).toBe(composer());
  });
});

test('the first ask opens its session where nothing else waits', async () => {
  const hub = await open('idle');
  document.querySelector<HTMLElement>('[data-testid=inbox-row]')?.click();
  await settle();
  hub.ask(another(hub));
  await settle();
  expect(one('dock').dataset['batch']).toBe('0199-77');
});

describe('summoning', () => {
  test('opens the session of the batch and focuses its first control', async () => {
    const hub = await open('inbox');
    hub.show({ batch: '0199-41' });
    await settle();
    expect(one('session').dataset['session']).toBe('queue');
    expect(document.activeElement).toBe(option('bullmq').querySelector('input'));
  });

  test('a card of the inbox opens its session', async () => {
    await open('inbox');
    await press('j');
    await press('j');
    expect((document.activeElement as HTMLElement).dataset['batch']).toBe('0199-41');
    await press('k');
    expect((document.activeElement as HTMLElement).dataset['batch']).toBe('0199-42');
    await press('{Enter}');
    expect(one('dock').dataset['batch']).toBe('0199-42');
  });

  test('the inbox orders by urgency and keeps away agents apart', async () => {
    await open('inbox');
    expect(all('inbox-card').map((card) => card.dataset['batch'])).toEqual([
      '0199-42',
      '0199-41',
      '0199-43',
    ]);
    expect(one('inbox-count').textContent.trim()).toBe('2');
  });
});

describe('collapsing', () => {
  test('gives the composer back and says what waits; the bar opens the dock again', async () => {
    const hub = await openDock('single');
    one('collapse').click();
    await settle();
    expect(maybe('dock')).toBeNull();
    expect(one('slim-bar').textContent).toContain('Where should revision 42 go first?');
    expect(document.activeElement).toBe(composer());
    await expect
      .poll(() => requests(hub, 'batch.draft').at(-1))
      .toMatchObject({
        draft: { collapsed: true },
      });
    one('slim-bar').click();
    await settle();
    expect(one('dock').contains(document.activeElement)).toBe(true);
  });

  test('Ctrl+Down and the pager go to the next waiting batch', async () => {
    await openDock('two');
    expect(one('dock').dataset['batch']).toBe('0199-8');
    await press('{Control>}{ArrowDown}{/Control}');
    expect(one('dock').dataset['batch']).toBe('0199-9');
    one('pager-next').click();
    await settle();
    await dockReady();
    one('pager-next').click();
    await settle();
    expect(one('dock').dataset['batch']).toBe('0199-8');
  });
});

test('after the answer the focus is in the composer', async () => {
  await openDock('single');
  await press('1');
  await press('{Enter}');
  expect(document.activeElement).toBe(composer());
});

test('a request that comes before anything is known is kept until it can be shown', async () => {
  const hub = await open('inbox', {
    then: (early) => early.show({ batch: '0199-41' }),
  });
  await settle();
  expect(one('session').dataset['session']).toBe('queue');
  expect(hub.calls.map((call) => call.name)).toContain('session.get');
});

test('the edge changes the height of the dock, never above 60 % of the window', async () => {
  await openDock('long');
  const edge = one('dock-edge');
  edge.focus();
  const before = one('dock').offsetHeight;
  await press('{ArrowDown}{ArrowDown}');
  expect(one('dock').offsetHeight).toBe(before - 48);
  await press('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(one('dock').offsetHeight).toBeLessThanOrEqual(480);
});

test('a correction goes to the agent as a message', async () => {
  const hub = await open('history');
  document.querySelector<HTMLElement>('.summary .line')?.click();
  await settle();
  one('correct').click();
  await settle();
  expect(document.activeElement).toBe(composer());
  await press('without types{Enter}');
  expect(requests(hub, 'message.post')[0]).toMatchObject({
    text: expect.stringMatching(/^Correction to #\d+: without types$/),
  });
});
