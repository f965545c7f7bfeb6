import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { at, ended } from '../src/host/fake/make';
import { refuse } from '../src/host/fake/hub';
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
  question,
  rawKey,
  requests,
  settle,
} from './window';

const other = () => one('other-input') as HTMLTextAreaElement;

describe('drafts', () => {
  test('are saved within 300 ms of a change, once for a burst of them', async () => {
    const hub = await openDock('single');
    await press('0');
    const before = requests(hub, 'batch.draft').length;
    const started = performance.now();
    await userEvent.keyboard('abc');
    await expect
      .poll(() => requests(hub, 'batch.draft').at(-1), { interval: 10 })
      .toMatchObject({ draft: { answers: { deploy_target: { other: true, text: 'abc' } } } });
    expect(performance.now() - started).toBeLessThan(600);
    expect(requests(hub, 'batch.draft').length - before).toBeLessThanOrEqual(2);
  });

  test('are saved at once when the field is left', async () => {
    const hub = await openDock('single');
    await press('0');
    await userEvent.keyboard('abc');
    other().blur();
    await settle();
    expect(requests(hub, 'batch.draft').at(-1)).toMatchObject({
      draft: { answers: { deploy_target: { text: 'abc' } } },
    });
  });

  test('come back at the same step with everything that was typed', async () => {
    await open('review', { session: 'ship' });
    expect(one('dock').dataset['step']).toBe('3');
    const rows = all('review-row').map((row) => row.textContent.replace(/\s+/g, ' '));
    expect(rows[0]).toContain('Production');
    expect(rows[1]).toContain('Unit, fast · Linter');
    expect(rows[1]).toContain('and a smoke test on the replica');
    expect(rows[2]).toContain('Note: only if the on-call engineer agrees');
  });

  test('survive a switch of sessions', async () => {
    await open('open', { session: 'ship' });
    await dockReady();
    await press('0');
    await press('kept');
    document.querySelector<HTMLElement>('[data-session=queue]')?.click();
    await settle();
    expect(one('dock').dataset['batch']).toBe('0199-41');
    document.querySelector<HTMLElement>('[data-session=ship]')?.click();
    await settle();
    expect(other().value).toBe('kept');
  });

  test('an echo of the own save draws nothing again', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('abc');
    const field = other();
    field.setSelectionRange(1, 2);
    const saved = requests(hub, 'batch.draft').length;
    await expect.poll(() => requests(hub, 'batch.draft').length).toBeGreaterThan(saved - 1);
    await settle();
    expect(other()).toBe(field);
    expect([field.selectionStart, field.selectionEnd]).toEqual([1, 2]);
    expect(document.activeElement).toBe(field);
  });

  test('a save from another window is taken while ours is unchanged', async () => {
    const hub = await openDock('single');
    hub.change('0199-7', (batch) => ({
      ...batch,
      draft_rev: 5,
      draft: {
        step: 0,
        ask_back: null,
        collapsed: false,
        answers: {
          deploy_target: {
            selected: ['production'],
            other: false,
            text: null,
            notes: null,
            blank: false,
          },
        },
      },
    }));
    await settle();
    expect(checked()).toEqual(['production']);
  });

  test('ours is kept and sent again on top when another window saved first', async () => {
    const hub = await openDock('single');
    await press('0');
    await userEvent.keyboard('mine');
    hub.failures.set('batch.draft', [refuse('stale_draft', 'Saved elsewhere.')]);
    const stored = hub.world.batches[0];
    if (stored) stored.draft_rev += 3;
    other().blur();
    await settle();
    expect(other().value).toBe('mine');
    expect(requests(hub, 'batch.draft').at(-1)).toMatchObject({
      draft_rev: stored?.draft_rev ? hub.batch('0199-7').draft_rev - 1 : undefined,
      draft: { answers: { deploy_target: { text: 'mine' } } },
    });
  });

  test('a save that fails is shown, the text stays and is saved later', async () => {
    const hub = await openDock('single');
    hub.failures.set('batch.draft', [refuse('storage_full', 'The disk is full.')]);
    await press('0');
    await press('precious');
    await expect.poll(() => maybe('notice')?.textContent).toContain('The disk is full.');
    expect(other().value).toBe('precious');
    await expect
      .poll(() => hub.batch('0199-7').draft?.answers['deploy_target']?.text, { timeout: 5000 })
      .toBe('precious');
  });
});

