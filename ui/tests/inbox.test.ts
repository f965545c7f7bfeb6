/** Triage in the inbox: choosing by digit, sending, and clearing what nobody waits for. */
import { describe, expect, test } from 'vitest';
import { GUARD_MS } from '../src/features/dock/guard';
import type { FakeHub } from '../src/host/fake/hub';
import { at, batch, ended, question } from '../src/host/fake/make';
import { all, maybe, one, open, press, rawKey, requests, settle } from './window';

const LIBRARY = '0199-41';
const DEPLOY = '0199-42';

function focused(): string | undefined {
  return (document.activeElement as HTMLElement | null)?.dataset['batch'];
}

function marked(): (string | undefined)[] {
  const card = all('inbox-card').find((one) => one.dataset['batch'] === focused());
  return [...(card?.querySelectorAll('.chip.on') ?? [])].map((chip) => chip.textContent.trim());
}

/** The card of the one question with one choice has the focus. */
async function openOnLibrary(): Promise<FakeHub> {
  const hub = await open('inbox');
  await press('jj');
  expect(focused()).toBe(LIBRARY);
  return hub;
}

describe('digits', () => {
  test('the first press only chooses, the second of the same digit sends', async () => {
    const hub = await openOnLibrary();
    await press('2');
    expect(marked()).toEqual(['2 pg-boss']);
    expect(one('again').textContent).toBe('2 again or ⏎ sends it');
    expect(requests(hub, 'batch.answer')).toEqual([]);
    await press('2');
    await expect.poll(() => requests(hub, 'batch.answer').length).toBe(1);
    expect(hub.batch(LIBRARY).outcome?.answers['library']?.selected[0]?.id).toBe('pg_boss');
    expect(hub.batch(LIBRARY).outcome?.responder.via).toBe('inbox');
  });

  test('a card that was left and come back to starts anew', async () => {
    const hub = await openOnLibrary();
    await press('2');
    await press('kj');
    await press('2');
    expect(requests(hub, 'batch.answer')).toEqual([]);
    expect(one('again').textContent).toBe('2 again or ⏎ sends it');
  });

  test('what was meant for a card that went does not land on the next', async () => {
    const hub = await open('inbox', {
      prepare: (world) => {
        const queue = world.sessions.find((one) => one.id === 'queue');
        if (!queue) throw new Error('no session');
        const asks = question({ question: 'Which broker?', options: ['NATS', 'Redis'] });
        world.batches.push(batch(queue, { number: 50, questions: [asks], deadline: at(9000) }));
      },
    });
    await press('jj');
    expect(focused()).toBe('0199-50');
    hub.change('0199-50', (batch) => ended(batch, { status: 'expired' }));
    await expect.poll(focused).toBe(LIBRARY);
    rawKey(document.activeElement as Element, { key: '1' });
    rawKey(document.activeElement as Element, { key: '1' });
    rawKey(document.activeElement as Element, { key: 'Enter' });
    await settle();
    expect(requests(hub, 'batch.answer')).toEqual([]);
    expect(marked()).toEqual([]);
  });

  test('only choose what the card shows, and only where it shows everything', async () => {
    const options = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
    const hub = await open('inbox', {
      prepare: (world) => {
        const [first, second] = world.sessions;
        if (!first || !second) throw new Error('no sessions');
        const asks = () => [question({ question: 'Which?', options })];
        world.batches = [
          batch(first, { number: 50, questions: asks() }),
          batch(second, { number: 51, questions: asks(), risk: 'high' }),
          batch(second, { number: 52, questions: asks(), context: 'Read this first.' }),
        ];
      },
    });
    await press('j');
    expect(all('inbox-card')).toHaveLength(3);
    await press('66');
    for (const digits of ['11', '11']) {
      await press('j');
      await press(digits);
    }
    expect(requests(hub, 'batch.answer')).toEqual([]);
  });

  test('another digit chooses otherwise and sends nothing', async () => {
    const hub = await openOnLibrary();
    await press('2');
    await press('3');
    expect(marked()).toEqual(['3 Write our own']);
    expect(requests(hub, 'batch.answer')).toEqual([]);
  });

  test('Enter sends what was just chosen here', async () => {
    const hub = await openOnLibrary();
    await press('1');
    await press('{Enter}');
    await expect.poll(() => hub.batch(LIBRARY).status).toBe('answered');
    expect(maybe('inbox')).not.toBeNull();
  });

  test('Enter opens a card on which nothing was chosen just now', async () => {
    const hub = await openOnLibrary();
    await press('2');
    await press('k');
    await press('j');
    await press('{Enter}');
    expect(one('session').dataset['session']).toBe('queue');
    expect(requests(hub, 'batch.answer')).toEqual([]);
  });

  test('Escape takes the choice back', async () => {
    const hub = await openOnLibrary();
    await press('2');
    await press('{Escape}');
    expect(marked()).toEqual([]);
    await press('2');
    expect(requests(hub, 'batch.answer')).toEqual([]);
  });

  test('a key held down is one press', async () => {
    const hub = await openOnLibrary();
    await press('2');
    rawKey(document.activeElement as Element, { key: '2', repeat: true });
    await settle();
    expect(requests(hub, 'batch.answer')).toEqual([]);
  });

  test('several questions are not decided from here', async () => {
    const hub = await open('inbox');
    await press('j');
    expect(focused()).toBe(DEPLOY);
    await press('33');
    expect(maybe('again')).toBeNull();
    expect(requests(hub, 'batch.answer')).toEqual([]);
  });

  test('the next card takes the focus, and a third press only chooses there', async () => {
    const hub = await open('inbox', {
      prepare: (world) => {
        const queue = world.sessions.find((one) => one.id === 'queue');
        if (!queue) throw new Error('no session');
        const asks = question({ question: 'Which broker?', options: ['NATS', 'Redis'] });
        world.batches.push(batch(queue, { number: 50, questions: [asks], deadline: at(9000) }));
      },
    });
    await press('jj');
    expect(focused()).toBe('0199-50');
    await press('2');
    await press('2');
    await expect.poll(focused).toBe(LIBRARY);
    await press('2');
    expect(marked()).toEqual([]);
    await new Promise((done) => setTimeout(done, GUARD_MS));
    await press('2');
    expect(hub.batch(LIBRARY).status).toBe('pending');
    expect(marked()).toEqual(['2 pg-boss']);
  });
});

test('a batch that was collapsed is opened in full', async () => {
  await open('slim');
  await press('j{Enter}');
  expect(one('dock').dataset['batch']).toBe(DEPLOY);
});

describe('what waits for agents that are away', () => {
  test('is skipped all at once, after asking', async () => {
    const hub = await open('inbox');
    one('clear-away').click();
    await settle();
    expect(requests(hub, 'batch.dismiss')).toEqual([]);
    one('clear-confirm').click();
    await expect.poll(() => hub.batch('0199-43').status).toBe('dismissed');
    expect(hub.batch(LIBRARY).status).toBe('pending');
    expect(maybe('clear-away')).toBeNull();
  });

  test('stays when the person thinks better of it', async () => {
    const hub = await open('inbox');
    one('clear-away').click();
    await settle();
    await press('{Escape}');
    expect(maybe('clear-confirm')).toBeNull();
    expect(hub.batch('0199-43').status).toBe('pending');
  });
});
