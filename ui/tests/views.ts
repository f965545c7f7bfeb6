/** Every view that people meet, for the checks that hold for all of them. */
import { open, one, press, settle, dockReady, maybe } from './window';

interface View {
  readonly name: string;
  readonly scene: string;
  readonly session?: string;
  /** What to do before looking. */
  readonly then?: () => Promise<void>;
}

async function expandSummary(): Promise<void> {
  for (const line of document.querySelectorAll<HTMLElement>('.summary .line')) line.click();
  await settle();
}

export const VIEWS: readonly View[] = [
  { name: 'dock', scene: 'open', session: 'ship' },
  { name: 'review', scene: 'review', session: 'ship' },
  { name: 'five questions', scene: 'five', session: 'ship' },
  { name: 'slim bar', scene: 'slim', session: 'ship' },
  { name: 'inbox', scene: 'inbox' },
  {
    name: 'inbox, chosen by digit',
    scene: 'inbox',
    then: async () => {
      await press('j');
      await press('j');
      await press('2');
    },
  },
  {
    name: 'inbox, clear dialog',
    scene: 'inbox',
    then: async () => {
      one('clear-away').click();
      await settle();
    },
  },
  { name: 'empty', scene: 'empty' },
  { name: 'idle', scene: 'idle' },
  { name: 'checkboxes', scene: 'multi', then: () => press('1') },
  { name: 'other', scene: 'single', then: () => press('0') },
  { name: 'note', scene: 'single', then: () => press('n') },
  { name: 'problem', scene: 'single', then: () => press('{Enter}') },
  { name: 'optional', scene: 'optional' },
  { name: 'text', scene: 'text' },
  { name: 'formats', scene: 'number' },
  { name: 'secret', scene: 'secret' },
  { name: 'many options', scene: 'many' },
  { name: 'markdown', scene: 'markdown' },
  { name: 'two batches', scene: 'two' },
  { name: 'away', scene: 'away' },
  { name: 'deadline', scene: 'deadline' },
  { name: 'confirm', scene: 'confirm' },
  { name: 'permission', scene: 'permission' },
  { name: 'permission, chosen', scene: 'permission', then: () => press('1') },
  { name: 'url', scene: 'url' },
  { name: 'long', scene: 'long' },
  { name: 'folding', scene: 'folding' },
  { name: 'cjk', scene: 'cjk' },
  { name: 'rtl', scene: 'rtl' },
  { name: 'history', scene: 'history' },
  { name: 'history, expanded', scene: 'history', then: expandSummary },
  { name: 'shortcuts', scene: 'single', then: () => press('?') },
  {
    name: 'ask back',
    scene: 'single',
    then: async () => {
      one('ask-back').click();
      await settle();
    },
  },
  {
    name: 'skip dialog',
    scene: 'single',
    then: async () => {
      await press('0');
      await press('x{Escape}');
      await press('s');
    },
  },
  {
    name: 'session menu',
    scene: 'idle',
    then: async () => {
      document.querySelector<HTMLElement>('[aria-haspopup]')?.click();
      await settle();
    },
  },
];

type Options = NonNullable<Parameters<typeof open>[1]>;

export async function show(view: View, options: Options = {}): Promise<void> {
  await open(view.scene, { ...options, ...(view.session ? { session: view.session } : {}) });
  await settle();
  if (maybe('dock')) await dockReady();
  await view.then?.();
  // What moves in is looked at where it ends.
  for (const animation of document.getAnimations()) animation.finish();
  await settle();
}
