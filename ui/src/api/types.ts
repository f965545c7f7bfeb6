// Generated from crates/askdock-wire by `cargo xtask codegen`. Do not edit.

export type AnswerDto = { 
/**
 * The selected options.
 */
selected: Array<SelectedDto>, 
/**
 * Typed text.
 */
text: string | null, 
/**
 * A note.
 */
notes: string | null, 
/**
 * Left blank on purpose, or hidden.
 */
blank?: boolean, };

export type AnswerInput = { 
/**
 * Option ids or labels.
 */
selected: Array<string>, 
/**
 * Typed text.
 */
text: string | null, 
/**
 * A note.
 */
notes: string | null, 
/**
 * A deliberate blank.
 */
blank: boolean, };

export type AskRequest = { 
/**
 * What the model or script sent, in `dialect`; anything the normaliser reads.
 */
input: unknown, 
/**
 * The ask format; default `askdock`.
 */
dialect?: string | null, 
/**
 * In which session.
 */
session: SessionRef, 
/**
 * The caller's turn id, if it uses turns.
 */
turn?: string | null, 
/**
 * Explicit key: the same key in the same session and turn is the same ask.
 */
request_id?: string | null, 
/**
 * Derived keys, strongest first; they re-attach only a batch without a live waiter.
 */
call_keys?: Array<string>, 
/**
 * The content itself is the weakest derived key. Sent by clients that wait and acknowledge.
 */
resume?: boolean, 
/**
 * Seconds until it expires; overrides the input's own.
 */
timeout_seconds?: number | null, 
/**
 * `CI` is set in the asker's environment: nobody is there unless `wait_for_person`.
 */
unattended?: boolean, 
/**
 * Ask even when no person can be reached now.
 */
wait_for_person?: boolean, };

export type AskResponse = { 
/**
 * The batch's id (UUIDv7).
 */
id: string, 
/**
 * Its person-friendly number.
 */
number: number, 
/**
 * The session's id.
 */
session: string, 
/**
 * Shows that later calls come from the same asker; send it as `askdock-session-secret`.
 */
session_secret: string, 
/**
 * `pending`, or how it had ended already (re-attached).
 */
status: BatchStatus, 
/**
 * False when this ask re-attached to an earlier batch.
 */
created: boolean, 
/**
 * Hash of what is shown.
 */
content_hash: string, 
/**
 * When it expires.
 */
deadline: string | null, 
/**
 * How the input was changed to be read.
 */
warnings: Array<ProblemDto>, 
/**
 * The outcome, when it has ended.
 */
outcome: Outcome | null, };

export type Author = "person" | "agent" | "system";

export type BatchDto = { 
/**
 * UUIDv7.
 */
id: string, 
/**
 * Person-friendly number.
 */
number: number, 
/**
 * `questions`, `permission`, `confirm` or `url`.
 */
kind: string, 
/**
 * `normal` or `high`.
 */
risk: string, 
/**
 * Why the agent asks.
 */
context: string | null, 
/**
 * Message of a `confirm` or `url` batch.
 */
message: string | null, 
/**
 * Address of a `url` batch.
 */
url: string | null, 
/**
 * The session that asked.
 */
session: string, 
/**
 * Every session whose timeline and dock show it: the asking one, then its ancestors.
 */
shown_in: Array<string>, 
/**
 * The agent's name as registered.
 */
agent: string, 
/**
 * The session's title.
 */
session_title: string, 
/**
 * The agent's folder.
 */
folder: string | null, 
/**
 * The asking process, where the peer's credentials give it.
 */
origin: OriginDto | null, 
/**
 * The asking turn.
 */
turn: string | null, 
/**
 * The child that asked.
 */
teammate: string | null, 
/**
 * Where it stands.
 */
status: BatchStatus, 
/**
 * The questions.
 */
questions: Array<QuestionDto>, 
/**
 * RFC 3339.
 */
asked_at: string, 
/**
 * RFC 3339; absent: no limit.
 */
deadline: string | null, 
/**
 * When the running pause of the clock began; the time left is `deadline - paused_since`.
 */
paused_since: string | null, 
/**
 * Nobody waits on it: the agent is away.
 */
away: boolean, 
/**
 * Hash of what was asked.
 */
content_hash: string, 
/**
 * Rises with each saved draft; 0: none.
 */
draft_rev: number, 
/**
 * The saved draft.
 */
draft: Draft | null, 
/**
 * For each question, whether it is shown under the saved draft.
 */
visible: Array<boolean>, 
/**
 * The outcome, once ended.
 */
outcome: Outcome | null, 
/**
 * When the asking client took the outcome.
 */
delivered_at: string | null, };

