/**
 * The person's work on one pending batch. Kept apart from the model, so that events never disturb a
 * field: an echo of our own save is recognised by its revision and changes nothing on screen.
 */
import type {
  BatchDto,
  Draft,
  DraftAnswer,
  Outcome,
  ProblemDto,
  QuestionDto,
} from '../../api/types';
import { toWireError, type Host } from '../../host/host';
import type { WireError } from '../../api/types';
import { draftOf, inputOf, isGiven, NO_ANSWER, sameDraft, saveable, withSecrets } from './answers';

/** A change is saved at most this long after it was made. */
const SAVE_MS = 250;
/** The clock's pause is renewed at most this often; the lease is 15 s. */
const ACTIVITY_MS = 5_000;
const RETRY_MS = 2_000;
/** As often another window may be ahead before ours waits for it to come to rest. */
const MOST_STALE = 3;

/** What the draft tells its window. */
export interface DraftEvents {
  /** The hub ended the batch by our act, or had ended it already. */
  ended(outcome: Outcome, byUs: boolean): void;
  /** Something failed; what was typed is kept. */
  failed(error: WireError): void;
  /** The hub knows the batch otherwise than we do: take it anew. */
  replaced(batch: BatchDto): void;
}

export class BatchDraft {
  /** What is asked. Immutable but for its status, deadline and presence. */
  batch: BatchDto = $state.raw()!;
  /** What the person has done so far. Edit it with {@link edit}. */
  draft: Draft = $state()!;
  /** For each question, whether it is shown, as the hub last said. */
  visible: readonly boolean[] = $state.raw([]);
  /** What still stops a submit; null until the hub has said so once. */
  problems: readonly ProblemDto[] | null = $state.raw(null);
  /** Questions for which a missing answer was pointed out. */
  shown: readonly string[] = $state.raw([]);
  /** A submit, skip or ask-back is under way. */
  sending = $state(false);
  /** The ask-back field is open. */
  askingBack = $state(false);

  #rev = 0;
  /** As last saved or received. */
  #saved: Draft;
  #saving: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Another window's save that came while ours was under way. */
  #theirs: BatchDto | null = null;
  #activityAt = -Infinity;
  #answerId = crypto.randomUUID();
  #closed = false;
  #stale = 0;

  constructor(
    private readonly host: Host,
    batch: BatchDto,
    private readonly events: DraftEvents,
  ) {
    this.batch = batch;
    this.draft = draftOf(batch);
    this.visible = batch.visible;
    this.#rev = batch.draft_rev;
    this.#saved = draftOf(batch);
    this.askingBack = !!this.draft.ask_back;
  }

  /** The questions on show, in order. */
  get questions(): readonly QuestionDto[] {
    return this.batch.questions.filter((_, at) => this.visible[at] ?? true);
  }

  /** A batch with a single question needs no review. */
  get hasReview(): boolean {
    return this.batch.questions.length > 1;
  }

  /** The step on screen; the number of questions: the review. */
  get step(): number {
    const last = this.hasReview ? this.questions.length : this.questions.length - 1;
    return Math.max(0, Math.min(this.draft.step, last));
  }

  /** The question on screen; absent in the review. */
  get question(): QuestionDto | undefined {
    return this.questions[this.step];
  }

  answer(question: QuestionDto): DraftAnswer {
    return this.draft.answers[question.id] ?? { ...NO_ANSWER };
  }

  /** What stops the answer to this question, if anything does. */
  problem(question: QuestionDto): ProblemDto | undefined {
    const given = this.draft.answers[question.id];
    const path = `answers.${question.id}`;
    const found = this.problems?.find((one) => {
      return one.path === path || one.path.startsWith(`${path}.`);
    });
    // The hub never sees an unsent secret, so it can't know that it is there.
    const unseen = question.secret && given && isGiven(question, given);
    return unseen && found?.code === 'no_answer' ? undefined : found;
  }

  /** The visible questions that still lack an acceptable answer. */
  get missing(): readonly QuestionDto[] {
    return this.questions.filter((question) => this.problem(question));
  }

