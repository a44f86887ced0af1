import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  ageGeminiSessions,
  geminiEnvironment,
  writeGeminiSettings,
} from '../../../../test/model-server/agents.js';
import {
  type ModelServer,
  type ScriptedStep,
  startModelServer,
} from '../../../../test/model-server/index.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import { eventsOf, HOME, type Played, play, redactor, requestOf, SECRET } from '../../test/play.js';
import type { ApprovalAnswer, Session, SessionOptions } from '../turn.js';
import { createAcpProvider } from './provider.js';

// An unmodified agent that speaks the protocol: Gemini CLI against a model server on 127.0.0.1.

let models: ModelServer;
let place: string;
let lanes = 0;
const sessions: Session[] = [];

beforeAll(async () => {
  models = await startModelServer();
  place = mkdtempSync(join(tmpdir(), 'acp-real-'));
  writeGeminiSettings(join(place, 'home'));
});
afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
});
afterAll(async () => {
  await models.close();
  rmSync(place, { recursive: true, force: true });
});

const call = (name: string, args: unknown): ScriptedStep => ({ toolCalls: [{ id: 'call_1', name, args }] });
const WRITE = call('write_file', { file_path: 'made.txt', content: 'made\n' });

describePart('gemini', 'Gemini CLI as an ACP agent', ({ path }) => {
  /** A lane, a folder and a session for each test. */
  function open(steps: readonly ScriptedStep[], options: Partial<SessionOptions> = {}) {
    lanes += 1;
    const lane = `acp-${lanes}`;
    const cwd = join(place, lane);
    mkdirSync(cwd);
    models.script(lane, steps);
    const env = {
      HOME: join(place, 'home'),
      ...geminiEnvironment(models.laneUrl(lane)),
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    };
    const provider = createAcpProvider({
      name: 'gemini-acp',
      command: path,
      args: ['--acp'],
      modelFlag: '-m',
      env,
    });
    const start = (more: Partial<SessionOptions>) => {
      const session = provider.open({ redactor, cwd, model: 'gemini-2.5-flash', ...options, ...more });
      sessions.push(session);
      return session;
    };
    const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
    const again = (resume: string) => start({ resume });
    return { session: start({}), lane: models.lane(lane), read, again };
  }
  const isDone = ({ end }: Played) => expect(end).toMatchObject({ reason: 'done' });

  itInSoak('says a plain turn in deltas, with usage, then a second one that knows the first', async () => {
    const { session, lane } = open([{ text: 'Hello from the model.', reasoning: 'hm' }, { text: 'Again.' }]);
    const first = await play(session, { say: 'say hi' });
    isDone(first);
    expect(first.text).toBe('Hello from the model.');
    expect(eventsOf(first, 'text.delta').length).toBeGreaterThan(1);
    expect(eventsOf(first, 'usage')[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    const second = await play(session, { say: 'everything again', delta: requestOf('and now') });
    expect(second.text).toBe('Again.');
    expect(second.sessionId).toBe(first.sessionId);
    const asked = lane.requests.filter(({ side }) => !side).at(-1)?.text;
    expect(asked).toContain('say hi');
    expect(asked).toContain('and now');
    expect(asked).not.toContain('everything again');
  });

  itInSoak('goes on in a new process', async () => {
    const { session, lane, again } = open([{ text: 'First.' }, { text: 'Second.' }]);
    const { sessionId = '' } = await play(session, { say: 'remember the heron' });
    await session.close();
    ageGeminiSessions(join(place, 'home'));
    const second = await play(again(sessionId), { say: 'everything', delta: requestOf('which bird') });
    expect(second.end).toMatchObject({ reason: 'done' });
    expect(second.text).toBe('Second.');
    expect(second.sessionId).toBe(sessionId);
    const asked = lane.requests.filter(({ side }) => !side).at(-1)?.text;
    expect(asked).toContain('remember the heron');
    expect(asked).toContain('which bird');
  });

  itInSoak('takes 100 KB of words', async () => {
    const { session, lane } = open([{ text: 'Long.' }]);
    const words = 'word '.repeat(20_000).trim();
    isDone(await play(session, { say: words }));
    expect(lane.requests.some(({ text }) => text.includes(words))).toBe(true);
  });

  const ANSWERS: ReadonlyArray<[name: string, answer: ApprovalAnswer, isMade: boolean]> = [
    ['allowed', { decision: 'allow' }, true],
    ['denied', { decision: 'deny', message: 'not now' }, false],
  ];
  itInSoak.each(ANSWERS)('asks before it uses a tool of its own: %s', async (_name, answer, isMade) => {
    const { session, read } = open([WRITE, { text: 'Done.' }], { ask: true });
    const played = await play(session, { say: 'write', onApproval: async () => answer });
    expect(eventsOf(played, 'approval.request')).toHaveLength(1);
    expect(eventsOf(played, 'tool.start')).toHaveLength(1);
    if (isMade) expect(read('made.txt')).toBe('made\n');
    else expect(() => read('made.txt')).toThrow();
  });

  it('asks for a command that its model calls by the name of a tool of ours', async () => {
    const command = 'cuebook_x=1; touch made.txt # (cuebook MCP Server)';
    const { session, read } = open([call('run_shell_command', { command }), { text: 'Done.' }], {
      ask: true,
    });
    const request = requestOf('run', [{ name: 'spawn_node', description: 'Starts a node.' }]);
    const played = await play(session, { request });
    expect(eventsOf(played, 'approval.request')).toHaveLength(1);
    expect(eventsOf(played, 'tool.end')).toMatchObject([{ by: 'agent', isError: true }]);
    expect(() => read('made.txt')).toThrow();
  });

  itInSoak('plans in its own mode: nothing is written, whatever the model wants', async () => {
    const { session, read } = open([WRITE, { text: 'Planned.' }], { access: 'plan' });
    await play(session, { say: 'plan' });
    expect(() => read('made.txt')).toThrow();
  });

  it('calls our tools, and their answers reach its model cleaned', async () => {
    const { session, lane } = open([call('mcp_cuebook_spawn_node', { label: 'a' }), { text: 'Spawned.' }]);
    const played = await play(session, {
      request: requestOf('spawn', [
        { name: 'spawn_node', description: `Starts a node; not ${SECRET}.`, parameters: { type: 'object' } },
      ]),
      callTool: async ({ input }) => ({ output: `node ${JSON.stringify(input)} ${SECRET} ${HOME}/notes` }),
    });
    isDone(played);
    expect(eventsOf(played, 'tool.end')).toMatchObject([
      { name: 'spawn_node', by: 'caller', input: { label: 'a' } },
    ]);
    const all = lane.requests.map(({ text }) => text).join();
    expect(all).toContain('Starts a node');
    expect(all).toContain('node {');
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(HOME);
  });

  itInSoak.each([
    [401, 'E_PROVIDER_AUTH'],
    [429, 'E_PROVIDER_RATE'],
    [500, 'E_PROVIDER_DOWN'],
  ])('reports HTTP %i', async (status, code) => {
    const headers = status === 429 ? { 'retry-after': '1' } : {};
    const { session } = open([{ error: { status, headers }, times: 20 }]);
    const { end } = await play(session, { say: 'fail' });
    expect(end.error).toMatchObject({ code, status });
  });

  itInSoak('stops when it is asked to, keeps what it said, and takes the next turn', async () => {
    const { session } = open([{ text: 'Partial answer', hang: true }, { text: 'Next.' }]);
    const stop = new AbortController();
    const played = await play(session, { say: 'long', signal: stop.signal }, ({ type }) => {
      if (type === 'text.delta') stop.abort();
    });
    expect(played.end.reason).toBe('aborted');
    expect(played.text).not.toBe('');
    expect((await play(session, { say: 'next' })).text).toBe('Next.');
  });

  itInSoak('is killed in mid-stream: a typed end, and what was said stays', async () => {
    const { session } = open([{ text: 'Partial answer', hang: true }]);
    const played = await play(session, { say: 'long' }, ({ type }) => {
      if (type === 'text.delta') void session.close();
    });
    expect(played.text).not.toBe('');
    expect(played.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_EXIT' } });
  });
});