describe('visibility', () => {
  test('follows the hub: a branch opens and closes, and hidden steps are not counted', async () => {
    await openDock('branch');
    expect(one('step').textContent.trim()).toBe('1 of 3');
    await press('1');
    expect(one('step').textContent.trim()).toBe('2 of 2');
    await press('{Backspace}');
    await press('3');
    expect(one('step').textContent.trim()).toBe('2 of 3');
  });

  test('answers to hidden questions are not sent', async () => {
    const hub = await openDock('branch');
    await press('3');
    await press('1{Enter}');
    await press('1');
    expect(one('step').textContent.trim()).toBe('Review');
    all('segment')[0]?.click();
    await settle();
    await press('1');
    await press('{Enter}');
    expect(all('review-row')).toHaveLength(2);
    one('submit').click();
    await settle();
    const [sent] = requests(hub, 'batch.answer');
    expect(Object.keys(sent?.['answers'] as object)).toEqual(['deploy_target', 'checks']);
  });
});

describe('submitting', () => {
  test('with something missing goes there, says so inline, and sends nothing', async () => {
    const hub = await openDock('branch');
    await press('3');
    await press('{Enter}{Enter}');
    await press('1');
    expect(one('submit').getAttribute('aria-disabled')).toBe('true');
    expect(one('dock').textContent).toContain('One question needs an answer');
    one('submit').click();
    await settle();
    expect(question()).toBe('checks');
    expect(one('problem').textContent).toContain('Choose an option');
    expect(document.activeElement).toBe(option('unit_fast').querySelector('input'));
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
  });

  test('a review that comes back says what is missing before anything is pressed', async () => {
    const hub = await open('review', {
      session: 'ship',
      prepare: ({ batches }) => {
        const asked = batches.find((batch) => batch.status === 'pending');
        if (asked?.draft) delete asked.draft.answers['checks'];
      },
    });
    await expect.poll(() => one('dock').textContent).toContain('One question needs an answer');
    expect(all('review-row')[1]?.textContent).toContain('Not answered yet');
    // Two windows on one review must not call each other up for ever.
    const saves = requests(hub, 'batch.draft').length;
    hub.change('0199-42', (batch) => ({ ...batch, draft_rev: batch.draft_rev + 1 }));
    await settle();
    expect(requests(hub, 'batch.draft')).toHaveLength(saves);
  });

  test('a row of the review goes back to its question', async () => {
    await open('review', { session: 'ship' });
    await dockReady();
    all('review-row')[1]?.click();
    await settle();
    expect(question()).toBe('checks');
    expect(checked()).toEqual(['unit_fast', 'linter', 'other']);
  });

  test('sends selection, text and note as they are', async () => {
    const hub = await open('review', { session: 'ship' });
    await dockReady();
    await press('{Control>}{Enter}{/Control}');
    expect(requests(hub, 'batch.answer')[0]).toMatchObject({
      id: '0199-42',
      content_hash: 'hash-42',
      answers: {
        deploy_target: { selected: ['production'], text: null, blank: false },
        checks: { selected: ['unit_fast', 'linter'], text: 'and a smoke test on the replica' },
        window: { selected: ['22_00_to_22_30'], notes: 'only if the on-call engineer agrees' },
      },
    });
    expect(all('summary').map((one) => one.dataset['batch'])).toContain('0199-42');
  });

  test('two quick clicks send once', async () => {
    const hub = await openDock('single');
    hub.latency = 30;
    await press('1');
    one('submit').click();
    one('submit').click();
    await expect.poll(() => maybe('dock')).toBeNull();
    expect(requests(hub, 'batch.answer')).toHaveLength(1);
  });

  test('a submit that fails keeps everything and can be repeated with the same answer id', async () => {
    const hub = await openDock('single');
    hub.failures.set('batch.answer', [refuse('unavailable', 'The hub is restarting.')]);
    await press('0');
    await press('typed{Enter}');
    expect(maybe('notice')?.textContent).toContain('The hub is restarting.');
    expect(other().value).toBe('typed');
    await press('{Control>}{Enter}{/Control}');
    const [first, second] = requests(hub, 'batch.answer');
    expect(second?.['answer_id']).toBe(first?.['answer_id']);
    expect(maybe('dock')).toBeNull();
  });

  test('what looks like a key is asked about first', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('ghp_abcdefghijklmnopqrstuvwxyz0123456789{Enter}');
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
    one('credential-send').click();
    await settle();
    expect(requests(hub, 'batch.answer')).toHaveLength(1);
  });

  test('so is one that is asked back, and another one typed after that', async () => {
    const hub = await openDock('single');
    one('ask-back').click();
    await settle();
    const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    await userEvent.fill(one('ask-back-input'), `Is it ${key}?`);
    one('ask-back-send').click();
    await settle();
    expect(requests(hub, 'batch.ask_back')).toHaveLength(0);
    hub.failures.set('batch.ask_back', [refuse('unavailable', 'The hub is restarting.')]);
    one('credential-send').click();
    await settle();
    expect(requests(hub, 'batch.ask_back')).toHaveLength(1);
    await userEvent.fill(one('ask-back-input'), `Or ${key.replace('a', 'b')}?`);
    one('ask-back-send').click();
    await settle();
    expect(requests(hub, 'batch.ask_back')).toHaveLength(1);
    expect(maybe('credential-send')).not.toBeNull();
  });

  test('a secret is never part of a draft', async () => {
    const hub = await openDock('secret');
    await userEvent.click(one('text-input'));
    await press('hunter2');
    one('text-input').blur();
    await press('{Control>}{Enter}{/Control}');
    one('submit').click();
    await settle();
    for (const draft of requests(hub, 'batch.draft')) {
      expect(JSON.stringify(draft)).not.toContain('hunter2');
    }
    expect(requests(hub, 'batch.answer')[0]).toMatchObject({
      answers: { token: { text: 'hunter2' } },
    });
  });
});