  /** From now on what is wrong with the answer to this question is said beside it. */
  show(question: QuestionDto): void {
    if (!this.shown.includes(question.id)) this.shown = [...this.shown, question.id];
  }

  /** Changes the answer to a question and saves it soon. */
  edit(question: QuestionDto, change: (answer: DraftAnswer) => void): void {
    const answer = (this.draft.answers[question.id] ??= { ...NO_ANSWER, selected: [] });
    change(answer);
    // The hub said it of the secret that was sent; of this one it has seen nothing yet.
    if (question.secret) this.problems = withoutProblems(this.problems, question);
    this.#answerId = crypto.randomUUID();
    this.#changed();
  }

  /** Changes what isn't an answer: the ask-back's text, the collapse. */
  note(change: (draft: Draft) => void): void {
    change(this.draft);
    this.#changed();
  }

  /** Goes to a step and saves at once. */
  async go(step: number): Promise<void> {
    this.draft.step = step;
    this.shown = this.shown.filter((id) => id !== this.question?.id);
    await this.flush();
  }

  /** Saves what is unsaved and waits for what the hub says about it. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (!this.#closed && (this.#saving || !this.#isSaved())) {
      const saving = (this.#saving ??= this.#save().finally(() => (this.#saving = null)));
      await saving;
      if (this.#timer) break;
    }
  }

  /** Asks the hub once what a submit lacks, when nothing was saved by this window yet. */
  async check(): Promise<void> {
    await this.flush();
    if (this.problems === null && !this.#closed) {
      this.#saving ??= this.#save().finally(() => (this.#saving = null));
      await this.#saving;
    }
  }

