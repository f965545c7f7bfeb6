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

/** What the hub's readers take, near enough. */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  integer: /^[+-]?\d+$/,
  number: /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i,
  boolean: /^(?:true|false|yes|no)$/i,
  email: /^[^\s@<>,]+@[^\s@<>,]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i,
};

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
    const code = problemOf(question, answers[question.id] ?? NONE);
    if (code) problems.push({ code, path: `answers.${question.id}`, message: `Hub: ${code}.` });
  });
  return problems;
}

/** The hub's own code for what is wrong. */
function problemOf(question: QuestionDto, answer: AnswerInput): string | null {
  if (answer.blank) return question.required ? 'required' : null;
  const text = answer.text?.trim() ?? '';
  const chosen = answer.selected.length + (text ? 1 : 0);
  if (chosen === 0) return 'no_answer';
  if (chosen < (question.min_selected ?? 0)) return 'too_few_selected';
  if (chosen > (question.max_selected ?? Infinity)) return 'too_many_selected';
  return text ? typedProblem(question, text) : null;
}

function typedProblem(question: QuestionDto, text: string): string | null {
  const format = question.format === null ? undefined : FORMATS[question.format];
  if (format && !format.test(text)) return 'wrong_format';
  const isNumber = question.format === 'integer' || question.format === 'number';
  if (isNumber && Number(text) < (question.min ?? -Infinity)) return 'too_small';
  if (isNumber && Number(text) > (question.max ?? Infinity)) return 'too_big';
  const length = [...text].length;
  if (length < (question.min_length ?? 0)) return 'too_short';
  if (length > (question.max_length ?? Infinity)) return 'too_long';
  const pattern = question.pattern === null ? null : new RegExp(question.pattern, 'u');
  return pattern && !pattern.test(text) ? 'pattern_mismatch' : null;
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