describe('choices', () => {
  test('a recommended option is badged and never preselected', async () => {
    await openDock('single');
    expect(option('staging').textContent).toContain('Recommended');
    expect(checked()).toEqual([]);
  });

  test('Other is one of the radios: choosing another keeps its text', async () => {
    await openDock('single');
    await press('0');
    await press('my own{Escape}');
    await press('1');
    expect(checked()).toEqual(['staging']);
    expect(option('other').textContent).toContain('my own');
    await press('0');
    expect(other().value).toBe('my own');
    expect(checked()).toEqual(['other']);
  });

  test('a multiple choice carries ticks and text together', async () => {
    const hub = await openDock('multi');
    await press('13');
    await press('0');
    await press('types too{Enter}');
    expect(requests(hub, 'batch.answer')[0]).toMatchObject({
      answers: { checks: { selected: ['unit_fast', 'end_to_end'], text: 'types too' } },
    });
  });

  test('a preview leaves Other where it is', async () => {
    await openDock('markdown');
    expect(maybe('preview')).not.toBeNull();
    expect(option('other')).toBeTruthy();
  });

  test('the preview says whose it is, and an option without one is not given that of another', async () => {
    await openDock('single');
    expect(one('preview').textContent).toContain('Staging');
    await press('3');
    expect(one('preview').textContent).toContain('Production');
    expect(one('preview').textContent).toContain('No preview.');
    expect(one('preview').textContent).not.toContain('target');
  });

  test('a permission is given by a button that says what is allowed', async () => {
    const hub = await openDock('permission');
    await press('1');
    expect(one('submit').textContent).toContain('Allow once');
    await press('3');
    expect(one('submit').textContent).toContain('Reject');
    one('submit').click();
    await settle();
    expect(requests(hub, 'batch.answer')[0]).toMatchObject({
      answers: { allow: { selected: ['reject'] } },
    });
  });

  test('a long explanation of an option is folded, and unfolding chooses nothing', async () => {
    await openDock('folding');
    const text = () => option('long').querySelector('.description')?.clientHeight ?? 0;
    const folded = text();
    one('unfold', option('long')).click();
    await settle();
    expect(text()).toBeGreaterThan(folded * 1.5);
    expect(maybe('unfold', option('long'))).toBeNull();
    expect(maybe('unfold', option('short'))).toBeNull();
    expect(checked()).toEqual([]);
  });

  test('leaving blank clears the choice, is sent as a blank, and is only offered where allowed', async () => {
    const hub = await openDock('optional');
    await press('1');
    await press('{Backspace}');
    one('leave-blank').click();
    await settle();
    expect(checked()).toEqual([]);
    await press('{Enter}');
    expect(maybe('leave-blank')).toBeNull();
    await press('1{Enter}');
    one('submit').click();
    await settle();
    expect(requests(hub, 'batch.answer')[0]).toMatchObject({
      answers: { window: { blank: true, selected: [] } },
    });
  });

  test('a note alone is no answer', async () => {
    const hub = await openDock('single');
    await press('n');
    await press('just a note{Enter}');
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
    expect(maybe('problem')).not.toBeNull();
  });
});

