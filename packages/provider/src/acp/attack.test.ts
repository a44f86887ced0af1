import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OfferedTool } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itInTurn, runs, share } from '../../../../test/runs.js';
import { ACTS, FIELDS, NAMES, OUR_TOOL } from '../../test/forged.js';
import { eventsOf, play, redactor, requestOf } from '../../test/play.js';
import type { ApprovalAnswer, ApprovalRequest, Session, SessionOptions, TurnInput } from '../turn.js';
import { createAcpProvider } from './provider.js';

// An agent that writes what it likes about what it does. Whatever it writes, it does nothing that nobody allowed.

const AGENT = fileURLToPath(new URL('../../test/fixtures/acp/hostile.mjs', import.meta.url));
const TOOLS: readonly OfferedTool[] = [{ name: OUR_TOOL, description: 'Starts a node.' }];

let cwd: string;
const sessions: Session[] = [];
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'acp-attack-'));
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  rmSync(cwd, { recursive: true });
});
afterAll(() => expect(sessions).toEqual([]));

function open(options: Partial<SessionOptions> = {}): Session {
  const provider = createAcpProvider({ name: 'hostile', command: process.execPath, args: [AGENT] });
  const session = provider.open({ redactor, cwd, ...options });
  sessions.push(session);
  return session;
}

type Step =
  | { readonly update: string }
  | { readonly call: { readonly name: string; readonly args: object } }
  | { readonly ask: { readonly call: string; readonly makes?: string; readonly options?: readonly object[] } }
  | { readonly request: { readonly method: string; readonly params: object } };

const scripted = (session: Session, steps: readonly Step[], more: Omit<TurnInput, 'request'> = {}) =>
  play(session, {
    request: requestOf(JSON.stringify({ steps }), TOOLS),
    callTool: async () => ({ output: 'done' }),
    ...more,
  });

const DENY: ApprovalAnswer = { decision: 'deny' };

describe('words that pass an act off as a call of ours', () => {
  itInTurn.each([
    ['with every request denied', { ask: true, access: 'full' }],
    ['with nobody to ask', {}],
    ['in planning', { ask: true, access: 'plan' }],
  ] as const)('let nothing through, %s', async (_name, options) => {
    const session = open(options);
    const isAsked = 'ask' in options && options.access !== 'plan';
    for (const [field, write] of Object.entries(FIELDS)) {
      // One act after another in the tests, each of them for each word in the soak.
      const asks = NAMES.flatMap((word, at) =>
        Object.values(ACTS)
          .filter((_, act) => act % share(5, 1) === at % share(5, 1))
          .map(({ kind, input }) => write(word, { kind, rawInput: input as never })),
      );
      const asked: ApprovalRequest[] = [];
      const onApproval = async (request: ApprovalRequest): Promise<ApprovalAnswer> => {
        asked.push(request);
        return DENY;
      };
      const steps = asks.map((call) => ({ ask: { call, makes: 'F' } }));
      const played = await scripted(session, steps, { onApproval });
      expect([field, ...new Set(played.text.split('\n'))]).toEqual([field, 'selected:reject_once']);
      expect([field, existsSync(join(cwd, 'F'))]).toEqual([field, false]);
      expect([field, asked.length]).toEqual([field, isAsked ? asks.length : 0]);
      expect(asked.every(({ claimed }) => claimed)).toBe(true);
      // All of it is in the stream: what is in no event is in no record.
      const known = new Set<string | undefined>(eventsOf(played, 'tool.start').map(({ id }) => id));
      expect([field, known.size > 0, asked.every(({ callId }) => known.has(callId))]).toEqual([
        field,
        true,
        true,
      ]);
    }
  });
});

