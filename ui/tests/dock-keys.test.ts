import { describe, expect, test } from 'vitest';
import {
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

const answersOf = (hub: Awaited<ReturnType<typeof openDock>>) => requests(hub, 'batch.answer');

describe('digits', () => {
  test('a digit chooses and the same digit pressed again submits a lone single choice', async () => {
    const hub = await openDock('single');
    await press('2');
    expect(checked()).toEqual(['one_production_node']);
    expect(answersOf(hub)).toHaveLength(0);
    await press('2');
    expect(answersOf(hub)[0]).toMatchObject({
      answers: { deploy_target: { selected: ['one_production_node'], blank: false } },
      content_hash: 'hash-7',
      via: 'dock',
    });
    expect(maybe('dock')).toBeNull();
  });

  test('another digit changes the choice and does not submit', async () => {
    const hub = await openDock('single');
    await press('2');
    await press('1');
    expect(checked()).toEqual(['staging']);
    expect(answersOf(hub)).toHaveLength(0);
  });

  test('a digit held down is one press', async () => {
    const hub = await openDock('single');
    rawKey(one('dock'), { key: '1' });
    for (let n = 0; n < 5; n += 1) rawKey(one('dock'), { key: '1', repeat: true });
    await settle();
    expect(checked()).toEqual(['staging']);
    expect(answersOf(hub)).toHaveLength(0);
  });

  test('Enter after choosing submits, Enter held down does not', async () => {
    const hub = await openDock('single');
    await press('3');
    rawKey(one('dock'), { key: 'Enter', repeat: true });
    await settle();
    expect(answersOf(hub)).toHaveLength(0);
    await press('{Enter}');
    expect(answersOf(hub)).toHaveLength(1);
  });

  test('in a longer batch a digit goes on to the next question', async () => {
    await openDock('branch');
    await press('1');
    expect(question()).toBe('checks');
  });

  test('in a multiple choice a digit toggles and stays', async () => {
    await openDock('multi');
    await press('13');
    expect(checked()).toEqual(['unit_fast', 'end_to_end']);
    await press('1');
    expect(checked()).toEqual(['end_to_end']);
  });

  test('a digit without an option does nothing', async () => {
    await openDock('single');
    await press('9');
    expect(checked()).toEqual([]);
  });

  test('in the review a digit goes back to the question of that number', async () => {
    await open('review', { session: 'ship' });
    await dockReady();
    one('dock').focus();
    await press('2');
    expect(question()).toBe('checks');
  });

  test('a digit counts the options that the filter leaves', async () => {
    await openDock('many');
    one('option-filter').focus();
    await press('Region 33{Enter}');
    expect(checked()).toEqual(['region_33']);
  });

  test('digits and letters in a field are text', async () => {
    await openDock('single');
    await press('0');
    await press('1 sn 2');
    expect((one('other-input') as HTMLTextAreaElement).value).toBe('1 sn 2');
    expect(checked()).toEqual(['other']);
    expect(maybe('note-input')).toBeNull();
  });

  test('keys do nothing while the dock does not have the focus', async () => {
    await openDock('single');
    document.querySelector<HTMLElement>('input[type=search]')?.focus();
    await press('2');
    one('inbox-row').focus();
    await press('2');
    expect(checked()).toEqual([]);
  });
});

describe('moving', () => {
  test('arrows and j, k move the choice of radios', async () => {
    await openDock('single');
    await press('{ArrowDown}');
    expect(checked()).toEqual(['staging']);
    await press('j');
    expect(checked()).toEqual(['one_production_node']);
    await press('k');
    expect(checked()).toEqual(['staging']);
  });

  test('arrows only move between checkboxes, Space toggles', async () => {
    await openDock('multi');
    await press('{ArrowDown}{ArrowDown}');
    expect(checked()).toEqual([]);
    expect(document.activeElement).toBe(option('linter').querySelector('input'));
    await press(' ');
    expect(checked()).toEqual(['linter']);
    await press(' ');
    expect(checked()).toEqual([]);
  });

  test('Backspace and the left arrow go back and keep what was chosen', async () => {
    await openDock('branch');
    await press('2');
    await press('{Backspace}');
    expect(question()).toBe('deploy_target');
    expect(checked()).toEqual(['one_production_node']);
    await press('{Enter}');
    expect(question()).toBe('checks');
    await press('{ArrowLeft}');
    expect(question()).toBe('deploy_target');
  });

  test('arrows scroll a preview that has the focus', async () => {
    await openDock('single');
    one('preview').focus();
    await press('{ArrowDown}');
    expect(checked()).toEqual([]);
  });

  test('Backspace in a field only deletes', async () => {
    await openDock('branch');
    await press('1');
    await press('0');
    await press('ab{Backspace}');
    expect(question()).toBe('checks');
    expect((one('other-input') as HTMLTextAreaElement).value).toBe('a');
  });
});

describe('Enter', () => {
  test('with nothing chosen it says so once, then lets the question pass', async () => {
    await openDock('branch');
    await press('{Enter}');
    expect(question()).toBe('deploy_target');
    expect(one('problem').textContent).toContain('Nothing chosen yet');
    await press('{Enter}');
    expect(question()).toBe('checks');
  });

  test('on a lone question with nothing chosen nothing is sent and the reason is shown', async () => {
    const hub = await openDock('single');
    await press('{Enter}');
    expect(answersOf(hub)).toHaveLength(0);
    expect(one('problem').textContent).toContain('Choose an option');
  });

  test('breaks the line in a text of several lines; with Ctrl it submits', async () => {
    const hub = await openDock('text');
    one('text-input').focus();
    await press('first{Enter}second');
    expect((one('text-input') as HTMLTextAreaElement).value).toBe('first\nsecond');
    expect(answersOf(hub)).toHaveLength(0);
    await press('{Control>}{Enter}{/Control}');
    expect(answersOf(hub)[0]).toMatchObject({ answers: { notes: { text: 'first\nsecond' } } });
  });

  test('goes on from the one-line field of Other', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('port 8080{Enter}');
    expect(answersOf(hub)[0]).toMatchObject({
      answers: { deploy_target: { selected: [], text: 'port 8080' } },
    });
  });

  test('Shift+Enter makes Other several lines, where Enter then breaks the line', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('a{Shift>}{Enter}{/Shift}b{Enter}c');
    expect((one('other-input') as HTMLTextAreaElement).value).toBe('a\nb\nc');
    expect(answersOf(hub)).toHaveLength(0);
  });

  test('held down it never presses the button that came under it', async () => {
    const hub = await openDock('branch');
    await press('1');
    await press('1{Enter}');
    expect(document.activeElement).toBe(one('submit'));
    expect(rawKey(one('submit'), { key: 'Enter', repeat: true })).toBe(false);
    expect(rawKey(one('submit'), { key: ' ', repeat: true })).toBe(false);
    expect(answersOf(hub)).toHaveLength(0);
    await press('{Enter}');
    expect(answersOf(hub)).toHaveLength(1);
  });

  test('with Ctrl submits from anywhere when everything is answered', async () => {
    const hub = await openDock('branch');
    await press('1');
    await press('1');
    await press('{Backspace}');
    expect(question()).toBe('deploy_target');
    await press('{Control>}{Enter}{/Control}');
    expect(answersOf(hub)).toHaveLength(1);
  });
});

