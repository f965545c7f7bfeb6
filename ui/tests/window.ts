/** Puts a scene on the page and works with it as a person does. */
import { flushSync, tick } from 'svelte';
import { page, userEvent } from 'vitest/browser';
import { expect } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { FakeHub, type World } from '../src/host/fake/hub';
import { scene } from '../src/host/fake/scenes';
import { i18n } from '../src/i18n/index.svelte';
import { asked } from '../src/primitives/link.svelte';
import Window from '../src/views/Window.svelte';

interface Options {
  theme?: 'light' | 'dark';
  language?: string;
  size?: readonly [number, number];
  /** Session to open by hand. */
  session?: string;
  prepare?: (world: World) => void;
  /** Runs as soon as the page is there, before the hub has said anything. */
  then?: (hub: FakeHub) => void;
}

/** The window on a scene, with its hub. */
export async function open(name: string, options: Options = {}): Promise<FakeHub> {
  const [width, height] = options.size ?? [1200, 800];
  await page.viewport(width, height);
  const world = scene(name);
  world.settings.theme = options.theme ?? 'light';
  world.settings.language = options.language ?? 'en';
  options.prepare?.(world);
  asked.url = null;
  await i18n.use(world.settings.language);
  const hub = new FakeHub(world);
  (document.activeElement as HTMLElement | null)?.blur();
  const { container } = render(Window, { props: { host: hub } });
  container.style.height = '100vh';
  flushSync();
  options.then?.(hub);
  await expect.poll(() => one('window').dataset['hub']).toBe('fake');
  if (options.session) {
    document.querySelector<HTMLElement>(`[data-session="${options.session}"]`)?.click();
    await expect.poll(() => maybe('session')?.dataset['session']).toBe(options.session);
  }
  return hub;
}

/** The window on a scene whose dock takes input. */
export async function openDock(name: string, options: Options = {}): Promise<FakeHub> {
  const hub = await open(name, options);
  await dockReady();
  return hub;
}

export async function dockReady(): Promise<void> {
  await expect.poll(() => maybe('dock')?.dataset['ready']).toBe('true');
}

export function maybe(testid: string, within: ParentNode = document): HTMLElement | null {
  return within.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
}

export function one(testid: string, within: ParentNode = document): HTMLElement {
  const found = maybe(testid, within);
  if (!found) throw new Error(`nothing on the page has the test id ${testid}`);
  return found;
}

export function all(testid: string, within: ParentNode = document): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(`[data-testid="${testid}"]`)];
}

export function option(id: string): HTMLElement {
  const found = all('option').find((row) => row.dataset['option'] === id);
  if (!found) throw new Error(`no option ${id}`);
  return found;
}

export function checked(): string[] {
  return all('option')
    .filter((row) => row.querySelector('input')?.checked)
    .map((row) => row.dataset['option'] ?? '');
}

/** Presses keys as {@link userEvent.keyboard} spells them, and lets the page settle. */
export async function press(keys: string): Promise<void> {
  await userEvent.keyboard(keys);
  await settle();
}

/** Lets promises, effects and the fake hub's replies run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await tick();
    await new Promise((done) => setTimeout(done));
  }
  flushSync();
}

export function question(): string | undefined {
  return maybe('dock-question')?.dataset['question'];
}

/** The requests of one operation, oldest first. */
export function requests(hub: FakeHub, name: string): Record<string, unknown>[] {
  return hub.calls
    .filter((call) => call.name === name)
    .map((call) => call.request as Record<string, unknown>);
}

/** A raw keydown, for what a real keyboard can't be made to send. */
export function rawKey(target: Element, init: KeyboardEventInit & { keyCode?: number }): boolean {
  return target.dispatchEvent(
    new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }),
  );
}