export type BatchStatus = "pending" | "answered" | "dismissed" | "expired" | "cancelled";

export type BatchSummary = { 
/**
 * Person-friendly number.
 */
number: number, 
/**
 * UUIDv7.
 */
id: string, 
/**
 * Session id.
 */
session: string, 
/**
 * Agent name.
 */
agent: string, 
/**
 * Where it stands.
 */
status: BatchStatus, 
/**
 * Nobody waits on it.
 */
away: boolean, 
/**
 * The questions' texts.
 */
questions: Array<string>, 
/**
 * RFC 3339.
 */
asked_at: string, 
/**
 * RFC 3339.
 */
deadline: string | null, };

export type Code = "not_found" | "already_ended" | "invalid" | "too_large" | "stale_draft" | "stale_content" | "answer_id_reused" | "key_conflict" | "forbidden" | "unauthorized" | "unavailable" | "storage_full" | "no_person" | "turn_closed" | "wire_version" | "internal";

export type ConditionDto = { 
/**
 * Id of the earlier question.
 */
question: string, 
/**
 * Any of these; empty: any answer at all.
 */
options?: Array<string>, 
/**
 * Inverts.
 */
not?: boolean, };

export type Delta = { "type": "snapshot", "data": Snapshot } | { "type": "session", "data": SessionDto } | { "type": "session_deleted", "data": string } | { "type": "batch", "data": BatchDto } | { "type": "message", "data": MessageDto } | { "type": "settings", "data": Settings };

export type DisplayTexts = { 
/**
 * Of the header.
 */
header: string | null, 
/**
 * Of the question.
 */
question: string, 
/**
 * Of the description.
 */
description: string | null, 
/**
 * Of the placeholder.
 */
placeholder: string | null, };

export type Draft = { 
/**
 * Position of the question on screen; the number of visible questions: the review.
 */
step: number, 
/**
 * By question id.
 */
answers: { [key in string]: DraftAnswer }, 
/**
 * Text of an ask-back being written.
 */
ask_back: string | null, 
/**
 * The dock is collapsed to the slim bar.
 */
collapsed: boolean, };

export type DraftAnswer = { 
/**
 * Option ids.
 */
selected: Array<string>, 
/**
 * *Other* is chosen (its text may still be empty).
 */
other: boolean, 
/**
 * Typed text, kept even while *Other* isn't chosen.
 */
text: string | null, 
/**
 * Note.
 */
notes: string | null, 
/**
 * *Leave blank* is chosen.
 */
blank: boolean, };

export type ErrorBody = { 
/**
 * The error.
 */
error: WireError, };

export type Event = { 
/**
 * Strictly rising, over restarts too.
 */
seq: number, } & ({ "type": "snapshot", "data": Snapshot } | { "type": "session", "data": SessionDto } | { "type": "session_deleted", "data": string } | { "type": "batch", "data": BatchDto } | { "type": "message", "data": MessageDto } | { "type": "settings", "data": Settings });

export type MessageDto = { 
/**
 * Rises in posting order.
 */
id: number, 
/**
 * Session id.
 */
session: string, 
/**
 * Who wrote it.
 */
author: Author, 
/**
 * Markdown.
 */
text: string, 
/**
 * RFC 3339.
 */
posted_at: string, 
/**
 * When the agent took it; for the person's messages. Absent: queued for the agent.
 */
delivered_at: string | null, };

