/** What the hub says about an answer, in the person's language: its codes are stable. */
import type { DraftAnswer, ProblemDto, QuestionDto } from '../../api/types';
import { i18n } from '../../i18n/index.svelte';
import { readNumber } from './fields/number';
import { momentsOf } from './fields/moment';

/** What must be done about it; the hub's own sentence where its code isn't known here. */
export function problemText(
  question: QuestionDto,
  answer: DraftAnswer,
  problem: ProblemDto,
): string {
  const t = i18n.text.form;
  const f = i18n.format;
  switch (problem.code) {
    case 'required':
    case 'no_answer':
      if (question.kind === 'text' && question.format !== 'boolean') return t.typeAnswer;
      return question.allow_custom && question.kind === 'choice' ? t.chooseOrType : t.chooseOne;
    case 'other_without_text':
      return t.typeOther;
    case 'wrong_format':
      return wrongFormat(question, answer);
    case 'too_small':
      return t.tooSmall(f.plain(question.min ?? 0));
    case 'too_big':
      return t.tooBig(f.plain(question.max ?? 0));
    case 'too_short':
      return t.tooShort(question.min_length ?? 0, lengthOf(answer));
    case 'too_long':
      return t.tooLong(question.max_length ?? 0, lengthOf(answer));
    case 'pattern_mismatch':
      return t.mismatch;
    case 'too_few_selected':
      return t.tooFew(question.min_selected ?? 0);
    case 'too_many_selected':
      return t.tooMany(question.max_selected ?? 0);
    case 'too_large':
      return t.tooLarge;
    default:
      return problem.message;
  }
}

function wrongFormat(question: QuestionDto, answer: DraftAnswer): string {
  const t = i18n.text.form;
  const text = answer.text ?? '';
  const { locale } = i18n.format;
  switch (question.format) {
    case 'integer':
      return readNumber(text, locale, true).kind === 'unclear' ? t.unclear : t.noInteger;
    case 'number':
      return readNumber(text, locale).kind === 'unclear'
        ? t.unclear
        : t.noNumber(i18n.format.plain(3.5));
    case 'email':
      return t.noEmail;
    case 'uri':
      return t.noUri;
    case 'date':
      return t.noDate;
    case 'date-time': {
      const moments = momentsOf(text);
      return moments?.length === 0 ? t.skippedHour : moments?.length === 2 ? t.unclear : t.noMoment;
    }
    default:
      return t.chooseOne;
  }
}

/** As the hub counts: code points, and white space around a format aside. */
function lengthOf(answer: DraftAnswer): number {
  return [...(answer.text ?? '').trim()].length;
}
