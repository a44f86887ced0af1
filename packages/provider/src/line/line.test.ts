import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { OfferedTool } from '@cuebook/prompt';
import { afterEach, describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { eventsOf, HOME, play, redactor, requestOf, SECRET } from '../../test/play.js';
import type { ApprovalAnswer, Session, SessionOptions } from '../turn.js';
import type { LineOptions } from './options.js';
import { createLineProvider } from './provider.js';

const PROGRAM = fileURLToPath(new URL('../../test/fixtures/line/program.mjs', import.meta.url));
const TOOLS: readonly OfferedTool[] = [{ name: 'spawn_node' }];

const sessions: Session[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

function open(options: Partial<SessionOptions> = {}, program: Partial<LineOptions> = {}): Session {
  const provider = createLineProvider({
    name: 'own',
    command: process.execPath,
    args: [PROGRAM],
    ...program,
  });
  const session = provider.open({ redactor, cwd: tmpdir(), ...options });
  sessions.push(session);
  return session;
}

describe('the line protocol', () => {
  it('carries text, reasoning and usage', async () => {
    const played = await play(open(), { say: 'say one two' });
    expect(eventsOf(played, 'text.delta').map(({ text }) => text)).toEqual(['one ', 'two']);
    expect(eventsOf(played, 'reasoning.delta')).toHaveLength(1);
    expect(eventsOf(played, 'usage')[0]?.usage).toMatchObject({
      inputTokens: 10,
      outputTokens: 5,
      costUsd: 0.25,
    });
    expect(played.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop' });
    expect(JSON.parse(played.sent[0] ?? '')).toMatchObject({
      kind: 'prompt',
      prompt: 'say one two',
      promptKind: 'full',
      sessionId: played.sessionId,
    });
  });

  it('keeps one process for all turns, and says only what is new', async () => {
    const session = open({ model: 'm', access: 'plan' });
    const first = await play(session, { request: requestOf('show', TOOLS), delta: requestOf('show') });
    const second = await play(session, { say: 'all', delta: requestOf('show') });
    expect(JSON.parse(first.text)).toMatchObject({
      promptKind: 'full',
      turns: 1,
      model: 'm',
      access: 'plan',
      tools: TOOLS,
    });
    expect(JSON.parse(second.text)).toMatchObject({
      promptKind: 'delta',
      turns: 2,
      sessionId: first.sessionId,
    });
  });

  it('goes on in a new process with the id of the session', async () => {
    const { text } = await play(open({ resume: 'earlier' }), { say: 'all', delta: requestOf('show') });
    expect(JSON.parse(text)).toMatchObject({ promptKind: 'delta', sessionId: 'earlier', turns: 1 });
  });

  it('runs our tools, and answers cleaned', async () => {
    const played = await play(open(), {
      request: requestOf('tool spawn_node', TOOLS),
      callTool: async ({ input }) => ({ output: `${JSON.stringify(input)} ${SECRET} ${HOME}/x` }),
    });
    expect(JSON.parse(played.text)).toMatchObject({ kind: 'toolResult', id: 'c1', isError: false });
    expect(eventsOf(played, 'tool.end')).toMatchObject([
      { name: 'spawn_node', by: 'caller', input: { label: 'a' } },
    ]);
    expect(played.sent.join()).not.toContain(SECRET);
    expect(played.text).not.toContain(HOME);
  });

  it('runs no tool that was not offered', async () => {
    let called = 0;
    const played = await play(open(), {
      request: requestOf('tool rm', TOOLS),
      callTool: async () => {
        called += 1;
        return { output: '' };
      },
    });
    expect(called).toBe(0);
    expect(JSON.parse(played.text)).toMatchObject({ isError: true });
  });

  const ANSWERS: ReadonlyArray<{
    name: string;
    options: Partial<SessionOptions>;
    answer?: ApprovalAnswer;
    heard: object;
  }> = [
    { name: 'allow', options: { ask: true }, answer: { decision: 'allow' }, heard: { decision: 'allow' } },
    {
      name: 'deny',
      options: { ask: true },
      answer: { decision: 'deny', message: 'no' },
      heard: { decision: 'deny', message: 'no' },
    },
    {
      name: 'change',
      options: { ask: true },
      answer: { decision: 'change', input: { path: 'b' } },
      heard: { decision: 'change', input: { path: 'b' } },
    },
    { name: 'nobody', options: { ask: true }, heard: { decision: 'deny' } },
    { name: 'unasked', options: {}, answer: { decision: 'allow' }, heard: { decision: 'deny' } },
    { name: 'unasked with full access', options: { access: 'full' }, heard: { decision: 'allow' } },
  ];
  it.each(ANSWERS)('carries approvals: $name', async ({ options, answer, heard }) => {
    const played = await play(open(options), {
      say: 'ask',
      ...(answer === undefined ? {} : { onApproval: async () => answer }),
    });
    expect(JSON.parse(played.text)).toEqual(heard);
    expect(eventsOf(played, 'approval.request')).toMatchObject([{ id: 'a1', tool: 'write', callId: 'u1' }]);
    expect(eventsOf(played, 'tool.end')).toMatchObject([{ id: 'u1', by: 'agent' }]);
  });

  it('passes over what it does not know, and says so for a while', async () => {
    const played = await play(open(), { say: 'strange' });
    expect(played.text).toBe('fine');
    expect(eventsOf(played, 'log').filter(({ level }) => level === 'info')).toHaveLength(19);
    expect(eventsOf(played, 'log').filter(({ level }) => level === 'warning')).toHaveLength(2);
  });

  it.each([
    ['{"status":401}', 'E_PROVIDER_AUTH', false],
    ['{"status":429,"message":"slow"}', 'E_PROVIDER_RATE', true],
    ['{"status":500}', 'E_PROVIDER_DOWN', true],
    ['{"message":"odd"}', 'E_PROVIDER_REJECTED', false],
  ])('carries the failure %s', async (said, code, retryable) => {
    expect((await play(open(), { say: `fail ${said}` })).end.error).toMatchObject({ code, retryable });
  });

  it('is cancelled, and takes the next turn in the same process', async () => {
    const session = open();
    const stop = new AbortController();
    const { end } = await play(session, { say: 'hang', signal: stop.signal }, ({ type }) => {
      if (type === 'text.delta') stop.abort();
    });
    expect(end.reason).toBe('aborted');
    expect(JSON.parse((await play(session, { say: 'show' })).text)).toMatchObject({ turns: 2 });
  });

  itInTurn('is ended when it does not hear, and started again', async () => {
    const session = open();
    const stop = new AbortController();
    await play(session, { say: 'deaf', signal: stop.signal }, ({ type }) => {
      if (type === 'text.delta') stop.abort();
    });
    const next = await play(session, { say: 'show' });
    expect(JSON.parse(next.text)).toMatchObject({ turns: 1, sessionId: next.sessionId });
  });

  it('has failed without an end, whatever the exit code; then it is started again', async () => {
    const session = open();
    for (const code of [0, 3]) {
      const { end, text } = await play(session, { say: `exit ${code}` });
      expect([text, end.error?.code]).toEqual(['partial', 'E_PROVIDER_EXIT']);
    }
    expect((await play(session, { say: 'say next' })).text).toBe('next');
  });

  it('takes 100 KB of words', async () => {
    const words = 'word '.repeat(20_000).trim();
    expect((await play(open(), { say: `say ${words}` })).text).toBe(words);
  });
});

describe('the raw protocol', () => {
  const raw = (code: string, options: Partial<SessionOptions> = {}) =>
    open(options, { protocol: 'raw', args: ['-e', code] });
  const ECHO = 'process.stdin.pipe(process.stdout)';

  it('puts the words in and takes the words out', async () => {
    const { text, end, sent } = await play(raw(ECHO), { say: 'one\ntwo\n\nthree' });
    expect(text).toBe('one\ntwo\n\nthree');
    expect(end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop' });
    expect(sent).toEqual(['one\ntwo\n\nthree']);
  });

  it('says everything in each turn', async () => {
    const session = raw(ECHO);
    await play(session, { say: 'one' });
    expect((await play(session, { say: 'all', delta: requestOf('new') })).text).toBe('all');
  });

  it.each([
    ['planning', { access: 'plan' }, 'E_PROVIDER_PLAN'],
    ['an earlier session', { resume: 'x' }, 'E_PROVIDER_SESSION'],
  ] as const)('cannot do %s, and says so', async (_name, options, code) => {
    expect((await play(raw(ECHO, options), {})).end.error?.code).toBe(code);
  });

  it('has failed with any other exit code', async () => {
    const { text, end } = await play(
      raw('console.log("half"); console.error("why"); process.exitCode = 4'),
      {},
    );
    expect(text).toBe('half');
    expect(end.error).toMatchObject({ code: 'E_PROVIDER_EXIT' });
    expect(end.error?.message).toContain('why');
  });
});

describe.each(['lines', 'raw'] as const)('a hostile program over %s', (protocol) => {
  const FLOOD = 'const s = "x".repeat(99999) + "\\n"; for (;;) require("fs").writeSync(1, s)';
  const CASES: ReadonlyArray<[name: string, code: string, reason: string, error?: string]> = [
    ['exits before any output', 'process.exit(3)', 'error', 'E_PROVIDER_EXIT'],
    ['never says a word', 'setInterval(() => {}, 1e6)', 'timeout'],
    ['prints for ever', FLOOD, 'error', 'E_PROVIDER_OUTPUT'],
    ['never ends its line', `${FLOOD.replace(' + "\\n"', '')}`, 'error'],
    ['floods standard error', 'setInterval(() => console.error("e".repeat(99999)), 0)', 'timeout'],
    [
      'closes its input',
      'process.stdin.destroy(); setTimeout(() => process.exit(1), 300)',
      'error',
      'E_PROVIDER_EXIT',
    ],
  ];
  itInTurn.each(CASES)('%s', async (_name, code, reason, error) => {
    const limits = { idleMs: reason === 'timeout' ? 300 : 1e8, totalMs: 1e8, outputBytes: 1_000_000 };
    const { end } = await play(open({}, { protocol, args: ['-e', code] }), { limits });
    expect(end.reason).toBe(reason);
    if (error !== undefined) expect(end.error?.code).toBe(error);
  });

  it('is not there', async () => {
    const { end } = await play(open({}, { protocol, command: '/nonexistent/program', args: [] }), {});
    expect(end.error?.code).toBe('E_PROVIDER_START');
  });
});
