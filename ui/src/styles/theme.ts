/** Sets the theme on the document and follows the system where the setting says so. */
const DARK = matchMedia('(prefers-color-scheme: dark)');

let wanted = 'system';

export function applyTheme(theme: string): void {
  wanted = theme;
  const dark = wanted === 'dark' || (wanted !== 'light' && DARK.matches);
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
}

DARK.addEventListener('change', () => applyTheme(wanted));
