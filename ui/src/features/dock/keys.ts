/** What a key means in the dock. Pure, so that the whole table can be tested at once. */
import type { Platform } from '../../host/host';
import { hasMod } from '../../primitives/glyphs';
import { isComposing } from '../../primitives/ime';

export type Command =
  /** By position among the options on show. */
  | { readonly do: 'choose'; readonly at: number }
  | { readonly do: 'move'; readonly by: 1 | -1 }
  | { readonly do: 'other' | 'next' | 'submit' | 'back' | 'note' | 'skip' | 'leave' | 'collapse' };

/** Where the key was pressed. */
export interface Place {
  /** A person types there. */
  readonly field: boolean;
  /** Enter breaks the line there. */
  readonly multiline: boolean;
  /** Enter presses it. */
  readonly button: boolean;
  /** Arrows scroll it. */
  readonly scrolls: boolean;
  readonly rtl: boolean;
  readonly platform: Platform;
}

/** The command, or null where the key keeps its own meaning. */
export function commandOf(event: KeyboardEvent, place: Place): Command | null {
  if (isComposing(event)) return null;
  if (event.key === 'Enter') return enter(event, place);
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === 'Escape')
    return event.repeat ? null : { do: place.field ? 'leave' : 'collapse' };
  if (place.field) return null;
  return (place.scrolls ? null : arrow(event, place)) ?? letter(event);
}

function enter(event: KeyboardEvent, place: Place): Command | null {
  if (event.repeat || event.altKey) return null;
  if (hasMod(event, place.platform)) return { do: 'submit' };
  if (event.shiftKey || place.multiline || place.button) return null;
  return { do: 'next' };
}

function arrow(event: KeyboardEvent, place: Place): Command | null {
  switch (event.key) {
    case 'ArrowDown':
    case 'j':
      return { do: 'move', by: 1 };
    case 'ArrowUp':
    case 'k':
      return { do: 'move', by: -1 };
    case place.rtl ? 'ArrowRight' : 'ArrowLeft':
    case 'Backspace':
      return event.repeat ? null : { do: 'back' };
    default:
      return null;
  }
}

function letter(event: KeyboardEvent): Command | null {
  // A key held down is one press.
  if (event.repeat || event.shiftKey) return null;
  if (/^[1-9]$/.test(event.key)) return { do: 'choose', at: Number(event.key) - 1 };
  switch (event.key) {
    case '0':
    case 'o':
      return { do: 'other' };
    case 'n':
      return { do: 'note' };
    case 's':
      return { do: 'skip' };
    default:
      return null;
  }
}

/** A key held down on a button would press it again and again, also one that just came under it. */
export function isHeldPress(event: KeyboardEvent, place: Place): boolean {
  return event.repeat && place.button && (event.key === 'Enter' || event.key === ' ');
}

/** The keys as `aria-keyshortcuts` and the sheet name them. */
export const KEYS = {
  other: '0',
  next: 'Enter',
  submit: 'Mod+Enter',
  back: 'Backspace',
  note: 'n',
  skip: 's',
  collapse: 'Escape',
  toggle: 'Mod+J',
  nextBatch: 'Mod+ArrowDown',
  find: 'Mod+K',
  sheet: '?',
} as const;
