import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OfferedTool } from '@cuebook/prompt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../../test/child-program.js';
import { inTurn, itInTurn, sampled } from '../../../../test/runs.js';
import { eventsOf, HOME, play, redactor, requestOf, SECRET } from '../../test/play.js';
import type { ApprovalAnswer, Session, SessionOptions } from '../turn.js';
import type { AcpOptions } from './options.js';
import { createAcpProvider } from './provider.js';

// The second real peer: an agent of our own on the agent side of the protocol's library.

const AGENT = new URL('../../test/fixtures/acp/agent.mjs', import.meta.url);
let built: ChildProgram;
beforeAll(async () => {
  built = await buildProgram(AGENT, new URL('../../node_modules/.cache/', import.meta.url));
});
afterAll(() => built.remove());
const cwd = mkdtempSync(join(tmpdir(), 'acp-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const sessions: Session[] = [];
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});

function open(options: Partial<SessionOptions> = {}, agent: Partial<AcpOptions> = {}): Session {
  const session = createAcpProvider({
    name: 'small',
    command: process.execPath,
    args: [built.program],
    env: { AGENT_STORE: cwd, ...agent.env },
    ...agent,
    ...(agent.env ? { env: { AGENT_STORE: cwd, ...agent.env } } : {}),
  }).open({ redactor, cwd, ...options });
  sessions.push(session);
  return session;
}

const TOOLS: readonly OfferedTool[] = [{ name: 'spawn_node', description: 'Starts a node.' }];

