import type { QuestionDto } from '../../api/types';
import { revealLine } from '../../primitives/text';

/** What the agent suggests as a start, in words; drawn, never taken as an answer. */
export function suggestion(question: QuestionDto): string | null {
  const value = question.default;
  if (value === null || value === undefined || value === '') return null;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const words = values.map((one) => {
    const option = question.options.find((known) => known.id === one || known.label === one);
    return option?.display_label ?? revealLine(typeof one === 'string' ? one : JSON.stringify(one));
  });
  return words.join(', ');
}
