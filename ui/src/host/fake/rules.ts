/** The hub's rules, as far as scenes and component tests need them. */
import type {
  AnswerDto,
  AnswerInput,
  BatchDto,
  Draft,
  DraftAnswer,
  ProblemDto,
  QuestionDto,
} from '../../api/types';

const NONE: AnswerInput = { selected: [], text: null, notes: null, blank: false };

export function inputsOf(batch: BatchDto, draft: Draft): Record<string, AnswerInput> {
  return Object.fromEntries(
    batch.questions.map((question) => [question.id, inputOf(question, draft.answers[question.id])]),
  );
}

function inputOf(question: QuestionDto, answer: DraftAnswer | undefined): AnswerInput {
  if (!answer) return NONE;
  const typed = question.kind === 'text' || answer.other;
  return { ...answer, text: typed ? answer.text : null };
}

export function visibleUnder(batch: BatchDto, answers: Record<string, AnswerInput>): boolean[] {
  const shown = new Map<string, boolean>();
  for (const question of batch.questions) {
    const holds = (question.show_when ?? []).every((condition) => {
      const given = shown.get(condition.question) ? (answers[condition.question] ?? NONE) : NONE;
      const options = condition.options ?? [];
      const met =
        options.length > 0
          ? options.some((one) => given.selected.includes(one))
          : given.selected.length > 0 || !!given.text?.trim();
      return met !== (condition.not ?? false);
    });
    shown.set(question.id, holds);
  }
  return [...shown.values()];
}

export function problemsOf(batch: BatchDto, answers: Record<string, AnswerInput>): ProblemDto[] {
  const visible = visibleUnder(batch, answers);
  const problems: ProblemDto[] = [];
  batch.questions.forEach((question, at) => {
    if (!visible[at]) return;
    const message = problemOf(question, answers[question.id] ?? NONE);
    if (message) problems.push({ code: 'invalid', path: `answers.${question.id}`, message });
  });
  return problems;
}

function problemOf(question: QuestionDto, answer: AnswerInput): string | null {
  if (answer.blank) return question.required ? 'This question needs an answer.' : null;
  const text = answer.text?.trim() ?? '';
  if (answer.selected.length === 0 && !text) return 'Choose an option or type an answer.';
  if (question.min_selected && answer.selected.length < question.min_selected) {
    return `Choose at least ${question.min_selected}.`;
  }
  if (question.format === 'integer' && text && !/^-?\d+$/.test(text)) return 'Type a whole number.';
  return null;
}

export function answersFrom(
  batch: BatchDto,
  given: Record<string, AnswerInput>,
): Record<string, AnswerDto> {
  return Object.fromEntries(
    batch.questions.map((question) => {
      const input = given[question.id];
      if (!input) return [question.id, { selected: [], text: null, notes: null, blank: true }];
      const selected = question.options
        .filter((option) => input.selected.includes(option.id))
        .map(({ id, label }) => ({ id, label }));
      return [question.id, { ...input, selected }];
    }),
  );
}
