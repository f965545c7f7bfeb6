import { cdp, userEvent } from 'vitest/browser';
import { afterEach, describe, expect, test } from 'vitest';
import { momentsOf } from '../src/features/dock/fields/moment';
import type { FakeHub } from '../src/host/fake/hub';
import {
  all,
  checked,
  maybe,
  one,
  openDock,
  option,
  press,
  question,
  rawKey,
  requests,
  settle,
} from './window';

const field = () => one('text-input') as HTMLInputElement;
const sent = (hub: FakeHub) => requests(hub, 'batch.answer').at(-1)?.['answers'];
const problem = () => maybe('problem')?.textContent ?? null;

async function type(keys: string): Promise<void> {
  field().focus();
  await press(keys);
}

/** The texts by which the field is described, joined. */
function described(element: Element = field()): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

/** Real composition, as an input method makes it. */
async function compose(text: string): Promise<void> {
  await cdp().send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
  await settle();
}

async function inZone<T>(zone: string, check: () => T | Promise<T>): Promise<T> {
  await cdp().send('Emulation.setTimezoneOverride', { timezoneId: zone });
  try {
    return await check();
  } finally {
    await cdp().send('Emulation.setTimezoneOverride', { timezoneId: '' });
  }
}

describe('a number', () => {
  test('no letter is dropped: it stays, and is named as the problem', async () => {
    const hub = await openDock('integer');
    await type('80a{Enter}');
    expect(field().value).toBe('80a');
    expect(problem()).toBe('Type a whole number, such as 42.');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(described()).toContain('Type a whole number');
    expect(document.activeElement).toBe(field());
    expect(sent(hub)).toBeUndefined();
    await press('{Backspace}80{Enter}');
    expect(sent(hub)).toMatchObject({ port: { text: '8080', selected: [] } });
  });

  test('the bounds are said before and after', async () => {
    await openDock('integer');
    expect(described()).toContain('Whole number · from 1024 to 65535 · Required');
    await type('80{Enter}');
    expect(problem()).toBe('The smallest is 1024.');
    await press('{Control>}a{/Control}70000{Enter}');
    expect(problem()).toBe('The largest is 65535.');
  });

  test('a decimal comma is understood where the language has it, and sent as a point', async () => {
    const hub = await openDock('decimal', { language: 'de' });
    await type('1,5');
    expect(field().value).toBe('1,5');
    expect(one('reading').textContent).toContain('1.5');
    expect(described()).toContain('1.5');
    await press('{Enter}');
    expect(sent(hub)).toMatchObject({ rate: { text: '1.5' } });
  });

  test.each([
    ['en', ['1234', '1.234']],
    ['de', ['1.234', '1234']],
  ])('one that can be read twice is asked about (%s)', async (language, candidates) => {
    const hub = await openDock('decimal', { language, prepare: unbounded });
    await type('1,234{Enter}');
    expect(sent(hub)).toBeUndefined();
    expect(field().value).toBe('1,234');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(all('meant').map((one) => one.dataset['value'])).toEqual(candidates);
    await userEvent.click(all('meant')[0]!);
    await settle();
    expect(document.activeElement).toBe(field());
    await press('{Enter}');
    expect(sent(hub)).toMatchObject({ rate: { text: candidates[0] } });
  });

  test('a lone point that may part thousands is never taken for a decimal one', async () => {
    const hub = await openDock('decimal', { language: 'de', prepare: unbounded });
    await type('1.234{Control>}{Enter}{/Control}');
    expect(sent(hub)).toBeUndefined();
    expect(all('meant')).toHaveLength(2);
    for (const draft of requests(hub, 'batch.draft')) {
      expect(JSON.stringify(draft)).not.toContain('1.234');
    }
    expect(field().value).toBe('1.234');
  });

  test('a comma asks in English, where it parts thousands', async () => {
    const hub = await openDock('decimal');
    await type('1,5{Enter}');
    expect(sent(hub)).toBeUndefined();
    await userEvent.click(one('meant'));
    await settle();
    expect(field().value).toBe('1.5');
    await press('{Enter}');
    expect(sent(hub)).toMatchObject({ rate: { text: '1.5' } });
  });

  test('a saved number comes back as the language writes it', async () => {
    await openDock('decimal', {
      language: 'de',
      prepare: (world) => {
        const batch = world.batches[0]!;
        batch.draft_rev = 1;
        batch.draft = {
          step: 0,
          ask_back: null,
          collapsed: false,
          answers: {
            rate: { selected: [], other: true, text: '1.234', notes: null, blank: false },
          },
        };
      },
    });
    expect(field().value).toBe('1,234');
    expect(one('reading').textContent).toContain('1.234');
    expect(all('meant')).toHaveLength(0);
  });

  test('arrows and buttons step a whole number within its bounds', async () => {
    await openDock('integer');
    expect(field().getAttribute('role')).toBe('spinbutton');
    await type('{ArrowUp}');
    expect(field().value).toBe('1024');
    await press('{ArrowDown}');
    expect(field().value).toBe('1024');
    await userEvent.click(one('step-up'));
    expect(field().value).toBe('1025');
    expect(field().getAttribute('aria-valuenow')).toBe('1025');
    await press('x{ArrowUp}');
    expect(field().value).toBe('1025x');
  });

  test('what the agent suggests is offered and never filled in', async () => {
    const hub = await openDock('decimal', { language: 'de' });
    expect(field().value).toBe('');
    expect(one('suggested').textContent).toContain('1,5');
    await userEvent.click(one('suggested'));
    await press('{Enter}');
    await settle();
    one('submit').click();
    await settle();
    expect(sent(hub)).toMatchObject({ rate: { text: '1.5' } });
  });

  test('full-width digits of an input method are a number; its Enter sends nothing', async () => {
    const hub = await openDock('integer');
    field().focus();
    await compose('８０８０');
    expect(rawKey(field(), { key: 'Enter', isComposing: true })).toBe(true);
    expect(rawKey(field(), { key: 'ArrowUp', isComposing: true })).toBe(true);
    expect(sent(hub)).toBeUndefined();
    await cdp().send('Input.insertText', { text: '８０８０' });
    await settle();
    expect(field().value).toBe('８０８０');
    expect(one('reading').textContent).toContain('8080');
    await press('{Enter}');
    expect(sent(hub)).toMatchObject({ port: { text: '8080' } });
  });

  function unbounded(world: { batches: { questions: { max: number | null }[] }[] }): void {
    for (const batch of world.batches) for (const question of batch.questions) question.max = null;
  }
});

