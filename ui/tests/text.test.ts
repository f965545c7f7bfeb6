/** Hostile characters in texts of agents, by the vectors that the hub is held to as well. */
import { describe, expect, test } from 'vitest';
import hidden from '../../tests/vectors/hidden.json';
import vectors from '../../tests/vectors/display.json';
import { batch, ended, question } from '../src/host/fake/make';
import { reveal, revealLine } from '../src/primitives/text';
import { all, maybe, one, open, settle } from './window';

describe('texts are shown as by the hub', () => {
  test.each(vectors)('$id', ({ text, shown }) => {
    expect(reveal(text)).toBe(shown ?? text);
  });
});

test('exactly the listed characters are marked between letters', () => {
  const marked: number[][] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const text = `a${String.fromCodePoint(code)}b`;
    // Halves of a pair are no characters; both separators become line breaks.
    if ((code >= 0xd800 && code <= 0xdfff) || code === 0x2028 || code === 0x2029) continue;
    if (reveal(text) === text) continue;
    const last = marked.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else marked.push([code, code]);
  }
  expect(marked).toEqual(hidden);
});

test('a line is one line', () => {
  expect(revealLine('  a\r\n\tb\u00a0 c\u2028d\u000be ')).toBe('a b c d␋e');
});

/** Where the names that an agent gives itself and its things are drawn and said. */
describe('a hidden character in a name is seen', () => {
  const HIDDEN = '\u3164';
  const MARK = '⟨U+3164⟩';

  /** Everything on the page that is read or hovered. */
  function everything(): string {
    const titles = [...document.querySelectorAll('[title], [aria-label], [placeholder]')].flatMap(
      (element) =>
        ['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    return [document.body.textContent, ...titles].join('\n');
  }

  const odd = (name: string) => `${name}${HIDDEN}!`;

  test.each(['dock', 'slim bar', 'inbox'])('in the %s and the sidebar', async (where) => {
    await open(where === 'inbox' ? 'inbox' : 'open', {
      ...(where === 'inbox' ? {} : { session: 'ship' }),
      prepare: (world) => {
        const [one] = world.sessions;
        if (!one) throw new Error('no session');
        Object.assign(one, { agent: odd('Agent'), title: odd('Title'), folder: odd('/Folder') });
        Object.assign(one, { branch: odd('Branch') });
        for (const each of world.batches.filter((batch) => batch.session === one.id)) {
          each.agent = odd('Agent');
          each.session_title = odd('Title');
          each.folder = odd('/Folder');
          each.teammate = odd('Teammate');
          each.origin = { pid: 4127, program: odd('Program') };
          if (where === 'slim bar' && each.draft) each.draft.collapsed = true;
        }
      },
    });
    await settle();
    expect(everything()).not.toContain(HIDDEN);
    for (const name of ['Title', 'Agent']) expect(everything()).toContain(`${name}${MARK}!`);
    if (where !== 'dock') return;
    expect(one('dock-strip').textContent).toContain(`Program${MARK}!`);
    expect(one('dock-strip').textContent).toContain(`Teammate${MARK}!`);
    expect(one('dock-strip').textContent).toContain(`Folder${MARK}!`);
  });

  test('in what screen readers are told', async () => {
    const hub = await open('idle', { session: 'ship' });
    const [first] = hub.world.sessions;
    if (!first) throw new Error('no session');
    const asks = [question({ question: odd('Well') })];
    hub.ask(batch(first, { number: 77, agent: odd('Agent'), questions: asks }));
    await settle();
    expect(one('live-polite').textContent).toBe(`Agent${MARK}! asks: Well${MARK}!`);
  });

  test('in who ended a batch', async () => {
    const hub = await open('open', { session: 'ship' });
    await settle();
    hub.change('0199-42', (batch) =>
      ended(batch, { responder: { kind: 'api_key', id: odd('key'), via: odd('robot') } }),
    );
    await settle();
    expect(maybe('notice')?.textContent).toContain(`key${MARK}!`);
    expect(all('notice')[0]?.textContent).toContain(`robot${MARK}!`);
    expect(everything()).not.toContain(HIDDEN);
  });
});
