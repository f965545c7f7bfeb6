import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { batch, message, question } from '../src/host/fake/make';
import { refuse } from '../src/host/fake/hub';
import { all, maybe, one, open, openDock, press, requests, settle } from './window';

const composer = () => one('composer-input') as HTMLTextAreaElement;
const atEnd = () => {
  const { scrollTop, scrollHeight, clientHeight } = one('timeline');
  return Math.abs(scrollHeight - clientHeight - scrollTop) < 3;
};

describe('the timeline', () => {
  test('summarises each end: what, who, where', async () => {
    await open('history');
    const texts = all('summary').map((one) => one.textContent.replace(/\s+/g, ' '));
    expect(texts[0]).toMatch(
      /Which checks gate the release\? → Linter · and types · you, in the dock/,
    );
    expect(texts[1]).toContain('Withdrawn');
    expect(texts[1]).toContain('What you had typed is kept here.');
    expect(texts[2]).toContain('Time ran out');
    expect(texts[3]).toContain('Asked back “Which linter do you mean?”');
    expect(texts[4]).toContain('key ci, in the terminal');
    expect(texts[4]).toContain('Your answer was never collected by the agent.');
    expect(texts[5]).toContain('Skipped');
  });

  test('a summary opens to the whole batch', async () => {
    await open('history');
    const [first] = all('summary');
    first?.querySelector<HTMLElement>('button')?.click();
    await settle();
    const text = first?.textContent.replace(/\s+/g, ' ');
    expect(text).toContain('Unit, fast');
    expect(text).toContain('End to end');
    expect(text).toContain('Note: soon');
  });

  test('says that a message waits for the agent', async () => {
    await open('history');
    expect(one('timeline').textContent).toContain('Delivered when the agent next asks');
  });

  test('draws few of ten thousand messages, from the end', async () => {
    await open('thousands');
    await expect.poll(() => one('timeline').textContent).toContain('Message 10000.');
    await expect.poll(atEnd).toBe(true);
    expect(all('message').length).toBeLessThan(80);
  });

  test('stays at the end when a message comes, and does not move whoever reads above', async () => {
    const hub = await open('thousands');
    await expect.poll(atEnd).toBe(true);
    const [session] = hub.world.sessions;
    if (!session) throw new Error('no session');
    hub.say(message(session, { text: 'One more at the end' }));
    await expect.poll(() => one('timeline').textContent).toContain('One more at the end');
    await expect.poll(atEnd).toBe(true);

    one('timeline').scrollTop -= 3000;
    await expect.poll(() => maybe('new-below')?.textContent.trim()).toBe('Go to the end');
    const before = one('timeline').scrollTop;
    hub.say(message(session, { text: 'Unseen' }));
    await expect.poll(() => maybe('new-below')?.textContent.trim()).toBe('1 new');
    expect(Math.abs(one('timeline').scrollTop - before)).toBeLessThan(2);
    one('new-below').click();
    await expect.poll(() => one('timeline').textContent).toContain('Unseen');
    expect(maybe('new-below')).toBeNull();
  });

  test('that can not be loaded says so and can be tried again', async () => {
    const hub = await open('idle');
    hub.failures.set('session.get', [refuse('unavailable', 'The hub is restarting.')]);
    document.querySelector<HTMLElement>('[data-session=queue]')?.click();
    await settle();
    expect(document.querySelector('[role=alert]')?.textContent).toContain('The hub is restarting.');
    document.querySelector<HTMLElement>('[role=alert] button')?.click();
    await settle();
    expect(maybe('timeline')).not.toBeNull();
  });

  test('a link of an agent opens only after the dialog', async () => {
    const hub = await open('history');
    document.querySelector<HTMLElement>('[data-testid=message] a')?.click();
    await settle();
    expect(hub.opened).toEqual([]);
    expect(one('link-host').textContent).toBe('example.com');
    await press('{Escape}');
    expect(hub.opened).toEqual([]);
    document.querySelector<HTMLElement>('[data-testid=message] a')?.click();
    await settle();
    one('link-open').click();
    await settle();
    expect(hub.opened).toEqual(['https://example.com/path']);
  });
});