describe('Escape', () => {
  test('leaves the field first, then collapses, and never loses what was typed', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('half a thought');
    await press('{Escape}');
    expect(maybe('dock')).not.toBeNull();
    expect(document.activeElement).toBe(option('other').querySelector('input'));
    await press('{Escape}');
    expect(maybe('dock')).toBeNull();
    expect(maybe('slim-bar')).not.toBeNull();
    await press('{Escape}{Escape}');
    expect(requests(hub, 'batch.dismiss')).toHaveLength(0);
    await press('{Control>}j{/Control}');
    expect((one('other-input') as HTMLTextAreaElement).value).toBe('half a thought');
  });
});

describe('letters', () => {
  test('n opens and focuses the note', async () => {
    await openDock('single');
    await press('n');
    expect(document.activeElement).toBe(one('note-input'));
  });

  test('o is Other', async () => {
    await openDock('single');
    await press('o');
    expect(checked()).toEqual(['other']);
    expect(document.activeElement).toBe(one('other-input'));
  });

  test('s skips', async () => {
    const hub = await openDock('single');
    await press('s');
    expect(requests(hub, 'batch.dismiss')).toHaveLength(1);
  });

  test('? shows the keys, Escape closes them', async () => {
    await openDock('single');
    await press('?');
    expect(maybe('shortcuts')).not.toBeNull();
    await press('{Escape}');
    expect(maybe('shortcuts')).toBeNull();
    expect(maybe('dock')).not.toBeNull();
  });
});

describe('input methods', () => {
  test('Enter that confirms a candidate sends nothing, the next one does', async () => {
    const hub = await openDock('single');
    await press('0');
    await press('nihongo');
    const field = one('other-input');
    rawKey(field, { key: 'Enter', isComposing: true });
    field.dispatchEvent(new CompositionEvent('compositionend'));
    // WebKit: the composition has ended before its own keydown.
    rawKey(field, { key: 'Enter', keyCode: 229 });
    rawKey(field, { key: 'Escape', keyCode: 229 });
    await settle();
    expect(answersOf(hub)).toHaveLength(0);
    expect(document.activeElement).toBe(field);
    await press('{Enter}');
    expect(answersOf(hub)).toHaveLength(1);
  });

  test('the composer is guarded as well', async () => {
    const hub = await openDock('single');
    await press('{Escape}');
    one('composer-input').focus();
    await press('hello');
    rawKey(one('composer-input'), { key: 'Enter', keyCode: 229 });
    await settle();
    expect(requests(hub, 'message.post')).toHaveLength(0);
    await press('{Enter}');
    expect(requests(hub, 'message.post')).toHaveLength(1);
  });
});