describe('an ACP agent', () => {
  it('answers in deltas, with thoughts, usage and a session id; unknown updates are passed over', async () => {
    const played = await play(open(), { say: 'say one two three' });
    expect(played.text).toBe('one two three');
    expect(eventsOf(played, 'text.delta').map(({ text }) => text)).toEqual(['one ', 'two ', 'three']);
    expect(eventsOf(played, 'reasoning.delta').map(({ text, block }) => [text, block])).toEqual([['hm', 0]]);
    expect(played.sessionId).toMatch(/^s-/);
    expect(eventsOf(played, 'usage')[0]?.usage).toEqual({
      inputTokens: 14,
      outputTokens: 5,
      cachedInputTokens: 4,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    });
    expect(played.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop' });
  });

  it('says only what is new in a session that goes on', async () => {
    const session = open();
    await play(session, { say: 'say hi' });
    const { text } = await play(session, { say: 'all of it again', delta: requestOf('recall') });
    expect(text).toBe('say hi | recall');
  });

  it.each(['resume', 'load'])(
    'goes on in a new process by session/%s, without what was said before',
    async (how) => {
      const first = open();
      const { sessionId = '' } = await play(first, { say: 'say hi' });
      await first.close();
      const { text, end } = await play(open({ resume: sessionId }, { env: { AGENT_CAN: how } }), {
        say: 'all of it',
        delta: requestOf('recall'),
      });
      expect([text, end.reason]).toEqual(['say hi | recall', 'done']);
    },
  );

  it.each([
    ['a session that is not there', {}],
    ['an agent that cannot', { AGENT_CAN: 'modes' }],
  ])('never starts over instead of going on: %s', async (_name, env) => {
    const { end, text } = await play(open({ resume: 's-none' }, { env }), { say: 'say hi' });
    expect(end.error?.code).toBe('E_PROVIDER_SESSION');
    expect(text).toBe('');
  });

  it('goes on in another process after the agent was killed in mid-stream', async () => {
    const session = open();
    const killed = await play(session, { say: 'die' });
    expect(killed.text).toBe('partial');
    expect(killed.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_EXIT' } });
    const { text } = await play(session, { say: 'recall' });
    expect(text).toBe('die | recall');
  });

  it('is asked to stop, and takes the next turn in the same process', async () => {
    const session = open();
    const stop = new AbortController();
    const played = await play(session, { say: 'hang', signal: stop.signal }, ({ type }) => {
      if (type === 'text.delta') stop.abort();
    });
    expect([played.text, played.end.reason]).toEqual(['partial', 'aborted']);
    const next = await play(session, { say: 'say still here' });
    expect(next.text).toBe('still here');
    expect(next.sessionId).toBe(played.sessionId);
  });

  itInTurn('is ended when it does not stop', async () => {
    const session = open();
    const stop = new AbortController();
    const { end } = await play(session, { say: 'deaf', signal: stop.signal }, ({ type }) => {
      if (type === 'text.delta') stop.abort();
    });
    expect(end.reason).toBe('aborted');
    expect((await play(session, { say: 'say again' })).text).toBe('again');
  });

  it('aborts before it starts', async () => {
    const { end } = await play(open(), { signal: AbortSignal.abort() });
    expect(end.reason).toBe('aborted');
  });

  itInTurn('takes 100 KB of words', async () => {
    const words = 'word '.repeat(20_000).trim();
    const { text } = await play(open(), { say: `say ${words}` });
    expect(text).toBe(words);
  });
});

describe('approvals of an ACP agent', () => {
  const ANSWERS: ReadonlyArray<{ name: string; answer?: ApprovalAnswer; isMade: boolean; picked: string }> = [
    { name: 'allow', answer: { decision: 'allow' }, isMade: true, picked: 'allow_once' },
    { name: 'deny', answer: { decision: 'deny', message: 'no' }, isMade: false, picked: 'reject_once' },
    {
      name: 'change',
      answer: { decision: 'change', input: { path: 'b' } },
      isMade: false,
      picked: 'reject_once',
    },
    { name: 'nobody', isMade: false, picked: 'reject_once' },
  ];
  it.each(inTurn(ANSWERS, 4))('are answered: $name', async ({ name, answer, isMade, picked }) => {
    const file = `asked-${name}.txt`;
    const played = await play(open({ ask: true }), {
      say: `edit ${file}`,
      ...(answer === undefined ? {} : { onApproval: async () => answer }),
    });
    expect(eventsOf(played, 'approval.request')).toMatchObject([{ tool: 'edit', input: { path: file } }]);
    expect(eventsOf(played, 'tool.end')).toMatchObject([
      { by: 'agent', ...(isMade ? {} : { isError: true }) },
    ]);
    expect(played.text).toContain(`"optionId":"${picked}"`);
    const read = () => readFileSync(join(cwd, file), 'utf8');
    if (isMade) expect(read()).toBe('written\n');
    else expect(read).toThrow();
  });

  it.each([
    ['edit', true],
    ['full', true],
    ['plan', false],
  ] as const)('follow access %s where nobody is asked', async (access, isMade) => {
    const played = await play(open({ access }), { say: `edit by-${access}.txt` });
    expect(played.text.includes('allow_once')).toBe(isMade);
  });

  it('puts the agent into its mode for planning', async () => {
    expect((await play(open({ access: 'plan' }), { say: 'mode' })).text).toBe('plan');
    expect((await play(open({ access: 'edit' }), { say: 'mode' })).text).toBe('default');
  });

  it('does not plan with an agent that has no mode for it', async () => {
    const { end } = await play(open({ access: 'plan' }, { env: { AGENT_CAN: 'load' } }), { say: 'mode' });
    expect(end.error?.code).toBe('E_PROVIDER_PLAN');
  });
});

describe('our tools with an ACP agent', () => {
  it.each([
    ['over HTTP', 'http'],
    ['through a program', 'load'],
  ])('are called in mid-turn %s', async (_name, can) => {
    const called: unknown[] = [];
    const played = await play(open({}, { env: { AGENT_CAN: can } }), {
      request: requestOf('tool spawn_node {"label":"a"}', TOOLS),
      callTool: async ({ name, input }) => {
        called.push([name, input]);
        return { output: `made; the key is ${SECRET}, the home ${HOME}` };
      },
    });
    expect(called).toEqual([['spawn_node', { label: 'a' }]]);
    expect(played.text).toContain('made; the key is');
    expect(`${played.text}${played.sent.join()}`).not.toContain(SECRET);
    expect(`${played.text}${played.sent.join()}`).not.toContain(HOME);
    expect(eventsOf(played, 'tool.end')).toMatchObject([
      { name: 'spawn_node', by: 'caller', input: { label: 'a' } },
    ]);
    expect(eventsOf(played, 'tool.start')).toHaveLength(1);
  });
});

describe('an ACP agent that fails', () => {
  const FAILURES: ReadonlyArray<[name: string, said: string, code: string, status?: number]> = [
    [
      '401 as the code',
      'fail {"code":401,"message":"{\\"error\\":{\\"code\\":401}}"}',
      'E_PROVIDER_AUTH',
      401,
    ],
    ['401 as -32000', 'fail {"code":-32000,"message":"Authentication required"}', 'E_PROVIDER_AUTH', 401],
    ['401 in words', 'fail {"code":-32603,"message":"Internal error: stub 401"}', 'E_PROVIDER_AUTH', 401],
    [
      '401 by its kind',
      'fail {"code":-32603,"message":"Internal error","data":{"errorKind":"authentication_failed"}}',
      'E_PROVIDER_AUTH',
      401,
    ],
    ['401 as if said', 'say Error: Authentication failed with provider (HTTP 401).', 'E_PROVIDER_AUTH', 401],
    ['429', 'fail {"code":429,"message":"slow down"}', 'E_PROVIDER_RATE', 429],
    ['500', 'fail {"code":500,"message":"broken"}', 'E_PROVIDER_DOWN', 500],
    ['anything', 'fail {"code":-32603,"message":"no idea"}', 'E_PROVIDER_REJECTED'],
  ];
  itInTurn.each(sampled(FAILURES, 3))('says %s', async (_name, said, code, status) => {
    const session = open();
    const { end } = await play(session, { say: said });
    expect(end.error).toMatchObject({ code, ...(status === undefined ? {} : { status }) });
    expect((await play(session, { say: 'say next' })).text).toBe('next');
  });

  it('does not take talk about a failure for one', async () => {
    const said = 'The log says Error 401: somebody was not signed in.';
    expect((await play(open(), { say: `say ${said}` })).end.reason).toBe('done');
  });

  const PROGRAMS: ReadonlyArray<[name: string, agent: Partial<AcpOptions>, code: string]> = [
    ['is not there', { command: '/nonexistent/agent', args: [] }, 'E_PROVIDER_START'],
    ['exits before any output', { args: ['-e', 'process.exit(3)'] }, 'E_PROVIDER_EXIT'],
    ['speaks another version', { env: { AGENT_VERSION: '99' } }, 'E_PROVIDER_REJECTED'],
    [
      'closes its input',
      { args: ['-e', 'process.stdin.destroy(); setTimeout(() => process.exit(0), 300)'] },
      'E_PROVIDER_EXIT',
    ],
  ];
  itInTurn.each(PROGRAMS)('%s', async (_name, agent, code) => {
    const { end } = await play(open({}, agent), {});
    expect([end.reason, end.error?.code]).toEqual(['error', code]);
  });

  const ENDLESS: ReadonlyArray<[name: string, program: string, reason: string]> = [
    ['prints garbage for ever', 'setInterval(() => console.log("no {json"), 1)', 'timeout'],
    ['never says a word', 'setInterval(() => {}, 1000)', 'timeout'],
    ['prints 100 MB', 'const s = "x".repeat(99999) + "\\n"; for (;;) require("fs").writeSync(1, s)', 'error'],
    ['floods standard error', 'setInterval(() => console.error("e".repeat(99999)), 0)', 'timeout'],
  ];
  it.each(inTurn(ENDLESS, 4))('%s', async (_name, program, reason) => {
    const limits = reason === 'timeout' ? { idleMs: 400, totalMs: 2000 } : { outputBytes: 1_000_000 };
    const { end } = await play(open({}, { args: ['-e', program] }), { limits });
    expect(end.reason).toBe(reason);
  });

  itInTurn('says more than its limit', async () => {
    const session = open();
    const { end } = await play(session, { say: 'flood', limits: { outputBytes: 500_000 } });
    expect(end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_OUTPUT' } });
    expect((await play(session, { say: 'say next' })).text).toBe('next');
  });
});

describe('what an ACP agent gets', () => {
  itInTurn(
    'that acts by itself unless its settings say otherwise is told to ask where a person is asked',
    async () => {
      const sees = async (options: Partial<SessionOptions>, agent = 'opencode') =>
        (await play(open(options, { agent }), { say: 'env' })).text.includes('OPENCODE_PERMISSION');
      expect(await sees({ ask: true, access: 'full' })).toBe(true);
      expect(await sees({ ask: true, access: 'full' }, '/opt/bin/opencode')).toBe(true);
      expect(await sees({ ask: true, access: 'plan' })).toBe(false);
      expect(await sees({ access: 'full' })).toBe(false);
      expect(await sees({ ask: true, access: 'full' }, 'other')).toBe(false);
    },
  );

  it('sees of our environment only what it may', async () => {
    const parentEnv = { PATH: process.env.PATH, OTHER_API_KEY: SECRET, OWN_KEY: 'own' };
    const { text } = await play(open({}, { parentEnv, allow: ['OWN_KEY'] }), { say: 'env' });
    expect(text.split(' ')).toEqual(expect.arrayContaining(['PATH', 'OWN_KEY']));
    expect(text).not.toContain('OTHER_API_KEY');
  });

  it('sends every message past the choke point, its folder not named', async () => {
    const { sent } = await play(open({ access: 'plan' }), { say: `say ${HOME}/x` });
    const methods = sent.map((line) => (JSON.parse(line) as { method: string }).method);
    expect(methods).toEqual(['initialize', 'session/new', 'session/set_mode', 'session/prompt']);
    expect(sent.join()).not.toContain(cwd);
    expect(sent.join()).not.toContain(HOME);
  });

  it.each(['/clear', ' $x'])('takes words that look like a command as words: %s', async (say) => {
    const session = open();
    await play(session, { say });
    const { text } = await play(session, { say: 'all', delta: requestOf('recall') });
    expect(text).toBe(`Message:\n${say} | recall`);
  });

  it('hears nothing that could not be recorded, and the session goes on', async () => {
    const session = open();
    await play(session, { say: 'say one' });
    const refused = session.turn({
      request: requestOf('say two'),
      beforeSend: () => Promise.reject(new Error('disk')),
    });
    const types: string[] = [];
    for await (const event of refused) types.push(event.type);
    expect(types).toEqual(['turn.start', 'turn.end']);
    expect((await play(session, { say: 'recall' })).text).toBe('say one | recall');
  });
});