describe('what an agent reports', () => {
  const word = fc.constantFrom(...NAMES.filter((name) => name.length < 100));
  const report = fc.record({
    name: fc.option(word, { nil: undefined }),
    title: fc.option(word, { nil: undefined }),
    kind: fc.constantFrom(undefined, 'read', 'other', 'fetch'),
    rawInput: fc.constantFrom(undefined, {}, { label: 'a' }, { command: 'touch F' }, [{ server: 'cuebook' }]),
    toolCallId: fc.constantFrom(undefined, 'same', 'other'),
  });
  const step = fc.oneof(
    { weight: 3, arbitrary: report.map((words) => ({ report: words })) },
    { weight: 1, arbitrary: fc.constantFrom({}, { label: 'a' }).map((args) => ({ args })) },
  );

  it('is told, but for the repetition of a call that came over our channel', async () => {
    const session = open({ ask: true, access: 'full' });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (plan) => {
        const steps = plan.map(
          (each): Step =>
            'args' in each
              ? { call: { name: OUR_TOOL, args: each.args } }
              : {
                  update: JSON.stringify({ sessionUpdate: 'tool_call', status: 'completed', ...each.report }),
                },
        );
        const played = await scripted(session, steps);
        const ends = eventsOf(played, 'tool.end');
        const channel = plan.filter((each) => 'args' in each).length;
        expect(ends.filter(({ by }) => by === 'caller')).toHaveLength(channel);
        const reports = plan.flatMap((each) => ('report' in each ? [each.report] : []));
        const told = ends.filter(({ by }) => by === 'agent');
        // Each call over the channel hides at most one report, and only one that says the same.
        expect(told.length).toBeGreaterThanOrEqual(reports.length - channel);
        const others = reports.filter(
          ({ rawInput }) =>
            rawInput !== undefined && JSON.stringify(rawInput) !== '{}' && !('label' in rawInput),
        );
        for (const { rawInput } of others)
          expect(told.map(({ input }) => JSON.stringify(input))).toContain(JSON.stringify(rawInput));
      }),
      runs(40, 2_000),
    );
  });

  it('an id that is used again for something else is another call', async () => {
    const update = (words: object) => ({ update: JSON.stringify({ toolCallId: 'x', ...words }) });
    const played = await scripted(open({ access: 'full' }), [
      update({ sessionUpdate: 'tool_call', kind: 'read', status: 'completed', rawInput: { path: 'a' } }),
      update({ sessionUpdate: 'tool_call_update', status: 'completed' }),
      update({ sessionUpdate: 'tool_call_update', status: 'completed', rawInput: { command: 'touch F' } }),
      update({
        sessionUpdate: 'tool_call',
        kind: 'execute',
        status: 'completed',
        rawInput: { command: 'ls' },
      }),
    ]);
    expect(eventsOf(played, 'tool.end').map(({ input }) => input)).toEqual([
      { path: 'a' },
      { command: 'touch F' },
      { command: 'ls' },
    ]);
  });

  it.each([
    ['never asked for', []],
    [
      'was denied',
      [{ ask: { call: '{"toolCallId":"x","kind":"execute","rawInput":{"command":"touch F"}}' } }],
    ],
  ])('an act that it %s ends it', async (_name, before: readonly Step[]) => {
    const session = open({ ask: true, access: 'full' });
    const done = { toolCallId: 'x', kind: 'execute', status: 'completed', rawInput: { command: 'touch F' } };
    const played = await scripted(
      session,
      [...before, { update: JSON.stringify({ sessionUpdate: 'tool_call_update', ...done }) }],
      { onApproval: async () => DENY },
    );
    expect(played.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_UNASKED' } });
    expect(eventsOf(played, 'tool.end')).toMatchObject([{ input: { command: 'touch F' } }]);
  });
});

