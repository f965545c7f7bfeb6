/** Every view that people meet, for the checks that hold for all of them. */
import { userEvent } from 'vitest/browser';
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

/** Types into the field of the question on screen. */
async function type(keys: string): Promise<void> {
  one('text-input').focus();
  await press(keys);
  await saved();
}

async function fill(value: string): Promise<void> {
  await userEvent.fill(one('text-input'), value);
  await saved();
}

async function filter(text: string): Promise<void> {
  one('option-filter').focus();
  await press(text);
}

async function shownSecret(): Promise<void> {
  await type('correct horse battery staple');
  one('reveal').click();
  await settle();
}

async function openedLink(): Promise<void> {
  one('open-link').click();
  await settle();
}

/** Until the hub has said what it thinks of the draft. */
async function saved(): Promise<void> {
  await new Promise((done) => setTimeout(done, 300));
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
  { name: 'decimal', scene: 'decimal' },
  { name: 'decimal, understood', scene: 'decimal', then: () => type('1,234.5') },
  { name: 'decimal, unclear', scene: 'decimal', then: () => type('1,234') },
  { name: 'integer', scene: 'integer' },
  { name: 'integer, refused', scene: 'integer', then: () => type('80a{Enter}') },
  { name: 'boolean', scene: 'boolean' },
  { name: 'date', scene: 'date', then: () => fill('2027-01-31') },
  { name: 'moment', scene: 'moment', then: () => fill('2027-01-31T18:00') },
  { name: 'email, refused', scene: 'email', then: () => type('ana at example{Enter}') },
  { name: 'uri', scene: 'uri' },
  { name: 'pattern, refused', scene: 'pattern', then: () => type('Fix{Enter}') },
  { name: 'range', scene: 'range', then: () => press('1{Enter}') },
  { name: 'secret, shown', scene: 'secret', then: shownSecret },
  { name: 'secret other', scene: 'secret-other', then: () => press('0') },
  { name: '61 options', scene: 'options-61' },
  { name: '61 options, filtered', scene: 'options-61', then: () => filter('zur 2') },
  { name: '200 options', scene: 'options-200', then: () => press('13') },
  { name: 'preview, diff', scene: 'previews' },
  { name: 'preview, code', scene: 'previews', then: () => press('2') },
  { name: 'preview, markdown', scene: 'previews', then: () => press('3') },
  { name: 'hostile', scene: 'hostile' },
  { name: 'permission, command', scene: 'permission-run', then: () => press('2') },
  { name: 'permission, refusing', scene: 'permission-run', then: () => press('3') },
  { name: 'permission, edit', scene: 'permission-edit', then: () => press('1') },
  { name: 'url, opened', scene: 'url', then: openedLink },
  { name: 'url, plain', scene: 'url-plain' },
  { name: 'url, refused', scene: 'url-refused' },
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
