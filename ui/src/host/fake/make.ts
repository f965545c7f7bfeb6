/** Builders for what a hub would send, with everything that a scene doesn't name filled in. */
import type {
  BatchDto,
  MessageDto,
  OptionDto,
  Outcome,
  QuestionDto,
  SessionDto,
  Settings,
} from '../../api/types';

export const SETTINGS: Settings = {
  theme: 'system',
  language: 'en',
  enter_sends: true,
  keep_running: true,
  told_keep_running: true,
  notifications: true,
  hide_text: false,
  sound: true,
  default_timeout_seconds: 0,
  abandon_after_hours: 24,
  paused_until: null,
};

/** RFC 3339, so many seconds from now; negative is past. */
export function at(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

export function session(id: string, given: Partial<SessionDto> = {}): SessionDto {
  return {
    id,
    title: id,
    agent: 'Claude Code',
    folder: '/home/ana/code/payments-api',
    branch: null,
    parent: null,
    created_at: at(-7200),
    last_activity_at: at(-5),
    connected: true,
    pending: 0,
    away: 0,
    answered: 0,
    pinned: false,
    archived: false,
    composer: '',
    ...given,
  };
}

export function option(given: Partial<OptionDto> & { label: string }): OptionDto {
  const shown = given.label.replace(/\s*\(recommended\)$/i, '');
  return {
    id: shown.toLowerCase().replace(/\W+/g, '_') || given.label,
    display_label: shown,
    description: null,
    recommended: shown !== given.label,
    ...given,
  };
}

type QuestionGiven = Partial<Omit<QuestionDto, 'options'>> & {
  question: string;
  options?: readonly (string | (Partial<OptionDto> & { label: string }))[];
};

export function question(given: QuestionGiven): QuestionDto {
  const options = (given.options ?? []).map((one) =>
    option(typeof one === 'string' ? { label: one } : one),
  );
  const header = given.header ?? null;
  return {
    id: 'q1',
    id_given: true,
    short_header: shortened(header ?? given.question),
    description: null,
    kind: options.length > 0 ? 'choice' : 'text',
    multi_select: false,
    allow_custom: true,
    allow_notes: true,
    required: true,
    placeholder: null,
    secret: false,
    min_selected: null,
    max_selected: null,
    format: null,
    min: null,
    max: null,
    min_length: null,
    max_length: null,
    pattern: null,
    ...given,
    header,
    options,
  };
}

function shortened(text: string): string {
  const graphemes = [...new Intl.Segmenter().segment(text)].map((one) => one.segment);
  return graphemes.length > 12 ? `${graphemes.slice(0, 11).join('').trimEnd()}…` : text;
}

let numbers = 40;

export function batch(of: SessionDto, given: Partial<BatchDto> = {}): BatchDto {
  const number = given.number ?? ++numbers;
  return {
    id: `0199-${number}`,
    number,
    kind: 'questions',
    risk: 'normal',
    context: null,
    message: null,
    url: null,
    session: of.id,
    shown_in: [of.id],
    agent: of.agent,
    session_title: of.title,
    folder: of.folder,
    origin: { pid: 4127, program: 'claude' },
    turn: null,
    teammate: null,
    status: 'pending',
    questions: [],
    asked_at: at(-60),
    deadline: null,
    paused_since: null,
    away: false,
    content_hash: `hash-${number}`,
    draft_rev: 0,
    draft: null,
    visible: (given.questions ?? []).map(() => true),
    outcome: null,
    delivered_at: null,
    ...given,
  };
}

/** The same batch, ended. */
export function ended(of: BatchDto, given: Partial<Outcome>): BatchDto {
  const outcome: Outcome = {
    status: 'answered',
    batch: of.id,
    number: of.number,
    answers: {},
    order: of.questions.map((one) => one.id),
    answers_by_id: {},
    responder: { kind: 'user', id: 'local', via: 'dock' },
    asked_at: of.asked_at,
    ended_at: at(0),
    content_hash: of.content_hash,
    guidance: null,
    warnings: [],
    ...given,
  };
  return { ...of, status: outcome.status, outcome, away: false };
}

let messages = 0;

export function message(of: SessionDto, given: Partial<MessageDto> & { text: string }): MessageDto {
  return {
    id: ++messages,
    session: of.id,
    author: 'agent',
    posted_at: at(-1000 + messages),
    delivered_at: at(-900),
    ...given,
  };
}
