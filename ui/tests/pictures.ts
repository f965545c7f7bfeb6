/** Pictures of every view in both themes, into `artefacts/`: `npm run pictures`. */
import { page } from 'vitest/browser';
import { describe, test } from 'vitest';
import { show, VIEWS } from './views';

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each(VIEWS)('$name', async (view) => {
    await show(view, { theme });
    const name = view.name.replace(/\W+/g, '-');
    await page.screenshot({ path: `../artefacts/${name}-${theme}.png` });
  });
});