export type OptionDto = { 
/**
 * Unique in the question.
 */
id: string, 
/**
 * Exactly as sent.
 */
label: string, 
/**
 * What to draw: without `(Recommended)`, hostile characters as visible marks.
 */
display_label: string, 
/**
 * Explanation, exactly as sent.
 */
description: string | null, 
/**
 * What to draw as the explanation, where it holds hostile characters.
 */
display_description?: string | null, 
/**
 * Any JSON, untouched.
 */
value?: unknown, 
/**
 * Shown beside the option.
 */
preview?: PreviewDto | null, 
/**
 * Draws a badge; never preselects.
 */
recommended: boolean, };

export type OriginDto = { 
/**
 * Process id.
 */
pid: number, 
/**
 * Program name.
 */
program: string, };

export type Outcome = { 
/**
 * Which of the four ends.
 */
status: BatchStatus, 
/**
 * UUIDv7.
 */
batch: string, 
/**
 * Person-friendly number.
 */
number: number, 
/**
 * Why, for ends other than `answered`.
 */
reason?: string | null, 
/**
 * By question id; hidden questions blank. Empty unless answered.
 */
answers: { [key in string]: AnswerDto }, 
/**
 * Question ids in order.
 */
order: Array<string>, 
/**
 * The answers whose question id the caller gave.
 */
answers_by_id: { [key in string]: AnswerDto }, 
/**
 * The person's message when asked back.
 */
message?: string | null, 
/**
 * The answers given so far when asked back, by question id.
 */
partial?: { [key in string]: AnswerDto } | null, 
/**
 * Who ended it.
 */
responder: ResponderDto, 
/**
 * RFC 3339.
 */
asked_at: string, 
/**
 * RFC 3339.
 */
ended_at: string, 
/**
 * Hash of what was asked.
 */
content_hash: string, 
/**
 * One sentence for the model.
 */
guidance: string | null, 
/**
 * How the ask was changed to be read.
 */
warnings: Array<ProblemDto>, };

export type PreviewDto = { 
/**
 * `markdown`, `code` or `diff`.
 */
kind: string, 
/**
 * The text.
 */
text: string, };

export type ProblemDto = { 
/**
 * Stable code.
 */
code: string, 
/**
 * JSON path; empty for the whole.
 */
path: string, 
/**
 * One sentence.
 */
message: string, };

export type QuestionDto = { 
/**
 * Unique in the batch.
 */
id: string, 
/**
 * Whether the caller chose the id.
 */
id_given: boolean, 
/**
 * Short label.
 */
header: string | null, 
/**
 * At most 12 grapheme clusters, for chips and buttons; never empty.
 */
short_header: string, 
/**
 * The text.
 */
question: string, 
/**
 * Longer explanation.
 */
description: string | null, 
/**
 * `choice` or `text`.
 */
kind: QuestionKindDto, 
/**
 * In order.
 */
options: Array<OptionDto>, 
/**
 * Several may be selected.
 */
multi_select: boolean, 
/**
 * A typed answer is permitted.
 */
allow_custom: boolean, 
/**
 * A note is permitted.
 */
allow_notes: boolean, 
/**
 * Conditions, all of which must hold.
 */
show_when?: Array<ConditionDto>, 
/**
 * No deliberate blank.
 */
required: boolean, 
/**
 * A suggested start.
 */
default?: unknown, 
/**
 * Hint in the empty field.
 */
placeholder: string | null, 
/**
 * Masked.
 */
secret: boolean, 
/**
 * Fewest selected.
 */
min_selected: number | null, 
/**
 * Most selected.
 */
max_selected: number | null, 
/**
 * Format of a typed answer: `integer`, `number`, `boolean`, `email`, `uri`, `date`,
 * `date-time`.
 */
format: string | null, 
/**
 * Smallest number.
 */
min: number | null, 
/**
 * Largest number.
 */
max: number | null, 
/**
 * Fewest characters.
 */
min_length: number | null, 
/**
 * Most characters.
 */
max_length: number | null, 
/**
 * Regular expression.
 */
pattern: string | null, 
/**
 * What to draw instead of the texts, where they hold hostile characters.
 */
display?: DisplayTexts | null, };

export type QuestionKindDto = "choice" | "text";

