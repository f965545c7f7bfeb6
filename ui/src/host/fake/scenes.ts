/** Worlds to look at and to test in: each names a state of the window that people meet. */
import type { BatchDto, DraftAnswer, SessionDto } from '../../api/types';
import type { World } from './hub';
import { forms } from './forms';
import { at, batch, ended, message, question, session, SETTINGS } from './make';

const NOTHING: DraftAnswer = { selected: [], other: false, text: null, notes: null, blank: false };

const DEPLOY_DIFF = `--- deploy.toml
+++ deploy.toml
- target = "none"
+ target = "staging"
+ window = "now"
  retries = 3`;

const target = question({
  id: 'deploy_target',
  header: 'Deploy target',
  question: 'Where should revision 42 go first?',
  options: [
    {
      label: 'Staging (Recommended)',
      description: 'Mirror of production data, safe to break',
      preview: { kind: 'diff', text: DEPLOY_DIFF },
    },
    {
      label: 'One production node',
      description: 'Canary at 5 % of traffic, roll back in 30 s',
      preview: { kind: 'diff', text: DEPLOY_DIFF.replace('staging', 'node-1') },
    },
    { label: 'Production', description: 'All nodes, in the maintenance window at 22:00' },
  ],
});

const checks = question({
  id: 'checks',
  header: 'Checks',
  question: 'Which checks gate the release?',
  multi_select: true,
  options: ['Unit, fast', 'Linter', 'End to end'],
});

const window_ = question({
  id: 'window',
  header: 'Window',
  question: 'Which maintenance window?',
  required: false,
  options: ['Now', '22:00 to 22:30', 'Tomorrow 06:00'],
  show_when: [{ question: 'deploy_target', options: ['staging'], not: true }],
});

function people(): SessionDto[] {
  return [
    session('ship', { title: 'Ship revision 42', branch: 'main' }),
    session('queue', {
      title: 'Pick a queue library',
      agent: 'opencode',
      folder: '/home/ana/code/ingest',
      branch: 'feat/queue',
      last_activity_at: at(-240),
    }),
    session('login', {
      title: 'Flaky login test',
      agent: 'Codex',
      folder: '/home/ana/code/web',
      branch: 'fix/login',
      last_activity_at: at(-720),
    }),
    session('minutes', {
      title: 'Summarise the board minutes',
      agent: 'Local model',
      folder: '/home/ana/notes',
      last_activity_at: at(-3700),
      connected: false,
    }),
    session('rename', {
      title: 'Rename the invoices table',
      last_activity_at: at(-3 * 86_400),
      connected: false,
      answered: 3,
    }),
    session('backup', {
      title: 'nightly-backup.sh',
      agent: 'Script',
      folder: null,
      last_activity_at: at(-4 * 86_400),
      connected: false,
      answered: 1,
    }),
  ];
}

function world(sessions: SessionDto[], batches: BatchDto[]): World {
  return { settings: { ...SETTINGS }, sessions, batches, messages: [] };
}

