import { userEvent } from 'vitest/browser';
import { describe, expect, test } from 'vitest';
import { decisionOf } from '../src/features/dock/decision';
import { option as made } from '../src/host/fake/make';
import { refuse } from '../src/host/fake/hub';
import {
  all,
  checked,
  maybe,
  one,
  open,
  openDock,
  option,
  press,
  requests,
  settle,
} from './window';

const sent = (hub: Awaited<ReturnType<typeof open>>) => requests(hub, 'batch.answer');

describe('a permission', () => {
  test('shows tool, command in a block, folder, program and risk', async () => {
    await openDock('permission-run');
    const dock = one('dock');
    expect(dock.textContent).toContain('execute');
    expect(dock.querySelector('pre')?.textContent).toContain('rm -rf build/cache');
    const facts = one('facts').textContent;
    expect(facts).toContain('/home/ana/code/payments-api');
    expect(facts).toContain('claude · 4127');
    expect(facts).toContain('High');
  });

  test('a change is shown as a diff', async () => {
    await openDock('permission-edit');
    const added = [...document.querySelectorAll('.code-added')].map((one) => one.textContent);
    expect(added.join('')).toContain('most: 128');
    expect(document.querySelector('.code-removed')?.textContent).toContain('most: 64');
  });

  test('a long call says that there is more, and shows all of it', async () => {
    await openDock('permission-edit', {
      prepare: ({ batches: [batch] }) => {
        const question = batch?.questions[0];
        const lines = `echo harmless\n`.repeat(30);
        if (question) question.description = `\`\`\`bash\n${lines}rm -rf ~\n\`\`\``;
      },
    });
    const pre = one('dock').querySelector('pre')!;
    const call = pre.closest('.call')!;
    await expect.poll(() => maybe('unfold-call')).not.toBeNull();
    expect(call.clientHeight).toBeLessThan(pre.scrollHeight);
    await userEvent.click(one('unfold-call'));
    await settle();
    expect(call.clientHeight).toBeGreaterThanOrEqual(pre.scrollHeight);
    expect(maybe('unfold-call')).toBeNull();
  });

  test('no two decisions look alike: words, sign, row and button', async () => {
    await openDock('permission-run');
    const marks = all('decision');
    expect(marks.map((mark) => mark.textContent.trim())).toEqual([
      'This time',
      'From now on',
      'Not this time',
      'Never again',
    ]);
    const signs = marks.map((mark) => mark.querySelector('svg')?.innerHTML);
    expect(new Set(signs).size).toBe(4);
    const looks = [];
    for (const key of ['1', '2', '3']) {
      await press(key);
      const row = getComputedStyle(all('option')[Number(key) - 1]!);
      const button = getComputedStyle(one('submit'));
      looks.push(`${row.backgroundColor} ${button.backgroundColor} ${button.color}`);
    }
    expect(new Set(looks).size).toBe(3);
  });

  test('the mark says what is sent, whatever the label says', async () => {
    await openDock('permission-run', {
      prepare: ({ batches: [batch] }) => {
        const question = batch?.questions[0];
        if (!question) return;
        question.options = [
          made({ label: 'Allow once', value: 'allow_always' }),
          made({ label: 'Go on' }),
        ];
      },
    });
    expect(option('allow_once').textContent).toContain('From now on');
    expect(option('go_on').querySelector('[data-testid=decision]')).toBeNull();
  });

  test('what "always" adds is what the agent says, or that it says nothing', async () => {
    await openDock('permission-edit');
    expect(option('b').textContent).toContain('Edit(src/**)');
    await openDock('permission-run');
    const input = option('o2').querySelector('input');
    const said = document.getElementById(input?.getAttribute('aria-describedby') ?? '');
    expect(said?.textContent).toContain('The agent did not say for what else.');
  });

  test('is decided by keys alone; nothing is chosen before', async () => {
    const hub = await openDock('permission-run');
    expect(checked()).toEqual([]);
    await press('{Enter}');
    expect(sent(hub)).toHaveLength(0);
    await press('3');
    expect(one('submit').textContent).toContain('No');
    await press('{Enter}');
    expect(sent(hub)[0]).toMatchObject({ answers: { decision: { selected: ['o3'] } } });
  });

  test('decisions are known by value, then by id', () => {
    const by = (id: string, value?: unknown) => decisionOf(made({ id, label: 'x', value }));
    expect(by('o1', 'allow_once')).toBe('once');
    expect(by('allow', 'allow_always')).toBe('always');
    expect(by('deny')).toBe('reject');
    expect(by('accept', { action: 'x' })).toBe('once');
    expect(by('constructor')).toBeNull();
    expect(by('o1', 'toString')).toBeNull();
  });
});