export type ResponderDto = { 
/**
 * `user`, `api_key`, `channel` or `system`.
 */
kind: string, 
/**
 * Which one.
 */
id: string, 
/**
 * The surface.
 */
via: string, 
/**
 * Process id of a command that answered.
 */
pid?: number | null, 
/**
 * Its program.
 */
program?: string | null, };

export type SelectedDto = { 
/**
 * Option id.
 */
id: string, 
/**
 * Label.
 */
label: string, 
/**
 * The option's value, untouched.
 */
value?: unknown, };

export type SessionDto = { 
/**
 * Stable id.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * Agent name as registered.
 */
agent: string, 
/**
 * Folder.
 */
folder: string | null, 
/**
 * Git branch.
 */
branch: string | null, 
/**
 * Parent session as claimed by the agent.
 */
parent: string | null, 
/**
 * RFC 3339.
 */
created_at: string, 
/**
 * RFC 3339.
 */
last_activity_at: string, 
/**
 * A client of the session waits right now.
 */
connected: boolean, 
/**
 * Pending batches somebody waits on.
 */
pending: number, 
/**
 * Pending batches whose agent is away.
 */
away: number, 
/**
 * Ended batches.
 */
answered: number, 
/**
 * Kept at the top.
 */
pinned: boolean, 
/**
 * Hidden from the list.
 */
archived: boolean, 
/**
 * The composer's unsent text.
 */
composer: string, };

export type SessionRef = { 
/**
 * The conversation id that the client gives.
 */
id: string | null, 
/**
 * Title to show.
 */
title: string | null, 
/**
 * The agent's name as it registers itself.
 */
agent: string | null, 
/**
 * Canonical folder in which the agent works.
 */
folder: string | null, 
/**
 * Git branch of the folder.
 */
branch: string | null, 
/**
 * The parent session's id, when a child asks.
 */
parent: string | null, 
/**
 * The child's name, shown with the batch.
 */
teammate: string | null, };

export type Settings = { 
/**
 * `light`, `dark` or `system`.
 */
theme: string, 
/**
 * Catalogue language, `system` follows the platform.
 */
language: string, 
/**
 * Enter sends and Shift+Enter breaks the line; false: the other way round.
 */
enter_sends: boolean, 
/**
 * Closing the window keeps the hub running.
 */
keep_running: boolean, 
/**
 * The person was told that closing keeps it running.
 */
told_keep_running: boolean, 
/**
 * Notifications are shown.
 */
notifications: boolean, 
/**
 * Notifications hide the question's text.
 */
hide_text: boolean, 
/**
 * Notifications make a sound.
 */
sound: boolean, 
/**
 * Seconds after which an ask without its own limit expires; 0: never.
 */
default_timeout_seconds: number, 
/**
 * Hours after which a batch without a waiter is withdrawn; 0: never.
 */
abandon_after_hours: number, 
/**
 * RFC 3339; notifications are paused until then.
 */
paused_until: string | null, };

export type Snapshot = { 
/**
 * The last event contained.
 */
seq: number, 
/**
 * Identifies this run of the hub.
 */
hub: string, 
/**
 * All sessions, archived ones too, newest activity first.
 */
sessions: Array<SessionDto>, 
/**
 * All pending batches, oldest first.
 */
pending: Array<BatchDto>, 
/**
 * The settings.
 */
settings: Settings, };

export type TurnDto = { 
/**
 * The caller's id.
 */
id: string, 
/**
 * Session id.
 */
session: string, 
/**
 * `open`, `finalizing`, `finished`, `interrupted` or `failed`.
 */
state: string, };

export type WireError = { 
/**
 * The stable code.
 */
code: Code, 
/**
 * One sentence saying what to do.
 */
message: string, 
/**
 * Where the input was not accepted.
 */
problems?: Array<ProblemDto>, 
/**
 * For `already_ended`: how it ended and by whom.
 */
outcome?: Outcome | null, };

export type AnswerRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * By question id (else text, header, index), or a list by position.
 */
answers: Record<string, AnswerInput>, 
/**
 * A typed reply.
 */
reply: string | null, 
/**
 * The answerer's id for this act; the same id and content: the first result again.
 */
answer_id: string | null, 
/**
 * Hash of what the person saw.
 */