/** The day that the pictures of the design show. */
function workday(given: Partial<BatchDto> = {}): World {
  const sessions = people();
  const [ship, queue] = sessions as [SessionDto, SessionDto];
  const order = batch(ship, {
    number: 39,
    asked_at: at(-990),
    delivered_at: at(-600),
    questions: [
      question({
        id: 'order',
        question: 'Which migration order?',
        options: ['Backfill first', 'Schema first'],
      }),
    ],
  });
  const answered = ended(order, {
    ended_at: at(-620),
    answers: {
      order: {
        selected: [{ id: 'backfill_first', label: 'Backfill first' }],
        text: null,
        notes: null,
      },
    },
    responder: { kind: 'user', id: 'local', via: 'notification' },
  });
  const asks = batch(ship, {
    number: 42,
    asked_at: at(-280),
    deadline: at(581),
    questions: [target, checks, window_],
    draft_rev: 1,
    draft: {
      step: 0,
      answers: { deploy_target: { ...NOTHING, selected: ['one_production_node'] } },
      ask_back: null,
      collapsed: false,
    },
    ...given,
  });
  const library = batch(queue, {
    number: 41,
    asked_at: at(-240),
    origin: { pid: 5150, program: 'opencode' },
    questions: [
      question({
        id: 'library',
        header: 'Library',
        question: 'Which queue library should the ingest service use?',
        options: ['BullMQ', 'pg-boss (Recommended)', 'Write our own'],
      }),
    ],
  });
  return {
    ...world(sessions, [answered, asks, library]),
    messages: [
      message(ship, {
        author: 'person',
        text: 'Get revision 42 out today. Keep the migration reversible.',
        posted_at: at(-1000),
      }),
      message(ship, {
        text: 'Read 14 files, ran `cargo test -p ledger` · 212 passed',
        posted_at: at(-700),
      }),
      message(ship, {
        text: 'The backfill is in. Revision 42 passes on the replica; what is left is where it goes first and how it is announced.',
        posted_at: at(-300),
      }),
    ],
  };
}

const notes = question({
  id: 'notes',
  header: 'Announcement',
  question: 'What should the announcement say?',
  required: false,
  placeholder: 'In a sentence or two',
});

const rollback = question({
  id: 'rollback',
  header: 'Rollback',
  question: 'Who may roll back without asking?',
  options: ['The on-call engineer (Recommended)', 'Anyone on the team', 'Only me'],
});

const REVIEWED: Record<string, DraftAnswer> = {
  deploy_target: { ...NOTHING, selected: ['production'] },
  checks: {
    ...NOTHING,
    selected: ['unit_fast', 'linter'],
    other: true,
    text: 'and a smoke test on the replica',
  },
  window: {
    ...NOTHING,
    selected: ['22_00_to_22_30'],
    notes: 'only if the on-call engineer agrees',
  },
};

/** One session that asks one thing. */
function alone(given: Partial<BatchDto>, of: Partial<SessionDto> = {}): World {
  const one = session('one', { title: 'One question', ...of });
  return world([one], [batch(one, { number: 7, ...given })]);
}

const LONG = 'A longer sentence of the kind that agents like to write when they explain. ';
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';

function longTexts(): World {
  const options = Array.from({ length: 8 }, (_, n) => ({
    label: n === 1 ? 'L'.repeat(200) : n === 2 ? WORD.repeat(4) : `Option ${n + 1} ${LONG}`,
    id: `o${n}`,
    description: LONG.repeat(4),
  }));
  const questions = [1, 2, 3, 4].map((n) =>
    question({
      id: `q${n}`,
      header: `${n} ${LONG}`,
      question: LONG.repeat(5),
      description: `- ${LONG}\n- \`code that is long enough to be wider than the window ${WORD}\`\n\n| a | b |\n|---|---|\n| ${WORD} | ${LONG} |`,
      options,
    }),
  );
  const context = LONG.repeat(80);
  return alone(
    {
      questions,
      context,
      deadline: at(70),
      asked_at: at(-3000),
      folder: `/home/ana/${WORD}/${WORD}`,
    },
    { title: LONG, agent: `Agent ${WORD}` },
  );
}