describe('yes or no', () => {
  test('is two radios from the catalogue; the value is what is sent', async () => {
    const hub = await openDock('boolean', { language: 'de' });
    expect(all('option').map((row) => row.textContent)).toEqual([
      expect.stringContaining('Ja'),
      expect.stringContaining('Nein'),
    ]);
    expect(checked()).toEqual([]);
    await press('{ArrowDown}');
    expect(checked()).toEqual(['true']);
    await press('2');
    expect(checked()).toEqual(['false']);
    await press('2');
    expect(sent(hub)).toMatchObject({ tls: { text: 'false' } });
  });

  test('the suggested one is marked and not chosen', async () => {
    await openDock('boolean');
    expect(option('true').textContent).toContain('Suggested');
    expect(checked()).toEqual([]);
  });
});

describe('a date', () => {
  test('is typed in the field of the system and sent as the day', async () => {
    const hub = await openDock('date');
    expect(field().type).toBe('date');
    await type('01312027');
    await press('{Enter}');
    expect(sent(hub)).toMatchObject({ day: { text: '2027-01-31' } });
  });

  test('one with a part missing says so', async () => {
    const hub = await openDock('date');
    await type('01');
    await press('{Enter}');
    expect(sent(hub)).toBeUndefined();
    field().blur();
    await settle();
    expect(one('unfinished').textContent).toContain('every part');
    expect(field().getAttribute('aria-invalid')).toBe('true');
  });

  test('a date and time is sent with the offset of this zone, which is named', async () => {
    await inZone('Asia/Kolkata', async () => {
      const hub = await openDock('moment');
      expect(described()).toContain('Asia/');
      await type('013120270600PM');
      expect(one('reading').textContent).toContain('2027-01-31T18:00:00+05:30');
      await press('{Enter}');
      expect(sent(hub)).toMatchObject({ when: { text: '2027-01-31T18:00:00+05:30' } });
    });
  });

  test('the hour that comes twice is asked about', async () => {
    await inZone('Europe/Berlin', async () => {
      const hub = await openDock('moment');
      await userEvent.fill(field(), '2027-10-31T02:30');
      field().focus();
      await press('{Enter}');
      expect(sent(hub)).toBeUndefined();
      expect(all('meant').map((one) => one.textContent.trim())).toEqual(['UTC+02:00', 'UTC+01:00']);
      await userEvent.click(all('meant')[1]!);
      await settle();
      await press('{Enter}');
      expect(sent(hub)).toMatchObject({ when: { text: '2027-10-31T02:30:00+01:00' } });
    });
  });

  test('the hour that does not exist is refused', async () => {
    await inZone('Europe/Berlin', async () => {
      const hub = await openDock('moment');
      await userEvent.fill(field(), '2027-03-28T02:30');
      field().focus();
      await press('{Enter}');
      expect(sent(hub)).toBeUndefined();
      expect(problem()).toContain('does not exist');
    });
  });

  test('offsets are those of the moment', async () => {
    await inZone('Europe/Berlin', () => {
      expect(momentsOf('2027-01-31T18:00')).toEqual(['2027-01-31T18:00:00+01:00']);
      expect(momentsOf('2027-07-31T18:00')).toEqual(['2027-07-31T18:00:00+02:00']);
      expect(momentsOf('2027-02-30T18:00')).toBeNull();
      expect(momentsOf('2027-02-30')).toBeNull();
    });
    await inZone('America/St_Johns', () => {
      expect(momentsOf('2027-01-31 18:00:30')).toEqual(['2027-01-31T18:00:30-03:30']);
    });
  });
});