content_hash: string | null, 
/**
 * The surface: `dock`, `quick`, `notification`, `cli` …
 */
via: string | null, };

export type AskBackRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * The person's message; not blank.
 */
message: string, 
/**
 * The answers so far, as in a submit; incomplete ones are left out.
 */
answers: { [key in string]: AnswerInput }, 
/**
 * The answerer's id for this act.
 */
answer_id: string | null, 
/**
 * Hash of what the person saw.
 */
content_hash: string | null, 
/**
 * The surface.
 */
via: string | null, };

export type AskBody = { 
/**
 * What the model or script sent, in `dialect`; anything the normaliser reads.
 */
input: unknown, 
/**
 * The ask format; default `askdock`.
 */
dialect?: string | null, 
/**
 * In which session.
 */
session: SessionRef, 
/**
 * The caller's turn id, if it uses turns.
 */
turn?: string | null, 
/**
 * Explicit key: the same key in the same session and turn is the same ask.
 */
request_id?: string | null, 
/**
 * Derived keys, strongest first; they re-attach only a batch without a live waiter.
 */
call_keys?: Array<string>, 
/**
 * The content itself is the weakest derived key. Sent by clients that wait and acknowledge.
 */
resume?: boolean, 
/**
 * Seconds until it expires; overrides the input's own.
 */
timeout_seconds?: number | null, 
/**
 * `CI` is set in the asker's environment: nobody is there unless `wait_for_person`.
 */
unattended?: boolean, 
/**
 * Ask even when no person can be reached now.
 */
wait_for_person?: boolean, };

export type BatchRef = { 
/**
 * UUID, number or `#number`.
 */
id: string, };

export type CancelRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * Why.
 */
reason: string | null, };

export type DismissRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * The answerer's id for this act.
 */
answer_id: string | null, 
/**
 * Hash of what the person saw.
 */
content_hash: string | null, 
/**
 * The surface.
 */
via: string | null, };

export type Done = Record<symbol, never>;

export type DraftRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * The draft.
 */
draft: Draft, 
/**
 * The revision on which it is based; another one saved meanwhile: `stale_draft`.
 */
draft_rev: number | null, };

export type DraftResponse = { 
/**
 * The new revision.
 */
draft_rev: number, 
/**
 * For each question, whether it is shown.
 */
visible: Array<boolean>, 
/**
 * What still stops a submit, by path `answers.<question id>`.
 */
problems: Array<ProblemDto>, };

export type ExtendRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * Seconds, 1 to 86400.
 */
seconds: number, };

export type Health = { 
/**
 * Version of the hub's program.
 */
version: string, 
/**
 * Wire version.
 */
wire: number, 
/**
 * Process id.
 */
pid: number, 
/**
 * Identifies this run of the hub.
 */
hub: string, 
/**
 * `desktop` or `serve`.
 */
kind: string, 
/**
 * Pending batches somebody waits on.
 */
pending: number, 
/**
 * Pending batches whose agent is away.
 */
away: number, 
/**
 * Whether a person can be reached, and by what.
 */
reachable_by: Array<string>, };

export type ListRequest = { 
/**
 * `pending` (default) or `all`, or one of the ends.
 */
status: string | null, 
/**
 * Of this session.
 */
session: string | null, 
/**
 * Of this turn.
 */
turn: string | null, 
/**
 * Only numbers above this.
 */
after: number | null, 
/**
 * At most this many; default 1000.
 */
limit: number | null, };

export type MessageListRequest = { 
/**
 * Session id.
 */
session: string, 
/**
 * Only ids above this.
 */
after: number | null, 
/**
 * Only the person's queued ones, marked delivered by this call.
 */
take: boolean, };

export type MessagePostRequest = { 
/**
 * Session id.
 */
session: string, 
/**
 * Markdown, not blank.
 */
text: string, 
/**
 * Repeating the same key posts nothing twice.
 */
key: string | null, };

export type NoFields = Record<symbol, never>;

export type SessionDetail = { 
/**
 * The session.
 */
session: SessionDto, 
/**
 * Shows that later calls come from the same asker. Given to agents that open it.
 */
session_secret?: string | null, 
/**
 * Its batches, oldest first, ended ones included.
 */
batches: Array<BatchDto>, 
/**
 * Its messages, oldest first.
 */
messages: Array<MessageDto>, };