describe('ending otherwise', () => {
  test('Skip asks once when something was typed', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('typed{Escape}');
    await press('s');
    expect(requests(hub, 'batch.dismiss')).toHaveLength(0);
    one('skip-confirm').click();
    await settle();
    expect(requests(hub, 'batch.dismiss')).toHaveLength(1);
    expect(maybe('leftover')?.textContent).toContain('Copy what you typed');
  });

  test('a secret is not promised to be copyable, nor held after its question ended', async () => {
    const hub = await openDock('secret');
    await userEvent.fill(one('text-input'), 'hunter2');
    await press('{Escape}');
    await press('s');
    expect(requests(hub, 'batch.dismiss')).toHaveLength(0);
    expect(document.querySelector('dialog')?.textContent).toContain('The secret is not kept.');
    one('skip-confirm').click();
    await settle();
    expect(requests(hub, 'batch.dismiss')).toHaveLength(1);
    expect(maybe('summary')).not.toBeNull();
    expect(maybe('leftover')).toBeNull();
  });

  test('asking back sends the message and the answers so far', async () => {
    const hub = await openDock('branch');
    await press('2');
    one('ask-back').click();
    await settle();
    expect(document.activeElement).toBe(one('ask-back-input'));
    await press('Which node do you mean?{Control>}{Enter}{/Control}');
    expect(requests(hub, 'batch.ask_back')[0]).toMatchObject({
      message: 'Which node do you mean?',
      answers: { deploy_target: { selected: ['one_production_node'] } },
    });
    expect(one('summary').textContent).toContain('Asked back');
  });

  test('an ask-back being written comes back after Escape', async () => {
    await openDock('single');
    one('ask-back').click();
    await settle();
    await press('Half');
    await press('{Escape}');
    expect(maybe('ask-back-input')).toBeNull();
    expect(maybe('dock')).not.toBeNull();
    one('ask-back').click();
    await settle();
    expect((one('ask-back-input') as HTMLTextAreaElement).value).toBe('Half');
  });

  test('ended elsewhere: the dock closes with who and where, and the typed text is copyable', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('half a thought');
    hub.change('0199-7', (batch) =>
      ended(batch, {
        answers: {
          deploy_target: {
            selected: [{ id: 'staging', label: 'Staging' }],
            text: null,
            notes: null,
          },
        },
        responder: { kind: 'user', id: 'local', via: 'cli' },
      }),
    );
    await settle();
    expect(maybe('dock')).toBeNull();
    expect(maybe('notice')?.textContent).toContain('you, in the terminal');
    expect(document.activeElement).toBe(one('composer-input'));
    expect(one('leftover').textContent).toContain('What you had typed is kept here.');
    expect(one('summary').textContent).toContain('Staging');
  });

  test('a lost race says who won', async () => {
    const hub = await openDock('single');
    await press('1');
    const winner = ended(hub.batch('0199-7'), {
      responder: { kind: 'user', id: 'local', via: 'notification' },
    });
    hub.failures.set('batch.answer', [
      { code: 'already_ended', message: 'It has ended.', outcome: winner.outcome },
    ]);
    await press('{Enter}');
    expect(maybe('dock')).toBeNull();
    expect(maybe('notice')?.textContent).toContain('you, from the notification');
  });

  test('five resent snapshots leave one dock, and the answer closes it', async () => {
    const hub = await openDock('single');
    for (let n = 0; n < 5; n += 1) hub.resend();
    await settle();
    expect(all('dock')).toHaveLength(1);
    await press('1');
    await press('{Enter}');
    expect(all('dock')).toHaveLength(0);
    hub.resend();
    await settle();
    expect(all('dock')).toHaveLength(0);
    expect(all('summary')).toHaveLength(1);
  });
});

