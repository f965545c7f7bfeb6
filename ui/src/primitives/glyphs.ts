import type { Platform } from '../host/host';

const MAC: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };
const OTHERS: Record<string, string> = { Mod: 'Ctrl', Shift: 'Shift', Alt: 'Alt' };
const COMMON: Record<string, string> = {
  Enter: '⏎',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
  Escape: 'Esc',
};

/** Keys as the platform draws them: `⌘⏎` on a Mac, `Ctrl ⏎` elsewhere. */
export function glyphs(keys: string, platform: Platform): string {
  const names = platform === 'mac' ? MAC : OTHERS;
  const parts = keys.split('+').map((key) => names[key] ?? COMMON[key] ?? key);
  return parts.join(platform === 'mac' ? '' : ' ');
}

/** Keys as `aria-keyshortcuts` wants them. */
export function ariaKeys(keys: string, platform: Platform): string {
  return keys.replaceAll('Mod', platform === 'mac' ? 'Meta' : 'Control');
}

/** Whether the platform's main modifier is down. */
export function hasMod(event: KeyboardEvent | MouseEvent, platform: Platform): boolean {
  return platform === 'mac' ? event.metaKey : event.ctrlKey;
}
