/** What a question asks of its answer, said before anything is wrong. */
import type { QuestionDto } from '../../api/types';
import { i18n } from '../../i18n/index.svelte';

export function hintsOf(question: QuestionDto): readonly string[] {
  const hints = [kindOf(question), range(question), length(question), selection(question)];
  if (question.required && question.kind === 'text') hints.push(i18n.text.form.required);
  return hints.filter((hint): hint is string => hint !== null);
}

function kindOf(question: QuestionDto): string | null {
  const t = i18n.text.form;
  switch (question.format) {
    case 'integer':
      return t.integer;
    case 'number':
      return t.number;
    case 'email':
      return t.email;
    case 'uri':
      return t.uri;
    default:
      return null;
  }
}

function range({ format, min, max }: QuestionDto): string | null {
  if (format !== 'integer' && format !== 'number') return null;
  const t = i18n.text.form;
  const plain = (n: number) => i18n.format.plain(n);
  if (min !== null && max !== null) return t.between(plain(min), plain(max));
  if (min !== null) return t.atLeast(plain(min));
  return max === null ? null : t.atMost(plain(max));
}

function length({ min_length: min, max_length: max }: QuestionDto): string | null {
  const t = i18n.text.form;
  if (min !== null && max !== null) {
    return min === max ? t.exactLength(min) : t.lengthBetween(min, max);
  }
  if (min !== null) return t.lengthAtLeast(min);
  return max === null ? null : t.lengthAtMost(max);
}

function selection(question: QuestionDto): string | null {
  if (!question.multi_select) return null;
  const t = i18n.text.form;
  const { min_selected: min, max_selected: max } = question;
  if (min !== null && max !== null) {
    return min === max ? t.chooseExactly(min) : t.chooseBetween(min, max);
  }
  if (min !== null && min > 0) return t.chooseAtLeast(min);
  return max === null ? i18n.text.dock.chooseSome : t.chooseAtMost(max);
}
