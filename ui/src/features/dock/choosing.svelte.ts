/** What the person does with the options of the question on screen. */
import type { DraftAnswer, OptionDto, QuestionDto } from '../../api/types';
import type { BatchDraft } from './draft.svelte';

/** From this many options on, a filter box helps. */
const MANY = 10;

/** The answers to a question of yes or no, in the order of their digits. */
export const TRUTHS = ['true', 'false'] as const;

export class Choosing {
  filter = $state('');
  #looked: string | null = $state(null);

  constructor(
    private readonly draft: BatchDraft,
    readonly question: QuestionDto,
  ) {}

  get answer(): DraftAnswer {
    return this.draft.answer(this.question);
  }

  get filterable(): boolean {
    return this.question.options.length >= MANY;
  }

  /** The options on show, after the filter. */
  get options(): readonly OptionDto[] {
    const wanted = folded(this.filter).split(' ').filter(Boolean);
    if (wanted.length === 0) return this.question.options;
    return this.question.options.filter((option) => {
      const text = folded(`${option.display_label} ${option.description ?? ''}`);
      return wanted.every((word) => text.includes(word));
    });
  }

  /** How many chosen options the filter hides. */
  get hiddenChosen(): number {
    const shown = new Set(this.options.map((option) => option.id));
    return this.answer.selected.filter((id) => !shown.has(id)).length;
  }

  /** What a digit chooses, by position among the options on show; null: nothing. */
  byDigit(at: number): string | null {
    if (this.#isTruth) return TRUTHS[at] ?? null;
    return this.options[at]?.id ?? null;
  }

  /** Whether it is chosen. */
  has(chosen: string): boolean {
    return this.#isTruth ? this.answer.text === chosen : this.answer.selected.includes(chosen);
  }

  get #isTruth(): boolean {
    const { format, kind, secret } = this.question;
    return format === 'boolean' && kind === 'text' && !secret;
  }

  /**
   * The option whose preview is shown, where the question has any: the one looked at, else the
   * chosen, else the first that has one. Never another's in place of one that has none.
   */
  get previewed(): OptionDto | undefined {
    const { options } = this;
    if (!this.question.options.some((one) => one.preview)) return undefined;
    const looked = this.#looked ?? this.answer.selected[0];
    const first = options.find((one) => one.preview) ?? options[0];
    return options.find((one) => one.id === looked) ?? first;
  }

  look(option: string): void {
    this.#looked = option;
  }

  set(option: string, on: boolean): void {
    this.draft.edit(this.question, (answer) => {
      answer.blank = false;
      if (this.question.multi_select) {
        const others = answer.selected.filter((id) => id !== option);
        // In the question's own order, however they were ticked.
        const chosen = new Set(on ? [...others, option] : others);
        answer.selected = this.question.options.map((one) => one.id).filter((id) => chosen.has(id));
      } else if (on) {
        answer.selected = [option];
        answer.other = false;
      }
    });
    this.look(option);
  }

  toggle(option: string): void {
    if (this.#isTruth) return this.type(option);
    const on = this.question.multi_select ? !this.answer.selected.includes(option) : true;
    this.set(option, on);
  }

  /** Chooses *Other*, or clears it; its text is kept either way. */
  setOther(on: boolean, focus: boolean): void {
    this.draft.edit(this.question, (answer) => {
      answer.blank = false;
      answer.other = on;
      if (on && !this.question.multi_select) answer.selected = [];
    });
    if (on && focus) this.wantsField = true;
  }

  /** The field of *Other* should take the focus once it is there. */
  wantsField = $state(false);

  type(text: string): void {
    this.draft.edit(this.question, (answer) => {
      answer.text = text;
      answer.blank = false;
      if (this.question.kind === 'text') answer.other = text.length > 0;
    });
  }

  setNotes(text: string): void {
    this.draft.edit(this.question, (answer) => (answer.notes = text));
  }

  /** Leaves the question blank on purpose, or takes that back; typed text is kept. */
  setBlank(on: boolean): void {
    this.draft.edit(this.question, (answer) => {
      answer.blank = on;
      if (on) {
        answer.selected = [];
        answer.other = false;
      }
    });
  }

  save(): void {
    void this.draft.flush();
  }
}

/** Without case and accents, as a filter compares. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLocaleLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
