import { Channel, invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { Event } from '../api/types';
import { detectPlatform, toWireError, type FocusRequest, type Host } from './host';

/** The desktop app. Nothing else in the UI imports Tauri. */
export function tauriHost(): Host {
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
      // What happened within a frame comes together.
      const channel = new Channel<Event[]>();
      channel.onmessage = (events) => {
        for (const event of events) {
          if (!active) return;
          onEvent(event);
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
      const listening = listen<FocusRequest>('focus-request', (event) => show(event.payload));
      return () => {
        void listening.then((stop) => stop());
      };
    },

    painted(batch) {
      // Measurements are no reason to disturb anybody: a host without them refuses, and that's fine.
      invoke('painted', { batch }).catch(() => undefined);
    },
  };
}
