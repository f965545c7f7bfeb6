import { Channel, invoke } from '@tauri-apps/api/core';
import type { Event } from '../api/types';
import { detectPlatform, toWireError, type FocusRequest, type Host } from './host';

/** What the app sends: the changes of one frame, or what the page should show. */
type PageMessage = { events: Event[] } | { focus: FocusRequest };

/** The desktop app. Nothing else in the UI imports Tauri. */
export function tauriHost(): Host {
  // Focus requests come with the events, so that what they name is known by then.
  const shows = new Set<(request: FocusRequest) => void>();
  return {
    platform: detectPlatform(navigator.userAgent),

    async call(name, request) {
      try {
        return await invoke('call', { name, request });
      } catch (error) {
        throw toWireError(error);
      }
    },

    subscribe(onEvent) {
      let active = true;
      const channel = new Channel<PageMessage>();
      channel.onmessage = (message) => {
        if (!active) return;
        if ('focus' in message) {
          for (const show of shows) show(message.focus);
        } else {
          message.events.forEach(onEvent);
        }
      };
      invoke('subscribe', { channel }).catch((error: unknown) => {
        console.error('The hub sends no events:', toWireError(error).message);
      });
      return () => {
        active = false;
      };
    },

    async openExternal(url) {
      try {
        await invoke('open_external', { url });
      } catch (error) {
        throw toWireError(error);
      }
    },

    onFocusRequest(show) {
      shows.add(show);
      return () => shows.delete(show);
    },

    painted(batch) {
      // Measurements are no reason to disturb anybody: a host without them refuses, and that's fine.
      invoke('painted', { batch }).catch(() => undefined);
    },
  };
}