describe('time', () => {
  test('activity is told only where there is a deadline', async () => {
    const hub = await openDock('single');
    await press('123');
    expect(requests(hub, 'batch.activity')).toHaveLength(0);
  });

  test('activity is told at most every five seconds', async () => {
    const hub = await openDock('deadline');
    const now = vi.spyOn(performance, 'now');
    onTestFinished(() => now.mockRestore());
    const start = performance.now() + 10_000;
    for (const [after, told] of [
      [0, 1],
      [4_999, 1],
      [5_000, 2],
      [9_999, 2],
    ] as const) {
      now.mockReturnValue(start + after);
      rawKey(one('dock'), { key: '1' });
      expect(requests(hub, 'batch.activity'), `${after}`).toHaveLength(told);
    }
  });

  test('activity pauses the clock', async () => {
    const hub = await openDock('deadline');
    await press('0');
    await press('some text');
    expect(requests(hub, 'batch.activity')).toHaveLength(1);
    expect(one('countdown').dataset['paused']).toBe('true');
    expect(one('countdown').textContent).toContain('paused');
  });

  test('Extend is offered when little time is left, and adds time', async () => {
    const hub = await openDock('deadline');
    const before = Date.parse(hub.batch('0199-7').deadline ?? '');
    one('extend').click();
    await settle();
    expect(Date.parse(hub.batch('0199-7').deadline ?? '') - before).toBe(300_000);
    expect(maybe('extend')).toBeNull();
  });

  test('the last minute is told at once', async () => {
    await open('deadline', {
      prepare: ({ batches }) => {
        const [batch] = batches;
        if (batch) batch.deadline = at(40);
      },
    });
    await settle();
    expect(one('live-assertive').textContent).toContain('Less than a minute left');
    expect(one('countdown').textContent).toMatch(/0:\d\d/);
  });

  test('an agent that is away is said to be, and its question stays answerable', async () => {
    const hub = await openDock('away');
    expect(one('away-banner').textContent).toContain('kept for it');
    await press('1');
    await press('{Enter}');
    expect(requests(hub, 'batch.answer')).toHaveLength(1);
    await expect
      .poll(() => one('summary').textContent, { timeout: 5000 })
      .toContain('has not collected your answer yet');
    expect(hub.batch('0199-7').away).toBe(false);
  });

  test('an answer that is on its way to the agent is not called uncollected', async () => {
    const hub = await openDock('single');
    hub.change('0199-7', (batch) => ended(batch, {}));
    await settle();
    expect(one('summary').textContent).not.toContain('not collected');
    hub.change('0199-7', (batch) => ({ ...batch, delivered_at: at(0) }));
    await new Promise((done) => setTimeout(done, 2_200));
    expect(one('summary').textContent).not.toContain('not collected');
  });
});

describe('without questions', () => {
  test('a message is accepted or declined by its buttons, never by a stray Enter', async () => {
    const hub = await openDock('confirm');
    one('dock').focus();
    await press('{Enter}');
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
    one('submit').click();
    await settle();
    expect(requests(hub, 'batch.answer')[0]).toMatchObject({ answers: {} });
  });

  test('an address shows its real host and is opened by nothing but its button', async () => {
    const hub = await openDock('url');
    expect(one('url-host').textContent).toBe('xn--80ak6aa92e.com');
    one('dock').focus();
    await press('{Enter}1 o');
    one('url-host').click();
    one('url-whole').click();
    expect(hub.opened).toEqual([]);
    one('open-link').click();
    await settle();
    expect(hub.opened).toEqual(['https://xn--80ak6aa92e.com/login?next=%2Fpublish']);
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
  });
});
