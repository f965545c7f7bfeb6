/** How the person moves through a batch: choosing, going on, back, submitting, skipping. */
import type { QuestionDto } from '../../api/types';
import { i18n } from '../../i18n/index.svelte';
import { safeUrl } from '../../primitives/markdown';
import { hasTyped, inputOf, isGiven } from './answers';
import { Choosing } from './choosing.svelte';
import { looksLikeCredential } from './credential';
import type { BatchDraft } from './draft.svelte';

/** What *Extend* adds. */
export const EXTEND_SECONDS = 300;

export class Flow {
  /** A dialog that asks before something is sent or lost. */
  asking: 'skip' | 'credential' | null = $state(null);
  /** Rises when the focus should go to the first control of the step. */
  focusStep = $state(0);
  focusNote = $state(0);
  /** The person opened the address of this batch. */
  opened = $state(false);
  /** Said where the person goes on without an answer. */
  hint: string | null = $state(null);
  #noteOpened: string | null = $state(null);
  /** The option that a digit chose, so that the same digit can confirm it. */
  #byDigit: string | null = null;
  /** The texts that the person sends though they look like credentials; no others. */
  #allowed: string | null = null;
  #asked = '';
  #held: (() => Promise<void>) | null = null;

  /** The question on screen: derived by itself, so that other news of the batch don't touch it. */
  readonly question: QuestionDto | undefined = $derived.by(() => this.draft.question);
  readonly choosing: Choosing | null = $derived.by(() =>
    this.question ? new Choosing(this.draft, this.question) : null,
  );

  constructor(
    readonly draft: BatchDraft,
    private readonly via: string,
  ) {}

  /** On this step going on means submitting. */
  get submits(): boolean {
    return !this.question || !this.draft.hasReview;
  }

  /** What can't be opened can't be done, only declined. */
  get unopenable(): boolean {
    const { kind, url } = this.draft.batch;
    return kind === 'url' && !safeUrl(url ?? '');
  }

  get noteOpen(): boolean {
    const { question, choosing } = this;
    if (!question?.allow_notes || !choosing) return false;
    return this.#noteOpened === question.id || !!choosing.answer.notes;
  }

  openNote(): void {
    if (!this.question?.allow_notes) return;
    this.#noteOpened = this.question.id;
    this.focusNote += 1;
  }

  /**
   * A digit: selects and goes on, toggles, or on a second press of its own submits. In the review it
   * goes back to the question of that number.
   */
  async choose(at: number): Promise<void> {
    const { choosing, question } = this;
    if (!question && at < this.draft.questions.length) return this.go(at);
    if (!choosing || !question) return;
    const chosen = choosing.byDigit(at);
    if (chosen === null) return;
    this.hint = null;
    const again = this.#byDigit === chosen && choosing.has(chosen);
    choosing.toggle(chosen);
    this.#byDigit = chosen;
    if (question.multi_select) return;
    if (this.draft.hasReview) await this.go(this.draft.step + 1);
    else if (again) await this.submit();
  }

  other(): void {
    if (this.question?.allow_custom) this.choosing?.setOther(true, true);
  }

  toggleBlank(): void {
    const { choosing, question } = this;
    if (!choosing || !question || question.required) return;
    this.hint = null;
    choosing.setBlank(!choosing.answer.blank);
  }

  /** Goes on, or submits on the last step. Nothing chosen: says so first, then lets it pass. */
  async next(): Promise<void> {
    const { question } = this;
    // What has no questions is accepted by its button, never by a stray Enter.
    if (this.draft.batch.questions.length === 0) return;
    if (this.submits) return this.submit();
    if (question && !isGiven(question, this.draft.answer(question)) && this.hint === null) {
      const t = i18n.text.dock;
      this.hint = question.required ? t.nothingYet : t.nothingYetBlank;
      return;
    }
    const step = this.draft.step;
    // The answer just given decides which question comes next.
    await this.draft.flush();
    if (question && this.#stopsAt(question)) return;
    await this.go(step + 1);
  }

  /** What was given can't be sent as it is: said once, then passed over until the review. */
  #stopsAt(question: QuestionDto): boolean {
    const said = this.draft.shown.includes(question.id);
    if (said || !isGiven(question, this.draft.answer(question))) return false;
    if (!this.draft.problem(question)) return false;
    this.draft.show(question);
    this.focusStep += 1;
    return true;
  }

  async back(): Promise<void> {
    if (this.draft.step > 0) await this.go(this.draft.step - 1);
  }

  async go(step: number): Promise<void> {
    this.hint = null;
    this.#byDigit = null;
    await this.draft.go(step);
    this.focusStep += 1;
  }

  /** From anywhere: submits what is complete, else goes on from where the person is. */
  async submitOrGoOn(): Promise<void> {
    await this.draft.check();
    if (this.submits || this.draft.missing.length === 0) await this.submit();
    else await this.next();
  }

  async submit(): Promise<void> {
    if (this.unopenable) return;
    if (this.#holds([], () => this.submit())) return;
    const sent = await this.draft.submit(this.via);
    if (!sent) this.focusStep += 1;
  }

  /** The person has seen that a text looks like a credential. */
  async sendAllTheSame(): Promise<void> {
    this.asking = null;
    this.#allowed = this.#asked;
    await this.#held?.();
  }

  /** Declines; asks once when something typed would not be sent. */
  async skip(): Promise<void> {
    if (hasTyped(this.draft.draft) && this.asking !== 'skip') {
      this.asking = 'skip';
      return;
    }
    this.asking = null;
    await this.draft.dismiss(this.via);
  }

  askBack(): void {
    this.draft.askingBack = true;
  }

  /** Leaves the ask-back; its text stays in the draft. */
  leaveAskBack(): void {
    this.draft.askingBack = false;
    this.focusStep += 1;
  }

  async sendAskBack(): Promise<void> {
    const message = this.draft.draft.ask_back?.trim();
    if (!message || this.#holds([message], () => this.sendAskBack())) return;
    await this.draft.askBack(message, this.via);
  }

  /** The choice in the inbox is over: its digit confirms nothing any more. */
  forgetDigit(): void {
    this.#byDigit = null;
  }

  /** Asks before something that looks like a credential is sent; `act` is what waits for it. */
  #holds(more: readonly string[], act: () => Promise<void>): boolean {
    const texts = [...more, ...this.draft.questions.flatMap((one) => this.#visibleTexts(one))];
    this.#asked = JSON.stringify(texts);
    if (this.#asked === this.#allowed || !texts.some(looksLikeCredential)) return false;
    this.#held = act;
    this.asking = 'credential';
    return true;
  }

  /** What is typed for a question, unless a secret is just what was asked for. */
  #visibleTexts(question: QuestionDto): string[] {
    if (question.secret) return [];
    const { text, notes } = inputOf(question, this.draft.answer(question));
    return [text, notes].filter((one) => typeof one === 'string');
  }
}
