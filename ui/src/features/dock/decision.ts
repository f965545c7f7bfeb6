/** What an option of a permission does, as its value or id says; its label is the agent's own. */
import type { OptionDto } from '../../api/types';

export type Decision = 'once' | 'always' | 'reject' | 'never';

const DECISIONS = new Map<unknown, Decision>(
  Object.entries({
    allow_once: 'once',
    allow: 'once',
    accept: 'once',
    approve: 'once',
    allow_always: 'always',
    always_allow: 'always',
    reject_once: 'reject',
    reject: 'reject',
    deny: 'reject',
    decline: 'reject',
    ignore: 'reject',
    reject_always: 'never',
  }),
);

/** Null where the request doesn't say. */
export function decisionOf(option: OptionDto): Decision | null {
  return DECISIONS.get(option.value) ?? DECISIONS.get(option.id) ?? null;
}
