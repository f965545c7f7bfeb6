import { describe, expect, test } from 'vitest';
import { at } from '../src/host/fake/make';
import { clipped, fadedTexts, outside, overlapping } from './geometry';
import { show, VIEWS } from './views';
import { one, open, openDock, settle } from './window';

/** Width, height and language; the small one is the window at 200 %. */
const WINDOWS = [
  [900, 600, 'en'],
  [900, 600, 'de'],
  [900, 600, 'en-XA'],
  [900, 600, 'ar-XB'],
  [1600, 1000, 'en'],
  [600, 400, 'en'],
] as const;

describe.each(WINDOWS)('at %i × %i in %s', (width, height, language) => {
  test.each(VIEWS)('$name: nothing is cut, covered or out of reach', async (view) => {
    await show(view, { size: [width, height], language });
    expect({ clipped: clipped(), overlapping: overlapping(), outside: outside() }).toEqual({
      clipped: [],
      overlapping: [],
      outside: [],
    });
  });
});

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(VIEWS)('$name: text has a contrast of at least 4.5', async (view) => {
    await show(view, { theme });
    expect(fadedTexts()).toEqual([]);
  });
});

describe('the dock', () => {
  test('is never higher than 60 % of the window, scrolls inside, and keeps its buttons', async () => {
    await openDock('long', { size: [900, 600] });
    const dock = one('dock').getBoundingClientRect();
    expect(dock.height).toBeLessThanOrEqual(361);
    const submit = one('next').getBoundingClientRect();
    expect(submit.bottom).toBeLessThan(dock.bottom);
    expect(one('timeline').getBoundingClientRect().height).toBeGreaterThan(100);
  });

  test.each([1200, 900, 720, 600, 560])(
    'says at %i px in full which process asks',
    async (width) => {
      await openDock('single', {
        size: [width, 800],
        prepare: ({ batches }) => {
          const [batch] = batches;
          if (!batch) throw new Error('no batch');
          batch.folder =
            '/home/ana/code/a-rather-long-name-of-a-folder/with/more/below/it/payments';
          batch.agent = 'An agent with a long name';
          batch.origin = { pid: 1234567, program: 'claude-code-next' };
          batch.deadline = at(600);
        },
      });
      const process = one('dock-strip').querySelector<HTMLElement>('.process');
      if (!process) throw new Error('no process');
      expect(process.textContent).toContain('claude-code-next · pid 1234567');
      expect(process.scrollWidth).toBeLessThanOrEqual(process.clientWidth + 1);
      const text = document.createRange();
      text.selectNodeContents(process);
      const [box, strip] = [
        text.getBoundingClientRect(),
        one('dock-strip').getBoundingClientRect(),
      ];
      expect(box.height).toBeLessThan(30);
      expect(box.right).toBeLessThanOrEqual(strip.right);
      expect(process.checkVisibility()).toBe(true);
      expect({ clipped: clipped(), overlapping: overlapping() }).toEqual({
        clipped: [],
        overlapping: [],
      });
    },
  );

  test('collapsed says how long is left, also while the clock is paused, and can be opened', async () => {
    await open('slim', {
      session: 'ship',
      prepare: ({ batches }) => {
        const batch = batches.find((one) => one.number === 42);
        if (batch) Object.assign(batch, { deadline: at(581), paused_since: at(0) });
      },
    });
    expect(one('slim-bar').textContent).toContain('10 min left');
    expect(one('slim-bar').textContent).not.toContain('paused');
    expect(one('slim-bar').querySelector('.lucide-chevron-up')).not.toBeNull();
  });

  test('puts the preview beside the options, or below them where it is narrow', async () => {
    await openDock('single', { size: [1200, 800] });
    const beside = one('preview').getBoundingClientRect();
    expect(beside.left).toBeGreaterThan(one('options').getBoundingClientRect().right - 1);
    await openDock('single', { size: [720, 800] });
    await settle();
    const below = one('preview').getBoundingClientRect();
    expect(below.top).toBeGreaterThanOrEqual(one('options').getBoundingClientRect().bottom);
  });
});

describe('directions', () => {
  test('agent text takes its own direction in any window', async () => {
    await open('rtl');
    const heading = document.querySelector<HTMLElement>('[data-testid=dock-question] p');
    if (!heading) throw new Error('no question');
    expect(getComputedStyle(heading).direction).toBe('rtl');
    expect(document.documentElement.dir).toBe('ltr');
  });

  test('the options of a question are on the side where its text begins', async () => {
    await open('rtl');
    const radio = document.querySelector('[data-testid=option] input')?.getBoundingClientRect();
    const label = document.querySelector('[data-testid=option] .label')?.getBoundingClientRect();
    expect(radio?.left).toBeGreaterThan(label?.right ?? Infinity);
  });

  test('a right-to-left language mirrors the window', async () => {
    await open('open', { language: 'ar-XB' });
    expect(document.documentElement.dir).toBe('rtl');
    const nav = document.querySelector('nav')?.getBoundingClientRect();
    expect(nav?.right).toBe(1200);
  });
});
