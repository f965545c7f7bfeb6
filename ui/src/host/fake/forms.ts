/** Scenes of every control that a form can ask for, and of what is decided rather than answered. */
import type { BatchDto } from '../../api/types';
import type { World } from './hub';
import { question } from './make';

type Alone = (given: Partial<BatchDto>) => World;

const DIFF = `--- a/src/limits.rs
+++ b/src/limits.rs
@@ -12,7 +12,8 @@ impl Limits {
     pub fn new() -> Self {
-        Self { most: 64, wait: 30 }
+        Self { most: 128, wait: 30 }
     }
+    pub const CEILING: u32 = 512;
 }`;

const CODE = `import { connect } from './queue';

/** How often a job is tried before it is given up. */
const TRIES = 5;

export async function work(name: string): Promise<void> {
  const queue = await connect(name);
  for await (const job of queue) {
    if (job.tries > TRIES) await job.drop('given up');
    else await job.run();
  }
}`;

const TABLE = `### Canary

| step | share | wait |
|---|---|---|
| 1 | 5 % | 10 min |
| 2 | 25 % | 30 min |
| 3 | 100 % | – |

Rolls back **by itself** when \`error_rate\` rises above 1 %.

> Needs the on-call engineer.`;

/** Each hidden kind once: override, isolate, zero width, tag, escape, soft hyphen, filler. */
const HOSTILE =
  'Run \u202Ehs.yolped\u202C now?\u200B Safe\u2066ly\u2069 \u001b[31mred\u001b[0m hi\u{E0068}\u{E0069} ad\u00ADmin \u3164x';

const REGIONS = [
  'Cape Town', 'Hong Kong', 'Tokyo', 'Seoul', 'Osaka', 'Mumbai', 'Hyderabad', 'Singapore', 'Sydney',
  'Jakarta', 'Melbourne', 'Montréal', 'Calgary', 'Frankfurt', 'Zürich', 'Dublin', 'London', 'Paris',
  'Milano', 'Madrid', 'Stockholm', 'Tel Aviv', 'Bahrain', 'Dubai', 'São Paulo',
]; // prettier-ignore

function regions(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const city = REGIONS[n % REGIONS.length] ?? '';
    const pool = Math.floor(n / REGIONS.length) + 1;
    return { id: `region-${n + 1}`, label: `${city} ${pool}`, description: `pool ${n + 1}` };
  });
}

