import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { hardToHit } from './geometry';
import { show, VIEWS } from './views';
import { all, one, openDock, option } from './window';

describe.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (theme) => {
  test.each(VIEWS)('$name', async (view) => {
    await show(view, { theme });
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    const found = violations.map((one) => `${one.id}: ${one.nodes.map((n) => n.html).join(' | ')}`);
    expect(found).toEqual([]);
  });
});

describe('names', () => {
  test('the group is named by the question and described by what stands under it', async () => {
    await openDock('markdown');
    const group = document.querySelector('fieldset');
    const named = document.getElementById(group?.getAttribute('aria-labelledby') ?? '');
    expect(named?.textContent).toContain('Is this plan right?');
    const described = group?.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent).join(' ')).toContain(
      'Stop the',
    );
  });

  test('options are native and described by their explanation', async () => {
    await openDock('single');
    const input = option('staging').querySelector('input');
    expect(input?.type).toBe('radio');
    expect(input?.labels?.[0]?.textContent).toContain('Staging');
    const described = document.getElementById(input?.getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toContain('Mirror of production data');
  });

  test('shortcuts are told to assistive technology', async () => {
    await openDock('branch');
    expect(one('next').getAttribute('aria-keyshortcuts')).toBe('Enter');
    expect(one('skip').getAttribute('aria-keyshortcuts')).toBe('s');
    expect(one('collapse').getAttribute('aria-keyshortcuts')).toBe('Control+J');
    expect(option('staging').querySelector('input')?.getAttribute('aria-keyshortcuts')).toBe('1');
  });

  test.each(VIEWS)('$name: every control is at least 24 by 24, or spaced like it', async (view) => {
    await show(view);
    expect(hardToHit()).toEqual([]);
  });

  test('the countdown and the count are not told by colour alone', async () => {
    await openDock('deadline');
    expect(one('countdown').textContent.trim()).toMatch(/\d:\d\d/);
    expect(all('session-count')[0]?.textContent).toContain('1 waiting');
  });
});
