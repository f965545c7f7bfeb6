import type { Host } from './host';

export * from './host';

/** Whether this build holds the in-memory host and its scenes. */
const WITH_FAKE = import.meta.env.DEV || import.meta.env.MODE === 'test';

/**
 * The host of this page: the desktop app, or `?host=fake&scene=NAME` where the build allows it.
 * Absent: the page was opened outside of any host.
 */
export async function openHost(query: URLSearchParams): Promise<Host | null> {
  if (WITH_FAKE && query.get('host') === 'fake') {
    const { fakeHost } = await import('./fake');
    return fakeHost(query);
  }
  if ('__TAURI_INTERNALS__' in window) {
    const { tauriHost } = await import('./tauri');
    return tauriHost();
  }
  return null;
}