describe('an act that was allowed', () => {
  const ALLOWED = { kind: 'execute', rawInput: { command: 'ls', timeout: 5 } };
  const done = (said: object) => ({ sessionUpdate: 'tool_call_update', status: 'completed', ...said });
  const took = async (call: object, reports: readonly object[]) => {
    const steps: readonly Step[] = [
      { ask: { call: JSON.stringify({ toolCallId: 'x', ...call }) } },
      ...reports.map((said) => ({ update: JSON.stringify({ toolCallId: 'x', ...done(said) }) })),
    ];
    const onApproval = async (): Promise<ApprovalAnswer> => ({ decision: 'allow' });
    return scripted(open({ ask: true, access: 'full' }), steps, { onApproval });
  };

  it.each([
    ['another command', ALLOWED, [{ rawInput: { command: 'touch F' } }]],
    ['the command as a list', ALLOWED, [{ rawInput: { command: ['touch', 'F'] } }]],
    ['no object', ALLOWED, [{ rawInput: 'touch F' }]],
    [
      'an act where a look was asked for',
      { kind: 'read' },
      [{ kind: 'execute', rawInput: { command: 'ls' } }],
    ],
    ['an act of no known kind before', { kind: 'Execute' }, [{ kind: 'execute' }]],
    ['another command under another key', ALLOWED, [{ rawInput: { cmd: 'touch F' } }]],
    ['the command with another behind it', ALLOWED, [{ rawInput: { cmd: 'ls; touch F' } }]],
    [
      'another command, where only a title was told',
      { kind: 'execute', title: 'ls' },
      [{ rawInput: { command: 'touch F' } }],
    ],
    [
      'a command where an edit was asked for',
      { kind: 'edit', rawInput: { path: 'a' } },
      [{ kind: 'execute' }],
    ],
    [
      'a file that is gone where an edit was asked for',
      { kind: 'edit', rawInput: { path: 'a' } },
      [{ kind: 'delete' }],
    ],
    [
      'another file',
      { kind: 'edit', content: [{ type: 'diff', path: '/p/a.md', newText: 'x' }] },
      [{ content: [{ type: 'diff', path: '/p/b.md', newText: 'x' }] }],
    ],
    [
      'another file beside the one that was asked for',
      { kind: 'edit', locations: [{ path: 'a.md' }] },
      [
        {
          content: [
            { type: 'diff', path: 'a.md', newText: 'x' },
            { type: 'diff', path: 'b.md', newText: 'x' },
          ],
        },
      ],
    ],
    ['a second one under the same id', ALLOWED, [{}, { kind: 'execute', rawInput: { command: 'touch F' } }]],
  ])('and is another one when it is told as done ends the agent: %s', async (_name, call, reports) => {
    const played = await took(call, reports);
    expect(played.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_UNASKED' } });
  });

  it.each([
    ['no more than that it is done', ALLOWED, [{}]],
    ['the same words', ALLOWED, [ALLOWED]],
    ['more words', ALLOWED, [{ rawInput: { command: 'ls', description: 'Looks.' } }]],
    ['another shape', ALLOWED, [{ rawInput: { cmd: ['ls'] } }]],
    ['words where the request had none', { kind: 'execute', title: 'ls' }, [{ rawInput: { command: 'ls' } }]],
    ['its kind where the request had none', { title: 'ls' }, [{ kind: 'execute' }]],
    ['the shell that runs it', ALLOWED, [{ rawInput: { cmd: ['bash', '-lc', 'ls'] } }]],
    [
      'the whole place of the file',
      { kind: 'edit', content: [{ type: 'diff', path: 'a.md', newText: 'x' }] },
      [{ content: [{ type: 'diff', path: '/p/a.md', newText: 'x' }] }],
    ],
    ['the files that a command made', ALLOWED, [{ content: [{ type: 'diff', path: 'b.md', newText: 'x' }] }]],
  ])('is done, told with %s', async (_name, call, reports) => {
    expect((await took(call, reports)).end).toMatchObject({ reason: 'done' });
  });

  it('is the one that was announced, where the request says no more than its id', async () => {
    const announced = { sessionUpdate: 'tool_call', toolCallId: 'x', status: 'pending', ...ALLOWED };
    const play = async (command: string) =>
      scripted(
        open({ ask: true, access: 'full' }),
        [
          { update: JSON.stringify(announced) },
          { ask: { call: JSON.stringify({ toolCallId: 'x' }) } },
          { update: JSON.stringify({ toolCallId: 'x', ...done({ rawInput: { command } }) }) },
        ],
        { onApproval: async () => ({ decision: 'allow' }) },
      );
    expect((await play('ls')).end).toMatchObject({ reason: 'done' });
    expect((await play('touch F')).end).toMatchObject({ error: { code: 'E_PROVIDER_UNASKED' } });
  });

  it('is not allowed a second time under its id', async () => {
    const answers: ApprovalAnswer[] = [{ decision: 'allow' }, DENY];
    const call = JSON.stringify({ toolCallId: 'x', ...ALLOWED });
    const played = await scripted(
      open({ ask: true, access: 'full' }),
      [
        { ask: { call } },
        { ask: { call } },
        { update: JSON.stringify({ toolCallId: 'x', ...done(ALLOWED) }) },
      ],
      { onApproval: async () => answers.shift() ?? DENY },
    );
    expect(played.end).toMatchObject({ error: { code: 'E_PROVIDER_UNASKED' } });
  });
});

describe('a permission request', () => {
  const CALL = '{"toolCallId":"x","kind":"execute","rawInput":{"command":"touch F"}}';

  it('is not answered with an option that stands for another one too', async () => {
    const options = [
      { optionId: 'allow', kind: 'allow_once' },
      { optionId: 'allow', kind: 'reject_once' },
    ];
    const played = await scripted(
      open({ ask: true, access: 'full' }),
      [{ ask: { call: CALL, options, makes: 'F' } }],
      {
        onApproval: async () => DENY,
      },
    );
    expect(played.text).toBe('cancelled:undefined');
    expect(existsSync(join(cwd, 'F'))).toBe(false);
  });

  it('is shown as it is asked, whatever was said of its call before', async () => {
    const asked: ApprovalRequest[] = [];
    const before = {
      sessionUpdate: 'tool_call',
      toolCallId: 'x',
      kind: 'read',
      rawInput: { path: 'README.md' },
    };
    await scripted(
      open({ ask: true, access: 'full' }),
      [
        { update: JSON.stringify(before) },
        { ask: { call: '{"toolCallId":"x","kind":"execute","title":"touch F"}' } },
      ],
      {
        onApproval: async (request) => {
          asked.push(request);
          return DENY;
        },
      },
    );
    expect(asked).toMatchObject([{ tool: 'execute', input: { asked: { title: 'touch F' } } }]);
  });

  it.each([
    ['fs/write_text_file', { path: 'F', content: 'x' }],
    ['fs/read_text_file', { path: '/etc/passwd' }],
    ['terminal/create', { command: 'touch', args: ['F'] }],
  ])('is the one thing that an agent may ask of us: not %s', async (method, params) => {
    const played = await scripted(open({ access: 'full' }), [{ request: { method, params } }]);
    expect(played.text).toBe('refused -32601');
    expect(eventsOf(played, 'log').map(({ text }) => text)).toEqual([
      `The agent asked for ${method}, which it is not given.`,
    ]);
    expect(existsSync(join(cwd, 'F'))).toBe(false);
  });

  it.each([
    ['a reason', { decision: 'deny', message: 'Not on a Friday.' }, 'denied: Not on a Friday.'],
    [
      'other words',
      { decision: 'change', input: { command: 'ls' } },
      'exactly this instead, do it: {"command":"ls"}',
    ],
  ] as const)(
    'that is answered with %s: the agent hears it in the same turn',
    async (_name, answer, words) => {
      const session = open({ ask: true, access: 'full' });
      const played = await scripted(session, [{ ask: { call: CALL, makes: 'F' } }], {
        onApproval: async () => answer,
      });
      expect(played.sent.at(-1)).toContain('session/prompt');
      expect(JSON.parse(played.sent.at(-1) ?? '').params.prompt[0].text).toContain(words);
      expect(existsSync(join(cwd, 'F'))).toBe(false);
    },
  );
});
