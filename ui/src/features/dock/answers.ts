/** Drafts as values: what they hold, and what is submitted from them. No rules, only shapes. */
import type { AnswerInput, BatchDto, Draft, DraftAnswer, QuestionDto } from '../../api/types';

export const NO_ANSWER: Readonly<DraftAnswer> = {
  selected: [],
  other: false,
  text: null,
  notes: null,
  blank: false,
};

/** The saved draft, or an empty one, with an entry for every question. */
export function draftOf(batch: BatchDto): Draft {
  const answers: Draft['answers'] = {};
  for (const question of batch.questions) {
    const saved = batch.draft?.answers[question.id];
    answers[question.id] = structuredClone({ ...NO_ANSWER, ...saved });
  }
  return {
    step: batch.draft?.step ?? 0,
    answers,
    ask_back: batch.draft?.ask_back ?? null,
    collapsed: batch.draft?.collapsed ?? false,
  };
}

/** Whether two drafts hold the same: typed, chosen, and where they stand. */
export function sameDraft(a: Draft, b: Draft): boolean {
  return canonical(a) === canonical(b);
}

function canonical(draft: Draft): string {
  const answers = Object.entries(draft.answers)
    .map(([id, one]) => [id, one.selected, one.other, one.text ?? '', one.notes ?? '', one.blank])
    .filter(([, selected, other, text, notes, blank]) => {
      return (selected as string[]).length > 0 || other || text || notes || blank;
    })
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return JSON.stringify([draft.step, answers, draft.ask_back ?? '', draft.collapsed]);
}

/** The draft as it may be saved: what is secret stays in this window's memory. */
export function saveable(draft: Draft, questions: readonly QuestionDto[]): Draft {
  const saved = structuredClone(draft);
  for (const question of questions) {
    if (question.secret) saved.answers[question.id] = { ...NO_ANSWER, selected: [] };
  }
  return saved;
}

/** A draft as another window saved it, with the secrets that only this one knows. */
export function withSecrets(theirs: Draft, ours: Draft, questions: readonly QuestionDto[]): Draft {
  const answers = { ...theirs.answers };
  for (const question of questions) {
    const answer = ours.answers[question.id];
    if (question.secret && answer) answers[question.id] = answer;
  }
  return { ...theirs, answers };
}

/** What the submit says about one question. */
export function inputOf(question: QuestionDto, answer: DraftAnswer): AnswerInput {
  const notes = answer.notes?.trim() ? answer.notes : null;
  if (answer.blank) return { selected: [], text: null, notes, blank: true };
  const typed = question.kind === 'text' || answer.other;
  return {
    selected: [...answer.selected],
    text: typed && answer.text ? answer.text : null,
    notes,
    blank: false,
  };
}

/** The most characters that still are a name rather than a text. */
const ONE_LINE = 100;

/** Whether a typed answer may run over several lines. */
export function takesLines(question: QuestionDto): boolean {
  if (question.kind !== 'text' || question.format || question.secret) return false;
  return question.pattern === null && (question.max_length ?? Infinity) > ONE_LINE;
}

/** Whether anything was given that the submit would carry as an answer. */
export function isGiven(question: QuestionDto, answer: DraftAnswer): boolean {
  const input = inputOf(question, answer);
  return input.blank || input.selected.length > 0 || !!input.text?.trim();
}

/** Whether the person typed anything that a skip would not send. */
export function hasTyped(draft: Draft): boolean {
  if (draft.ask_back?.trim()) return true;
  return Object.values(draft.answers).some((one) => one.text?.trim() || one.notes?.trim());
}

/** Whether anything typed can be copied afterwards; a secret can't. */
export function hasCopyable(questions: readonly QuestionDto[], draft: Draft): boolean {
  if (draft.ask_back?.trim()) return true;
  return questions.some((question) => {
    const answer = draft.answers[question.id];
    return !!answer?.notes?.trim() || (!question.secret && !!answer?.text?.trim());
  });
}

/** What the person typed and chose, as text to copy. */
export function draftAsText(questions: readonly QuestionDto[], draft: Draft): string {
  const parts: string[] = [];
  for (const question of questions) {
    const answer = draft.answers[question.id];
    if (!answer) continue;
    const labels = question.options
      .filter((option) => answer.selected.includes(option.id))
      .map((option) => option.label);
    const text = question.secret ? null : answer.text;
    const lines = [...labels, text, answer.notes].filter((line) => line?.trim());
    if (lines.length > 0) parts.push([question.question, ...lines].join('\n'));
  }
  if (draft.ask_back?.trim()) parts.push(draft.ask_back);
  return parts.join('\n\n');
}