export type SessionIdRequest = { 
/**
 * Session id.
 */
id: string, };

export type SessionOpenRequest = { 
/**
 * Who.
 */
session: SessionRef, };

export type SessionUpdateRequest = { 
/**
 * Session id.
 */
id: string, 
/**
 * New title.
 */
title: string | null, 
/**
 * Keep at the top.
 */
pinned: boolean | null, 
/**
 * Hide from the list.
 */
archived: boolean | null, 
/**
 * The composer's unsent text.
 */
composer: string | null, };

export type SettingsPatch = Partial<Settings>;

export type TurnBeginRequest = { 
/**
 * Session id.
 */
session: string, 
/**
 * The caller's id; absent: one is made.
 */
turn: string | null, 
/**
 * Seconds after which the turn fails, waiting included.
 */
max_duration: number | null, };

export type TurnEndRequest = { 
/**
 * Session id.
 */
session: string, 
/**
 * Turn id.
 */
turn: string, 
/**
 * `finished` (default), `interrupted` or `failed`.
 */
state: string | null, };

export type TurnRequest = { 
/**
 * Session id.
 */
session: string, 
/**
 * Turn id.
 */
turn: string, };

export type WaitRequest = { 
/**
 * UUID, number or `#number`.
 */
id: string, 
/**
 * Seconds to wait; absent: return at once; negative: as long as it takes.
 */
wait: number | null, 
/**
 * Return `{"outcome", "asked_form"}` instead of the bare outcome.
 */
full: boolean, };

export type WaitResponse = { 
/**
 * The outcome in our own dialect; absent: still pending.
 */
outcome: Outcome | null, 
/**
 * The outcome in the dialect of the ask, where that isn't ours.
 */
asked_form: unknown, 
/**
 * As in the request.
 */
full: boolean, };

export type WindowOpenRequest = { 
/**
 * Session to show.
 */
session: string | null, 
/**
 * Batch to show.
 */
batch: string | null, };

/** Request and response of each operation, by name. */
export interface Operations {
  "batch.ask": { request: AskBody; response: AskResponse };
  "batch.wait": { request: WaitRequest; response: WaitResponse };
  "batch.get": { request: BatchRef; response: BatchDto };
  "batch.list": { request: ListRequest; response: Array<BatchSummary> };
  "batch.draft": { request: DraftRequest; response: DraftResponse };
  "batch.activity": { request: BatchRef; response: Done };
  "batch.answer": { request: AnswerRequest; response: Outcome };
  "batch.dismiss": { request: DismissRequest; response: Outcome };
  "batch.ask_back": { request: AskBackRequest; response: Outcome };
  "batch.extend": { request: ExtendRequest; response: BatchDto };
  "batch.cancel": { request: CancelRequest; response: Outcome };
  "batch.ack": { request: BatchRef; response: Done };
  "session.open": { request: SessionOpenRequest; response: SessionDetail };
  "session.list": { request: NoFields; response: Array<SessionDto> };
  "session.get": { request: SessionIdRequest; response: SessionDetail };
  "session.update": { request: SessionUpdateRequest; response: SessionDto };
  "session.close": { request: SessionIdRequest; response: Done };
  "session.delete": { request: SessionIdRequest; response: Done };
  "turn.begin": { request: TurnBeginRequest; response: TurnDto };
  "turn.finalize": { request: TurnRequest; response: TurnDto };
  "turn.end": { request: TurnEndRequest; response: TurnDto };
  "message.post": { request: MessagePostRequest; response: MessageDto };
  "message.list": { request: MessageListRequest; response: Array<MessageDto> };
  "settings.get": { request: NoFields; response: Settings };
  "settings.set": { request: SettingsPatch; response: Settings };
  "events.snapshot": { request: NoFields; response: Snapshot };
  "health": { request: NoFields; response: Health };
  "window.open": { request: WindowOpenRequest; response: Done };
  "hub.handover": { request: NoFields; response: Done };
  "hub.quit": { request: NoFields; response: Done };
}
