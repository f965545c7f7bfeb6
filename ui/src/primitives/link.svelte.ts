import { safeUrl } from './markdown';

/** The link about which the person is being asked. */
export const asked: { url: URL | null } = $state({ url: null });

/** Asks before a link of an agent is opened; what can't be opened safely does nothing. */
export function askToOpen(href: string): void {
  asked.url = safeUrl(href);
}