describe('a line of text', () => {
  test.each([
    ['email', 'ana at example', 'ana@example.org', 'name@example.org'],
    ['uri', 'example.org', 'https://example.org/hook', 'https://example.org/page'],
  ])('%s: what is wrong is said with an example', async (scene, wrong, right, example) => {
    const hub = await openDock(scene);
    await type(`${wrong}{Enter}`);
    expect(problem()).toContain(example);
    expect(field().value).toBe(wrong);
    await press(`{Control>}a{/Control}${right}{Enter}`);
    expect(Object.values(sent(hub) ?? {})).toMatchObject([{ text: right }]);
  });

  test('lengths and the pattern are said, then checked', async () => {
    const hub = await openDock('pattern');
    expect(described()).toContain('4 to 24 characters');
    expect(described()).toContain('^[a-z]+/[a-z0-9-]+$');
    await type('fix{Enter}');
    expect(problem()).toBe('At least 4 characters; here are 3.');
    await press('ing{Enter}');
    expect(problem()).toBe('It does not match the pattern.');
    await press('/x{Enter}');
    expect(sent(hub)).toMatchObject({ branch: { text: 'fixing/x' } });
  });

  test('a composition is not sent by the Enter that confirms it', async () => {
    const hub = await openDock('email');
    field().focus();
    await compose('あな');
    rawKey(field(), { key: 'Enter', isComposing: true });
    rawKey(field(), { key: 'Enter', keyCode: 229 });
    rawKey(field(), { key: 'Escape', keyCode: 229 });
    await settle();
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
    expect(problem()).toBeNull();
    expect(document.activeElement).toBe(field());
  });
});

describe('several', () => {
  test('fewest and most are said and checked; suggested ones are only marked', async () => {
    const hub = await openDock('range');
    expect(one('hints').textContent).toBe('Choose 2 to 3');
    expect(checked()).toEqual([]);
    expect(option('unit').textContent).toContain('Suggested');
    await press('1{Enter}');
    expect(problem()).toBe('Choose at least 2.');
    await press('234{Enter}');
    expect(problem()).toBe('Choose at most 3.');
    await press('4{Enter}');
    expect(sent(hub)).toMatchObject({ checks: { selected: ['unit', 'linter', 'e2e'] } });
  });

  test('going on with what cannot be sent is stopped once; the submit goes back to it', async () => {
    const hub = await openDock('form');
    await type('ab{Enter}');
    expect(question()).toBe('name');
    expect(problem()).toContain('At least 3');
    await press('{Enter}');
    expect(question()).toBe('share');
    await type('5{Enter}');
    expect(question()).toBe('token');
    await type('hunter2hunter2{Enter}');
    await press('{Control>}{Enter}{/Control}');
    expect(question()).toBe('name');
    expect(document.activeElement).toBe(field());
    expect(field().value).toBe('ab');
    expect(sent(hub)).toBeUndefined();
  });
});

