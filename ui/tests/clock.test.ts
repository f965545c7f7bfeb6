/** When the time that a countdown shows is brought up to date. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clock } from '../src/primitives/clock.svelte';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => vi.useRealTimers());

test('by the minute it moves as soon as two minutes are left, whatever the clock on the wall says', () => {
  const deadline = Date.now() + 150_500;
  const stop = clock.watch('minute', deadline);
  vi.advanceTimersByTime(30_000);
  expect(deadline - clock.now).toBeGreaterThan(120_000);
  vi.advanceTimersByTime(502);
  expect(deadline - clock.now).toBeLessThan(120_000);
  expect(deadline - clock.now).toBeGreaterThan(119_900);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('of two countdowns the nearer step moves it', () => {
  const stops = [
    clock.watch('minute', Date.now() + 170_000),
    clock.watch('minute', Date.now() + 125_000),
  ];
  clock.touch();
  const before = clock.now;
  vi.advanceTimersByTime(5_002);
  expect(clock.now - before).toBeGreaterThan(4_900);
  for (const stop of stops) stop();
});
