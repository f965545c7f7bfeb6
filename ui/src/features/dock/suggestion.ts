/** What the agent suggests as a start: drawn, taken by one act of the person, never by itself. */
import type { OptionDto, QuestionDto } from '../../api/types';
import { i18n } from '../../i18n/index.svelte';
import { revealLine } from '../../primitives/text';
import { isDate, localOf } from './fields/moment';
import { localNumber } from './fields/number';

export interface Suggestion {
  /** As it would be typed; also for a choice that takes typed text. */
  readonly text: string;
  readonly words: string;
}

/** A suggested text; null for a secret, which nobody else can know. */
export function suggestion(question: QuestionDto): Suggestion | null {
  const value = question.default;
  if (value === null || value === undefined || value === '' || question.secret) return null;
  if (suggestedOptions(question).length > 0) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { text, words: wordsOf(question, text) };
}

/** The options that it names, by id, label or value. */
export function suggestedOptions(question: QuestionDto): readonly OptionDto[] {
  const value = question.default;
  if (value === null || value === undefined) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return question.options.filter((option) => {
    const names: readonly unknown[] = [option.id, option.label, option.value ?? option.id];
    return values.some((one) => names.includes(one));
  });
}

function wordsOf(question: QuestionDto, text: string): string {
  const { format } = i18n;
  if (question.format === 'integer' || question.format === 'number') {
    return revealLine(localNumber(text, format.locale));
  }
  if (question.format === 'date' && isDate(text)) return format.day(text);
  if (question.format === 'date-time' && localOf(text)) return format.full(Date.parse(text));
  return revealLine(text);
}
