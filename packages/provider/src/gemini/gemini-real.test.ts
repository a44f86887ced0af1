import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  ageGeminiSessions,
  geminiEnvironment,
  writeGeminiSettings,
} from '../../../../test/model-server/agents.js';
import type { ScriptedCall, ScriptedStep } from '../../../../test/model-server/index.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import { type AgentDesk, openDesk, systemAndUser } from '../../test/agent-desk.js';
import { eventsOf, HOME, type Played, play, redactor, requestOf, SECRET } from '../../test/play.js';
import type { ApprovalAnswer, Session, SessionOptions } from '../turn.js';
import { createGeminiProvider } from './gemini.js';
import type { GeminiOptions } from './settings.js';

const MODEL = 'gemini-2.5-flash';
describePart('gemini', 'Gemini CLI itself', ({ path }) => {
  let desk: AgentDesk;
  const open: Session[] = [];
  beforeAll(async () => {
    desk = await openDesk('gemini');
    writeGeminiSettings(desk.home);
  });
  afterAll(async () => {
    await Promise.all(open.map((session) => session.close()));
    await desk.close();
  });

  /** A session on a lane of its own that plays these steps. */
  const begin = (steps: readonly ScriptedStep[], options: Partial<SessionOptions> & GeminiOptions = {}) => {
    const lane = `lane-${randomUUID()}`;
    desk.server.script(lane, steps);
    const { trust = true, ...rest } = options;
    const voice = createGeminiProvider({
      command: path,
      environment: {
        ...{ PATH: process.env.PATH, HOME: desk.home, OPENAI_API_KEY: SECRET },
        ...geminiEnvironment(desk.server.laneUrl(lane)),
      },
      trust,
    });
    const enter = (more: Partial<SessionOptions> = {}) => {
      const session = voice.open({ redactor, cwd: desk.cwd, model: MODEL, access: 'edit', ...rest, ...more });
      open.push(session);
      return session;
    };
    const requests = () => desk.server.lane(lane).requests.filter(({ side }) => !side);
    return { session: enter(), enter, requests };
  };

  const write = (file: string): ScriptedCall => ({
    ...{ name: 'write_file', args: { file_path: file, content: 'made here\n' } },
  });
  const shell = (command: string): ScriptedCall => ({ name: 'run_shell_command', args: { command } });
  const toolEnds = (played: Played) =>
    eventsOf(played, 'tool.end').map(({ name, by, output, isError }) => ({ name, by, output, isError }));

  itInSoak('speaks a plain turn in deltas under a session of our choice', async () => {
    const { session, requests } = begin([{ text: 'Hello from the model.', usage: { cached: 30 } }]);
    const played = await play(session, { request: systemAndUser('You are terse.', 'say hi') });
    expect(played.text).toBe('Hello from the model.');
    expect(eventsOf(played, 'text.delta').length).toBeGreaterThan(1);
    expect(played.events[0]).toMatchObject({
      provider: 'gemini',
      model: MODEL,
      sessionId: expect.any(String),
    });
    expect(eventsOf(played, 'usage')[0]?.usage).toMatchObject({
      ...{ inputTokens: 100, outputTokens: 20, cachedInputTokens: 30 },
    });
    expect(played.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop' });
    expect(requests()[0]?.text).toContain('You are terse.\\n\\nsay hi');
    expect(played.sent).toEqual(['You are terse.\n\nsay hi']);
  });

  it('runs its own tools, without the key of another provider; texts between are blocks of their own', async () => {
    const { session } = begin(
      [
        { text: 'I write.', toolCalls: [write('made.txt')] },
        { toolCalls: [shell('env')] },
        { text: 'Done.' },
      ],
      { access: 'full' },
    );
    const played = await play(session, {});
    expect(toolEnds(played).map(({ name, by }) => [name, by])).toEqual([
      ['write_file', 'agent'],
      ['run_shell_command', 'agent'],
    ]);
    expect(desk.files()).toContain('made.txt');
    expect(toolEnds(played)[1]?.output).toContain('PATH=');
    expect(toolEnds(played)[1]?.output).not.toContain('OPENAI');
    expect(
      eventsOf(played, 'text.delta')
        .map(({ block }) => block)
        .at(-1),
    ).toBe(1);
    expect(played.text).toBe('I write.Done.');
    expect(eventsOf(played, 'usage')[0]?.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
  });

  itInSoak('goes on with its session in another process', async () => {
    const { session, enter, requests } = begin([{ text: 'First.' }, { text: 'Second.' }]);
    const first = await play(session, { say: 'remember the heron' });
    const second = await play(enter({ resume: first.sessionId as string }), {
      say: 'all',
      delta: requestOf('which bird'),
    });
    expect(second).toMatchObject({ text: 'Second.', sessionId: first.sessionId, end: { reason: 'done' } });
    expect(eventsOf(second, 'usage')[0]?.usage).toMatchObject({ inputTokens: 100 });
    expect(requests()[1]?.text).toContain('remember the heron');
    expect(requests()[1]?.text).toContain('which bird');
  });

  itInSoak('calls our tools natively, cleaned, and the session goes both ways', async () => {
    const tools = [
      { name: 'spawn_node', description: 'Starts a node.', parameters: { type: 'object', properties: {} } },
    ];
    const call: ScriptedCall = { name: 'mcp_cuebook_spawn_node', args: { name: 'child' } };
    const { session, enter, requests } = begin([
      { text: 'Plain.' },
      { toolCalls: [call] },
      { text: 'Spawned.' },
      { text: 'Plain again.' },
    ]);
    const first = await play(session, { say: 'no tools yet' });
    ageGeminiSessions(desk.home);
    const asked: unknown[] = [];
    const second = await play(session, {
      request: requestOf('spawn one', tools),
      callTool: async ({ name, input }) => {
        asked.push([name, input]);
        return { output: `made in ${HOME}/nodes with ${SECRET}` };
      },
    });
    expect(asked).toEqual([['spawn_node', { name: 'child' }]]);
    expect(second).toMatchObject({ text: 'Spawned.', sessionId: first.sessionId });
    expect(toolEnds(second)).toMatchObject([{ name: 'spawn_node', by: 'caller' }]);
    await session.close();
    const third = await play(enter({ resume: second.sessionId as string }), {});
    expect(third).toMatchObject({ text: 'Plain again.', sessionId: first.sessionId });
    const wire = requests()
      .map(({ text }) => text)
      .join('\n');
    expect(wire).toContain('made in ');
    for (const secret of [HOME, SECRET]) expect(wire).not.toContain(secret);
  });

  itInSoak('never has words of ours read as commands or as names of files', async () => {
    writeFileSync(join(desk.cwd, 'private.txt'), 'CONTENT-OF-THE-FILE');
    const texts = ['look at @private.txt now', '/help me', 'write to a@b.example'];
    for (const text of texts) {
      const { session, requests } = begin([{ text: 'Read.' }]);
      expect((await play(session, { say: text })).text).toBe('Read.');
      expect(requests()[0]?.text).toContain(text);
      expect(requests()[0]?.text).not.toContain('CONTENT-OF-THE-FILE');
    }
  });

  const APPROVALS: readonly [string, ApprovalAnswer][] = [
    ['allow', { decision: 'allow' }],
    ['deny', { decision: 'deny', message: 'not on a Sunday' }],
  ];
  itInSoak.each(APPROVALS)('asks before it acts: %s', async (name, answer) => {
    const { session } = begin([{ toolCalls: [write(`asked-${name}`)] }, { text: 'Done.' }], { ask: true });
    const played = await play(session, { onApproval: async () => answer });
    expect(eventsOf(played, 'approval.request')).toHaveLength(1);
    expect(desk.files().includes(`asked-${name}`)).toBe(name === 'allow');
    expect(played.end.reason).toBe('done');
  });

  itInSoak('only reads when it plans', async () => {
    const steps = [
      { toolCalls: [write('planned.txt')] },
      { toolCalls: [shell('touch planned')] },
      { text: 'Planned.' },
    ];
    for (const ask of [false, true]) {
      const { session } = begin(steps, { access: 'plan', ask });
      const played = await play(session, { onApproval: async () => ({ decision: 'allow' }) });
      expect(played.text).toBe('Planned.');
      expect(desk.files().filter((file) => file.startsWith('planned'))).toEqual([]);
    }
  });

  const STATUSES: readonly [number, string, boolean][] = [
    [401, 'E_PROVIDER_AUTH', false],
    [429, 'E_PROVIDER_RATE', true],
    [500, 'E_PROVIDER_DOWN', true],
  ];
  itInSoak.each(STATUSES)(
    'says that it met HTTP %s, and can be told again',
    async (status, code, retryable) => {
      const { session } = begin([
        { error: { status, headers: { 'retry-after': '1' } } },
        { text: 'Better.' },
      ]);
      const failed = await play(session, {});
      expect(failed.end).toMatchObject({ reason: 'error', error: { code, status, retryable } });
      const next = await play(session, {});
      expect(next.text).toBe('Better.');
      expect(next.sessionId).not.toBe(failed.sessionId);
    },
  );

  itInSoak('is stopped in mid-stream with all that it started, and goes on', async () => {
    const steps: ScriptedStep[] = [
      { text: 'A first part', toolCalls: [shell('sleep 300')] },
      { text: 'Back.' },
    ];
    const { session, enter } = begin(steps, { access: 'full' });
    const stop = new AbortController();
    const played = await play(session, { signal: stop.signal }, (event) => {
      if (event.type === 'tool.start') stop.abort();
    });
    expect(played.end).toEqual({ type: 'turn.end', reason: 'aborted' });
    expect(played.text).toBe('A first part');
    expect(toolEnds(played)).toMatchObject([{ name: 'run_shell_command', isError: true }]);
    const next = await play(enter({ resume: played.sessionId as string }), {});
    expect(next).toMatchObject({ text: 'Back.', sessionId: played.sessionId });
  });

  itInSoak('takes a prompt of 100 KB by standard input', async () => {
    const { session, requests } = begin([{ text: 'Read.' }]);
    const long = 'word '.repeat(20_480).trim();
    expect((await play(session, { say: long })).text).toBe('Read.');
    expect(requests()[0]?.text).toContain(long);
  });

  itInSoak('says so when the session is not known, or the folder is not trusted', async () => {
    const { enter } = begin([]);
    const lost = await play(enter({ resume: randomUUID() }), {});
    expect(lost.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_SESSION' } });
    const { session } = begin([], { trust: false });
    expect((await play(session, {})).end).toMatchObject({
      reason: 'error',
      error: { code: 'E_PROVIDER_TRUST' },
    });
  });
});