describe('a secret', () => {
  afterEach(() => window.dispatchEvent(new Event('blur')));

  test('is masked, shown on demand, hidden when the window is left', async () => {
    await openDock('secret');
    expect(field().type).toBe('password');
    expect(field().autocomplete).toBe('off');
    await type('hunter2');
    await userEvent.click(one('reveal'));
    expect(field().type).toBe('text');
    expect(one('reveal').getAttribute('aria-pressed')).toBe('true');
    expect(field().value).toBe('hunter2');
    window.dispatchEvent(new Event('blur'));
    await settle();
    expect(field().type).toBe('password');
  });

  test('what the hub says of a sent one is shown, and the text is kept', async () => {
    const hub = await openDock('form', {
      prepare: ({ batches: [batch] }) => {
        if (batch) batch.questions = batch.questions.slice(2);
      },
    });
    await type('short{Enter}');
    expect(problem()).toContain('At least 8');
    expect(field().value).toBe('short');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    await press('er-one{Enter}');
    expect(requests(hub, 'batch.answer')).toHaveLength(2);
    expect(sent(hub)).toMatchObject({ token: { text: 'shorter-one' } });
  });

  test('is in no draft, no summary and nothing to copy, also as a typed choice', async () => {
    const hub = await openDock('secret-other');
    await press('0');
    expect((one('other-input') as HTMLInputElement).type).toBe('password');
    await press('hunter2{Escape}');
    await press('1');
    expect(one('dock').textContent).not.toContain('hunter2');
    await press('0');
    await press('{Enter}');
    expect(sent(hub)).toMatchObject({ login: { text: 'hunter2' } });
    for (const draft of requests(hub, 'batch.draft')) {
      expect(JSON.stringify(draft)).not.toContain('hunter2');
    }
    expect(document.body.innerHTML).not.toContain('hunter2');
    expect(one('summary').textContent).toContain('secret given');
  });

  test('another window that saves takes nothing from this one', async () => {
    const hub = await openDock('form', {
      prepare: ({ batches: [batch] }) => {
        if (batch) batch.draft = { step: 2, answers: {}, ask_back: null, collapsed: false };
      },
    });
    await type('hunter2hunter2');
    const { id, draft_rev } = hub.world.batches[0]!;
    await hub.call('batch.draft', {
      id,
      draft_rev: hub.batch(id).draft_rev,
      draft: {
        step: 2,
        ask_back: null,
        collapsed: false,
        answers: { name: { selected: [], other: true, text: 'api', notes: null, blank: false } },
      },
    });
    await settle();
    expect(hub.batch(id).draft_rev).toBeGreaterThan(draft_rev);
    expect(field().value).toBe('hunter2hunter2');
  });
});

describe('many options', () => {
  const rows = () => all('option').filter((row) => row.dataset['option'] !== 'other');

  test('typing filters, without regard to case and accents, and answers nothing', async () => {
    const hub = await openDock('options-61');
    expect(rows()).toHaveLength(61);
    await userEvent.click(one('option-filter'));
    await press('zur 2 1');
    expect(checked()).toEqual([]);
    expect(rows()).toHaveLength(0);
    await press('{Backspace}{Backspace}');
    expect(rows().map((row) => row.textContent)).toEqual([expect.stringContaining('Zürich 2')]);
    expect(one('filter-count').textContent).toContain('1 of 61');
    expect(requests(hub, 'batch.answer')).toHaveLength(0);
    await press('{Escape}');
    expect(rows()).toHaveLength(61);
  });

  test('the arrow goes from the filter into the list and chooses nothing', async () => {
    await openDock('options-61');
    await userEvent.click(one('option-filter'));
    await press('tokyo{ArrowDown}');
    expect(document.activeElement).toBe(rows()[0]?.querySelector('input'));
    expect(checked()).toEqual([]);
    await press(' ');
    expect(checked()).toEqual(['region-3']);
  });

  test('what is chosen and hidden by the filter is counted', async () => {
    await openDock('options-200');
    expect(rows()).toHaveLength(200);
    await press('12');
    await userEvent.click(one('option-filter'));
    await press('paris');
    expect(one('filter-count').textContent).toContain('2 chosen not shown');
  });

  test('the filter stays where it is while the list gets shorter', async () => {
    await openDock('options-61');
    await userEvent.click(one('option-filter'));
    const before = one('option-filter').getBoundingClientRect().top;
    await press('zurich 2');
    expect(one('option-filter').getBoundingClientRect().top).toBeCloseTo(before, 0);
  });

  test('the preview stays in sight of the option that is looked at', async () => {
    await openDock('options-61');
    one('dock').focus();
    await press('{ArrowDown>20/}');
    const dock = one('dock').getBoundingClientRect();
    const preview = one('preview').getBoundingClientRect();
    expect(one('preview').textContent).toContain('39 ms');
    expect(preview.top).toBeGreaterThanOrEqual(dock.top);
    expect(preview.bottom).toBeLessThanOrEqual(dock.bottom);
  });
});