describe('the composer', () => {
  test('Enter sends and empties it; Shift+Enter breaks the line', async () => {
    const hub = await open('history');
    await userEvent.click(composer());
    await press('a{Shift>}{Enter}{/Shift}b{Enter}');
    expect(requests(hub, 'message.post')[0]).toMatchObject({ session: 'one', text: 'a\nb' });
    expect(composer().value).toBe('');
  });

  test('the other way round when the setting says so', async () => {
    const hub = await open('history', { prepare: (world) => (world.settings.enter_sends = false) });
    await userEvent.click(composer());
    await press('a{Enter}b');
    expect(requests(hub, 'message.post')).toHaveLength(0);
    await press('{Shift>}{Enter}{/Shift}');
    expect(requests(hub, 'message.post')[0]).toMatchObject({ text: 'a\nb' });
  });

  test('keeps its text per session, over a switch, and saves it', async () => {
    const hub = await open('idle', { session: 'ship' });
    await userEvent.click(composer());
    await press('for ship');
    document.querySelector<HTMLElement>('[data-session=queue]')?.click();
    await settle();
    expect(composer().value).toBe('');
    expect(requests(hub, 'session.update').at(-1)).toMatchObject({
      id: 'ship',
      composer: 'for ship',
    });
    document.querySelector<HTMLElement>('[data-session=ship]')?.click();
    await settle();
    expect(composer().value).toBe('for ship');
  });

  test('news from before a save never takes back what was typed', async () => {
    const hub = await open('idle', { session: 'ship' });
    const before = structuredClone(hub.world.sessions.find(({ id }) => id === 'ship'))!;
    hub.latency = 100;
    await userEvent.click(composer());
    await press('for ship');
    composer().blur();
    hub.emit({ type: 'session', data: { ...before, pending: 1 } });
    await settle();
    expect(composer().value).toBe('for ship');
    const saved = () => hub.world.sessions.find(({ id }) => id === 'ship')?.composer;
    await expect.poll(saved).toBe('for ship');
    hub.emit({ type: 'session', data: { ...before, composer: 'from another window' } });
    await settle();
    expect(composer().value).toBe('from another window');
  });

  test('a post that fails keeps the text, and the repetition has the same key', async () => {
    const hub = await open('history');
    hub.failures.set('message.post', [refuse('unavailable', 'Not now.')]);
    await userEvent.click(composer());
    await press('dear agent{Enter}');
    expect(composer().value).toBe('dear agent');
    expect(one('notice').textContent).toContain('Not now.');
    await press('{Enter}');
    const [first, second] = requests(hub, 'message.post');
    expect(second?.['key']).toBe(first?.['key']);
    expect(composer().value).toBe('');
  });

  test('grows with its text', async () => {
    await open('history');
    const before = composer().clientHeight;
    await userEvent.click(composer());
    await press('a{Shift>}{Enter}{Enter}{Enter}{/Shift}b');
    expect(composer().clientHeight).toBeGreaterThan(before + 30);
  });
});

describe('the sidebar', () => {
  test('groups sessions and counts what waits', async () => {
    await open('inbox');
    const titles = [...document.querySelectorAll('nav h2')].map((one) => one.textContent);
    expect(titles).toEqual(['Waiting', 'Agent away', 'Active', 'Earlier']);
    expect(all('session-count').map((one) => one.textContent.trim())).toEqual([
      '1 1 waiting',
      '1 1 waiting',
      '1 1 waiting, the agent is away',
    ]);
  });

  test('finds sessions by title, agent, folder and branch', async () => {
    await open('inbox');
    await press('{Control>}k{/Control}');
    for (const [find, expected] of [
      ['minutes', ['minutes']],
      ['OPENCODE', ['queue']],
      ['fix/login', ['login']],
      ['nothing', []],
    ] as const) {
      await userEvent.fill(document.activeElement as HTMLElement, find);
      await settle();
      expect(all('sidebar-session').map((one) => one.dataset['session'])).toEqual(expected);
    }
  });

  test('a new name that is being typed outlives an ask', async () => {
    const hub = await open('idle');
    const [session] = hub.world.sessions;
    if (!session) throw new Error('the scene has no session');
    const row = document.querySelector(`[data-testid=sidebar-session][data-session=${session.id}]`);
    row?.parentElement?.querySelector<HTMLElement>('[aria-haspopup]')?.click();
    await settle();
    row?.parentElement?.querySelectorAll<HTMLElement>('[role=menuitem]')[1]?.click();
    await settle();
    const name = document.querySelector<HTMLInputElement>('dialog input');
    await userEvent.fill(name as HTMLElement, 'A better name');
    hub.ask(batch(session, { number: 77, questions: [question({ question: 'Now?' })] }));
    await settle();
    expect(document.querySelector<HTMLInputElement>('dialog input')).toBe(name);
    expect(name?.value).toBe('A better name');
  });

  test('deleting a session asks first', async () => {
    const hub = await open('idle');
    const row = document.querySelector('[data-session=rename]')?.parentElement;
    row?.querySelector<HTMLElement>('[aria-haspopup]')?.click();
    await settle();
    [...(row?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])].at(-1)?.click();
    await settle();
    expect(requests(hub, 'session.delete')).toHaveLength(0);
    document.querySelector<HTMLElement>('dialog .danger')?.click();
    await settle();
    expect(document.querySelector('[data-session=rename]')).toBeNull();
  });
});

test('nothing moves by itself: a page that waits sets no timer', async () => {
  await openDock('away');
  await settle();
  const set = window.setTimeout;
  let timers = 0;
  window.setTimeout = ((...args: Parameters<typeof set>) => {
    timers += 1;
    return set(...args);
  }) as typeof set;
  await new Promise((done) => set(done, 1500));
  window.setTimeout = set;
  expect(timers).toBe(0);
  expect(document.getAnimations().filter((one) => one.playState === 'running')).toEqual([]);
});