/** The scenes, each one session that asks one thing. */
export function forms(alone: Alone): Record<string, () => World> {
  return {
    decimal: () =>
      alone({
        questions: [
          question({
            id: 'rate',
            header: 'Threshold',
            question: 'At which error rate should the release roll back, in percent?',
            format: 'number',
            min: 0,
            max: 100,
            default: 1.5,
          }),
        ],
      }),
    integer: () =>
      alone({
        questions: [
          question({
            id: 'port',
            header: 'Port',
            question: 'Which port should the service listen on?',
            format: 'integer',
            min: 1024,
            max: 65_535,
            default: 8080,
          }),
        ],
      }),
    boolean: () =>
      alone({
        questions: [
          question({
            id: 'tls',
            header: 'TLS',
            question: 'Terminate TLS in the service itself?',
            format: 'boolean',
            default: true,
            required: false,
          }),
        ],
      }),
    date: () =>
      alone({
        questions: [
          question({
            id: 'day',
            header: 'Cut-over',
            question: 'On which day do we cut over?',
            format: 'date',
            default: '2027-01-31',
          }),
        ],
      }),
    moment: () =>
      alone({
        questions: [
          question({
            id: 'when',
            header: 'Freeze',
            question: 'When does the freeze begin?',
            format: 'date-time',
          }),
        ],
      }),
    email: () =>
      alone({
        questions: [
          question({
            id: 'mail',
            header: 'Contact',
            question: 'Who is told when the job fails?',
            format: 'email',
            placeholder: 'on-call@example.org',
          }),
        ],
      }),
    uri: () =>
      alone({
        questions: [
          question({
            id: 'hook',
            header: 'Webhook',
            question: 'Where should the webhook be sent?',
            format: 'uri',
          }),
        ],
      }),
    pattern: () =>
      alone({
        questions: [
          question({
            id: 'branch',
            header: 'Branch',
            question: 'How should the branch be called?',
            min_length: 4,
            max_length: 24,
            pattern: '^[a-z]+/[a-z0-9-]+$',
            placeholder: 'fix/login',
          }),
        ],
      }),
    range: () =>
      alone({
        questions: [
          question({
            id: 'checks',
            header: 'Checks',
            question: 'Which checks gate the release?',
            multi_select: true,
            min_selected: 2,
            max_selected: 3,
            allow_custom: false,
            default: ['unit', 'linter'],
            options: [
              { id: 'unit', label: 'Unit, fast' },
              { id: 'linter', label: 'Linter' },
              { id: 'e2e', label: 'End to end' },
              { id: 'load', label: 'Load' },
            ],
          }),
        ],
      }),
    form: () =>
      alone({
        questions: [
          question({ id: 'name', question: 'Name of the service?', min_length: 3, max_length: 40 }),
          question({ id: 'share', question: 'Share of traffic?', format: 'number', max: 100 }),
          question({ id: 'token', question: 'Deploy token?', secret: true, min_length: 8 }),
        ],
      }),
    'secret-other': () =>
      alone({
        questions: [
          question({
            id: 'login',
            question: 'How should I sign in?',
            secret: true,
            options: ['With the key on this machine', 'As a guest'],
          }),
        ],
      }),
    'options-61': () =>
      alone({
        questions: [
          question({
            id: 'region',
            header: 'Region',
            question: 'Which region should hold the replica?',
            options: regions(61).map((region, n) => ({
              ...region,
              preview: { kind: 'markdown', text: `**${region.label}**\n\n- ${20 + n} ms away` },
            })),
          }),
        ],
      }),
    'options-200': () =>
      alone({
        questions: [
          question({
            id: 'region',
            header: 'Regions',
            question: 'Which regions get the release first?',
            multi_select: true,
            options: regions(200),
          }),
        ],
      }),
    previews: () =>
      alone({
        questions: [
          question({
            id: 'how',
            header: 'Change',
            question: 'Which change should I make?',
            options: [
              {
                label: 'Raise the limit',
                description: 'One line, no migration',
                preview: { kind: 'diff', text: DIFF },
              },
              {
                label: 'Rewrite the worker',
                description: 'Bounded retries',
                preview: { kind: 'code', text: CODE },
              },
              {
                label: 'Roll out in steps',
                description: 'No change to the code',
                preview: { kind: 'markdown', text: TABLE },
              },
              { label: 'Do nothing' },
            ],
          }),
        ],
      }),
    // As the hub sends it: display texts beside the originals, and previews as they came.
    hostile: () =>
      alone({
        agent: 'Claude\u202E edoC',
        context: HOSTILE,
        questions: [
          question({
            id: 'q1',
            header: 'Run',
            question: HOSTILE,
            options: [
              {
                id: 'yes',
                label: HOSTILE,
                display_label: 'Ye⟨U+200B⟩s, run ⟨U+202E⟩hs.yolped⟨U+202C⟩',
                preview: { kind: 'code', text: `#!/bin/sh\nrm -rf \u202E/tmp # \u2066 /\u200B` },
              },
              { id: 'no', label: 'No' },
            ],
          }),
        ],
      }),
    'permission-run': () =>
      alone({
        kind: 'permission',
        risk: 'high',
        questions: [
          question({
            id: 'decision',
            header: 'execute',
            question: 'Run a command',
            description: '```bash\nfind build -name "*.o" -delete && rm -rf build/cache\n```',
            allow_custom: false,
            allow_notes: false,
            options: [
              { id: 'o1', label: 'Yes, run it', value: 'allow_once' },
              { id: 'o2', label: 'Yes, and stop asking', value: 'allow_always' },
              { id: 'o3', label: 'No', value: 'reject_once' },
              { id: 'o4', label: 'No, never', value: 'reject_always' },
            ],
          }),
        ],
      }),
    'permission-edit': () =>
      alone({
        kind: 'permission',
        questions: [
          question({
            id: 'decision',
            header: 'edit',
            question: 'Edit `src/limits.rs`',
            description: `\`\`\`diff\n${DIFF}\n\`\`\``,
            allow_custom: false,
            options: [
              { id: 'a', label: 'Allow', value: 'allow_once' },
              {
                id: 'b',
                label: 'Allow for the session',
                value: 'allow_always',
                description: 'Adds `Edit(src/**)` to the allowed calls of this session.',
              },
              { id: 'c', label: 'Reject', value: 'reject_once' },
            ],
          }),
        ],
      }),
    'url-plain': () =>
      alone({
        kind: 'url',
        message: 'Approve the device to go on.',
        url: 'http://bank.example@login.evil.example:8080/device?code=WDJB-MJHT',
      }),
    'url-refused': () =>
      alone({ kind: 'url', message: 'Open the notes.', url: 'file:///etc/passwd' }),
  };
}