describe('a message', () => {
  test('is accepted or declined by buttons that say so', async () => {
    const hub = await openDock('confirm');
    expect(one('submit').textContent).toContain('Accept');
    expect(one('skip').textContent).toContain('Decline');
    expect(one('dock-question').getAttribute('role')).toBe('group');
    await press('{Enter}1y ');
    expect(sent(hub)).toHaveLength(0);
    await userEvent.click(one('skip'));
    await settle();
    expect(requests(hub, 'batch.dismiss')).toHaveLength(1);
  });
});

describe('an address', () => {
  test('its real host is the largest text and the whole address is there', async () => {
    await openDock('url-plain');
    expect(one('url-host').textContent).toBe('login.evil.example:8080');
    expect(one('url-whole').textContent).toBe(
      'http://bank.example@login.evil.example:8080/device?code=WDJB-MJHT',
    );
    const size = (element: Element) => parseFloat(getComputedStyle(element).fontSize);
    const largest = Math.max(...[...one('dock').querySelectorAll('*')].map(size));
    expect(size(one('url-host'))).toBe(largest);
    expect(one('dock').textContent).toContain('not encrypted');
    expect(one('dock').textContent).toContain('before the @');
  });

  test('after it was opened, Done is what comes next', async () => {
    const hub = await openDock('url');
    expect(one('submit').className).toContain('plain');
    await userEvent.click(one('open-link'));
    await settle();
    expect(hub.opened).toHaveLength(1);
    expect(one('submit').className).toContain('main');
    await userEvent.click(one('submit'));
    await settle();
    expect(sent(hub)).toHaveLength(1);
  });

  test('one that can not be opened says so and can only be declined', async () => {
    const hub = await openDock('url-refused');
    expect(maybe('open-link')).toBeNull();
    expect(maybe('submit')).toBeNull();
    await press('{Control>}{Enter}{/Control}');
    expect(sent(hub)).toHaveLength(0);
    expect(one('dock').textContent).toContain('file:///etc/passwd');
    await userEvent.click(one('skip'));
    await settle();
    expect(requests(hub, 'batch.dismiss')).toHaveLength(1);
  });

  test('a browser that does not start leaves it unopened', async () => {
    const hub = await openDock('url');
    hub.openExternal = () => Promise.reject(refuse('internal', 'No browser.'));
    await userEvent.click(one('open-link'));
    await settle();
    expect(one('submit').className).toContain('plain');
    expect(document.body.textContent).toContain('No browser.');
  });
});

describe('hostile text', () => {
  // What hides or reorders, wherever the agent may have put it.
  const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b\u00ad\u3164\u001b]|[\u{e0000}-\u{e007f}]/u;

  test('is shown with its marks in every part of the dock', async () => {
    await openDock('hostile');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node as Element;
      for (const name of ['aria-label', 'title', 'placeholder']) {
        expect(element.getAttribute(name) ?? '', element.outerHTML).not.toMatch(HIDDEN);
      }
    }
    expect(one('dock').textContent).not.toMatch(HIDDEN);
    expect(one('dock-strip').textContent).toContain('Claude⟨U+202E⟩');
    expect(one('preview').textContent).toContain('⟨U+2066⟩');
    expect(one('context').textContent).toContain('⟨U+E0068⟩');
    expect(one('context').textContent).toContain('␛[31m');
  });
});