const SCENES: Record<string, () => World> = {
  open: () => workday(),
  review: () =>
    workday({
      away: true,
      paused_since: at(-20),
      draft_rev: 4,
      draft: { step: 3, answers: REVIEWED, ask_back: null, collapsed: false },
    }),
  five: () =>
    workday({
      questions: [checks, target, { ...window_, show_when: [] }, rollback, notes],
      draft: {
        step: 1,
        answers: {
          checks: { ...NOTHING, selected: ['unit_fast', 'linter'] },
          deploy_target: { ...NOTHING, selected: ['one_production_node'] },
        },
        ask_back: null,
        collapsed: false,
      },
    }),
  slim: () => workday({ draft: { step: 0, answers: {}, ask_back: null, collapsed: true } }),
  empty: () => world([], []),
  inbox: () => {
    const all = workday();
    const [, , login] = all.sessions;
    if (login) {
      all.batches.push(batch(login, { number: 43, away: true, questions: [checks], origin: null }));
    }
    return all;
  },
  idle: () => ({ ...workday(), batches: [] }),
  single: () => alone({ questions: [target] }),
  multi: () => alone({ questions: [checks] }),
  branch: () => alone({ questions: [target, checks, window_] }),
  optional: () => alone({ questions: [window_, checks].map((one) => ({ ...one, show_when: [] })) }),
  text: () =>
    alone({
      questions: [
        question({
          id: 'notes',
          header: 'Release notes',
          question: 'What should the release notes say?',
          placeholder: 'In a sentence or two',
        }),
      ],
    }),
  number: () =>
    alone({
      questions: [
        question({ id: 'port', question: 'Which port?', format: 'integer', default: 8080 }),
        question({ id: 'tls', question: 'With TLS?', format: 'boolean' }),
      ],
    }),
  secret: () =>
    alone({
      questions: [question({ id: 'token', question: 'The registry token?', secret: true })],
    }),
  many: () =>
    alone({
      questions: [
        question({
          id: 'region',
          header: 'Region',
          question: 'Which region?',
          options: Array.from({ length: 40 }, (_, n) => `Region ${n + 1}`),
        }),
      ],
    }),
  markdown: () =>
    alone({
      questions: [
        question({
          id: 'plan',
          header: 'Plan',
          question: 'Is **this plan** right? See [the notes](https://xn--e1awd7f.com/notes).',
          description:
            '1. Stop the `worker`\n2. Run\n\n```rust\nfn main() { println!("42"); }\n```',
          options: [
            {
              label: 'Yes',
              preview: { kind: 'markdown', text: '# Then\n\n- it starts\n- _at once_' },
            },
            { label: 'No', preview: { kind: 'code', text: 'let answer = 42;\nreturn answer;' } },
          ],
        }),
      ],
    }),
  two: () => {
    const one = session('one', { title: 'Two questions' });
    return world(
      [one],
      [
        batch(one, { number: 8, questions: [target] }),
        batch(one, { number: 9, questions: [checks] }),
      ],
    );
  },
  away: () => alone({ questions: [target], away: true }, { connected: false }),
  deadline: () => alone({ questions: [target], asked_at: at(-540), deadline: at(60 * 1.4) }),
  confirm: () =>
    alone({ kind: 'confirm', message: 'Restart the **payments** service now?', risk: 'high' }),
  permission: () =>
    alone({
      kind: 'permission',
      risk: 'high',
      questions: [
        question({
          id: 'allow',
          header: 'Permission',
          question: 'Run `rm -rf build` in payments-api?',
          allow_custom: false,
          allow_notes: false,
          options: ['Allow once', 'Always allow', 'Reject'],
        }),
      ],
    }),
  url: () =>
    alone({
      kind: 'url',
      message: 'Sign in to the registry to go on.',
      url: 'https://xn--80ak6aa92e.com/login?next=%2Fpublish',
    }),
  ...forms(alone),
  long: longTexts,
  folding: () =>
    alone({
      questions: [
        question({
          id: 'q1',
          question: 'Which plan?',
          options: [
            { label: 'Short', description: 'In a word.' },
            { label: 'Long', description: `${LONG.repeat(8)}\n\n- ${LONG}\n- ${LONG}` },
          ],
        }),
      ],
    }),
  cjk: () =>
    alone(
      {
        questions: [
          question({
            id: 'q1',
            header: 'デプロイ先',
            question:
              'リビジョン42を最初にどこへデプロイしますか？本番環境への影響を考慮してください。',
            options: [
              {
                label: 'ステージング',
                id: 'a',
                description: '本番データのミラー。壊しても安全です。',
              },
              { label: '本番の一台', id: 'b', description: '通信の5%だけを流し、30秒で戻せます。' },
              { label: '全面公開', id: 'c', description: '二十二時の保守時間に全台へ。' },
            ],
          }),
        ],
      },
      { title: '改訂四十二を公開する', agent: '助手' },
    ),
  rtl: () => {
    const all = alone(
      {
        questions: [
          question({
            id: 'q1',
            header: 'الهدف',
            question: 'أين يجب أن تُنشر المراجعة 42 أولاً؟ (payments-api)',
            options: [
              { label: 'بيئة الاختبار', id: 'a', description: 'نسخة من بيانات الإنتاج (staging)!' },
              { label: 'الإنتاج', id: 'b', description: 'جميع العقد عند الساعة 22:00.' },
            ],
          }),
        ],
        deadline: at(500),
      },
      { title: 'نشر المراجعة 42', agent: 'مساعد' },
    );
    const [one] = all.sessions as [SessionDto];
    all.messages.push(message(one, { text: 'اكتملت التعبئة! شغّل `cargo test`.' }));
    return all;
  },
  history: () => {
    const one = session('one', { title: 'A long history' });
    const asked = Array.from({ length: 6 }, (_, n) =>
      batch(one, { number: n + 1, questions: [checks], delivered_at: at(-9) }),
    );
    const given = {
      selected: [{ id: 'linter', label: 'Linter' }],
      text: 'and types',
      notes: 'soon',
    };
    const [a, b, c, d, e, f] = asked as [
      BatchDto,
      BatchDto,
      BatchDto,
      BatchDto,
      BatchDto,
      BatchDto,
    ];
    const typed = {
      step: 0,
      ask_back: null,
      collapsed: false,
      answers: { checks: { ...NOTHING, other: true, text: 'half a thought' } },
    };
    const all = world(
      [one],
      [
        ended(a, { answers: { checks: given }, ended_at: at(-600) }),
        ended(
          { ...b, draft: typed },
          {
            status: 'cancelled',
            reason: 'turn_ended',
            ended_at: at(-500),
            responder: { kind: 'system', id: 'hub', via: 'hub' },
          },
        ),
        ended(c, {
          status: 'expired',
          reason: 'deadline',
          ended_at: at(-400),
          responder: { kind: 'system', id: 'hub', via: 'hub' },
        }),
        ended(d, {
          status: 'dismissed',
          reason: 'ask_back',
          message: 'Which linter do you mean?',
          partial: {},
          ended_at: at(-300),
        }),
        {
          ...ended(e, {
            answers: { checks: given },
            ended_at: at(-200),
            responder: { kind: 'api_key', id: 'ci', via: 'cli' },
          }),
          delivered_at: null,
        },
        ended(f, { status: 'dismissed', reason: 'user', ended_at: at(-100) }),
      ],
    );
    all.messages = [
      message(one, {
        text: 'Here is what I found:\n\n- **one** thing\n- [a link](https://example.com/path)\n\n```rust\nlet x = 42; // a comment\n```',
        posted_at: at(-650),
      }),
      message(one, { author: 'person', text: 'Go on.', posted_at: at(-50), delivered_at: null }),
      message(one, { author: 'system', text: 'The agent left.', posted_at: at(-40) }),
    ];
    return all;
  },
  thousands: () => {
    const one = session('one', { title: 'Ten thousand messages' });
    const all = world([one], [batch(one, { number: 7, questions: [target] })]);
    all.messages = Array.from({ length: 10_000 }, (_, n) =>
      message(one, {
        text: `Message ${n + 1}. ${LONG.repeat(n % 4)}`,
        author: n % 5 ? 'agent' : 'person',
        posted_at: at(n - 10_100),
      }),
    );
    return all;
  },
};

export const SCENE_NAMES: readonly string[] = Object.keys(SCENES);

export function scene(name: string): World {
  const make = SCENES[name];
  if (!make) throw new Error(`No scene is called ${name}. There are: ${SCENE_NAMES.join(', ')}.`);
  // Worlds share questions and drafts; what one changes is its own.
  return structuredClone(make());
}
