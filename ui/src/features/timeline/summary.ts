/** What an ended batch says in a line, and as text to copy. */
import type { AnswerDto, BatchDto, QuestionDto } from '../../api/types';
import type { Catalogue } from '../../i18n/en';
import { reveal } from '../../primitives/text';

/** What was answered to one question; null where nothing was. */
export interface Answered {
  readonly question: QuestionDto;
  readonly answer: AnswerDto | undefined;
}

/** The questions with what was delivered for them: the answers, or the partial ones. */
export function answersOf(batch: BatchDto): readonly Answered[] {
  const outcome = batch.outcome;
  const given = outcome?.status === 'answered' ? outcome.answers : (outcome?.partial ?? {});
  return batch.questions.map((question) => ({ question, answer: given[question.id] }));
}

/** The answer as one line; empty where there is none. */
export function answerLine(
  question: QuestionDto,
  answer: AnswerDto | undefined,
  t: Catalogue['summary'],
): string {
  if (!answer) return '';
  if (answer.blank) return t.blank;
  if (question.secret) return t.secret;
  const labels = answer.selected.map((one) => labelOf(question, one.id, one.label));
  return [...labels, ...(answer.text ? [reveal(answer.text)] : [])].join(' · ');
}

/** The label as it is drawn. */
export function labelOf(question: QuestionDto, id: string, label: string): string {
  return question.options.find((option) => option.id === id)?.display_label ?? reveal(label);
}

/** The question's text as it is drawn. */
export function questionText(question: QuestionDto): string {
  return question.display?.question ?? question.question;
}

/** All answers as text to copy. */
export function answersAsText(batch: BatchDto, t: Catalogue['summary']): string {
  const parts = answersOf(batch)
    .filter(({ answer }) => answer)
    .map(({ question, answer }) => {
      const notes = answer?.notes ? `\n${t.note(answer.notes)}` : '';
      return `${question.question}\n${answerLine(question, answer, t)}${notes}`;
    });
  if (batch.outcome?.message) parts.push(batch.outcome.message);
  return parts.join('\n\n');
}