  /** Takes the batch as an event brought it. */
  receive(batch: BatchDto): void {
    // The same questions stay the same objects, so that nothing of them is drawn again.
    const same = batch.content_hash === this.batch.content_hash;
    this.batch = same ? { ...batch, questions: this.batch.questions } : batch;
    if (batch.draft_rev <= this.#rev) return;
    if (this.#saving) this.#theirs = batch;
    else this.#takeTheirs(batch);
  }

  /** The person did something here: the clock pauses. */
  activity(): void {
    if (!this.batch.deadline || this.#closed) return;
    const now = performance.now();
    if (now - this.#activityAt < ACTIVITY_MS) return;
    this.#activityAt = now;
    // A missed pause costs nothing now; the next input asks again.
    this.host.call('batch.activity', { id: this.batch.id }).catch(() => undefined);
  }

  /** Sends the answers, or points out what is missing and goes there. False: not sent. */
  async submit(via: string): Promise<boolean> {
    if (this.sending || this.#closed) return false;
    this.sending = true;
    try {
      await this.check();
      if (this.#closed) return false;
      if (this.missing.length > 0) {
        await this.#pointOut();
        return false;
      }
      return await this.#end('batch.answer', {
        ...this.#act(via),
        answers: this.#inputs(),
        reply: null,
      });
    } finally {
      this.sending = false;
    }
  }

  /** Declines to answer. */
  async dismiss(via: string): Promise<boolean> {
    return this.#exclusively(() => this.#end('batch.dismiss', this.#act(via)));
  }

  /** Ends the batch with a question back to the agent and the answers so far. */
  async askBack(message: string, via: string): Promise<boolean> {
    return this.#exclusively(async () => {
      await this.flush();
      if (this.#closed) return false;
      const answers = this.#inputs();
      for (const question of this.questions) {
        if (!isGiven(question, this.answer(question))) delete answers[question.id];
      }
      return this.#end('batch.ask_back', { ...this.#act(via), message, answers });
    });
  }

  async extend(seconds: number): Promise<void> {
    try {
      this.receive(await this.host.call('batch.extend', { id: this.batch.id, seconds }));
    } catch (error) {
      this.#refused(toWireError(error));
    }
  }

  /** The batch has ended; nothing is saved any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #changed(): void {
    this.activity();
    this.#timer ??= setTimeout(() => void this.flush(), SAVE_MS);
  }

  #isSaved(): boolean {
    return sameDraft(saveable($state.snapshot(this.draft), this.batch.questions), this.#saved);
  }

  async #save(): Promise<void> {
    const draft = saveable($state.snapshot(this.draft), this.batch.questions);
    try {
      const response = await this.host.call('batch.draft', {
        id: this.batch.id,
        draft,
        draft_rev: this.#rev,
      });
      this.#saved = draft;
      this.#rev = response.draft_rev;
      this.#stale = 0;
      this.visible = response.visible;
      this.problems = response.problems;
      const theirs = this.#theirs;
      this.#theirs = null;
      if (theirs && theirs.draft_rev > this.#rev) this.#takeTheirs(theirs);
    } catch (error) {
      await this.#saveFailed(toWireError(error));
    }
  }

  async #saveFailed(error: WireError): Promise<void> {
    this.#theirs = null;
    if (error.code !== 'stale_draft') {
      this.#refused(error);
      this.#saveLater();
      return;
    }
    try {
      // Ours was being edited, so it stays; it is saved again on top of theirs.
      const batch = await this.host.call('batch.get', { id: this.batch.id });
      this.batch = batch;
      this.#rev = batch.draft_rev;
      this.#saved = draftOf(batch);
      if (++this.#stale > MOST_STALE) this.#saveLater();
    } catch (again) {
      this.#refused(toWireError(again));
      this.#saveLater();
    }
  }

  #saveLater(): void {
    if (!this.#closed) this.#timer ??= setTimeout(() => void this.flush(), RETRY_MS);
  }

  /** Another window saved: theirs if ours is unchanged, else ours on top of theirs. */
  #takeTheirs(batch: BatchDto): void {
    const unchanged = this.#isSaved();
    this.#rev = batch.draft_rev;
    this.#saved = draftOf(batch);
    if (!unchanged) {
      this.#changed();
      return;
    }
    if (sameDraft(this.#saved, saveable($state.snapshot(this.draft), batch.questions))) return;
    this.draft = withSecrets(draftOf(batch), $state.snapshot(this.draft), batch.questions);
    this.visible = batch.visible;
    this.problems = null;
    this.askingBack = !!this.draft.ask_back;
  }

  async #pointOut(): Promise<void> {
    this.shown = this.missing.map((question) => question.id);
    const first = this.missing[0];
    if (!first) return;
    this.draft.step = this.questions.indexOf(first);
    await this.flush();
  }

  #act(via: string) {
    const { id, content_hash } = this.batch;
    return { id, answer_id: this.#answerId, content_hash, via };
  }

  #inputs() {
    return Object.fromEntries(
      this.questions.map((question) => [
        question.id,
        inputOf(question, $state.snapshot(this.answer(question))),
      ]),
    );
  }

  async #exclusively(act: () => Promise<boolean>): Promise<boolean> {
    if (this.sending || this.#closed) return false;
    this.sending = true;
    try {
      return await act();
    } finally {
      this.sending = false;
    }
  }

  async #end<N extends 'batch.answer' | 'batch.dismiss' | 'batch.ask_back'>(
    name: N,
    request: Parameters<typeof this.host.call<N>>[1],
  ): Promise<boolean> {
    try {
      const outcome: Outcome = await this.host.call(name, request);
      this.close();
      this.events.ended(outcome, true);
      return true;
    } catch (error) {
      this.#refused(toWireError(error));
      return false;
    }
  }

  #refused(error: WireError): void {
    if (error.code === 'already_ended') {
      this.close();
      if (error.outcome) this.events.ended(error.outcome, false);
      return;
    }
    if (error.code === 'stale_content') {
      this.host.call('batch.get', { id: this.batch.id }).then(
        (batch) => this.events.replaced(batch),
        () => undefined,
      );
    }
    if (error.problems?.some((one) => one.path.startsWith('answers.'))) {
      this.problems = error.problems;
      void this.#pointOut();
      return;
    }
    this.events.failed(error);
  }
}

/** The problems but those of one question. */
function withoutProblems(
  problems: readonly ProblemDto[] | null,
  question: QuestionDto,
): readonly ProblemDto[] | null {
  const path = `answers.${question.id}`;
  return problems?.filter(({ path: at }) => at !== path && !at.startsWith(`${path}.`)) ?? null;
}
