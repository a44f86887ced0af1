import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { CODEX_KEY, codexEnvironment, codexSettings } from '../../../../test/model-server/agents.js';
import type { ScriptedCall, ScriptedStep } from '../../../../test/model-server/index.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it, itInSoak } from '../../../../test/runs.js';
import { type AgentDesk, openDesk, systemAndUser } from '../../test/agent-desk.js';
import { eventsOf, HOME, type Played, play, redactor, requestOf, SECRET } from '../../test/play.js';
import type { ApprovalAnswer, Session, SessionOptions } from '../turn.js';
import { createCodexProvider } from './codex.js';
import type { CodexOptions } from './settings.js';

/** The model of the catalogue that has plain tools. */
const MODEL = 'gpt-5.5';

describePart('codex', 'Codex itself', ({ path }) => {
  let desk: AgentDesk;
  const open: Session[] = [];
  beforeAll(async () => {
    desk = await openDesk('codex');
  });
  afterAll(async () => {
    await Promise.all(open.map((session) => session.close()));
    await desk.close();
  });

  const provider = (lane: string, more: Partial<CodexOptions> = {}) =>
    createCodexProvider({
      command: path,
      environment: {
        PATH: process.env.PATH,
        HOME: desk.home,
        ANTHROPIC_API_KEY: SECRET,
        ...codexEnvironment,
      },
      allow: [CODEX_KEY],
      config: codexSettings(desk.server.laneUrl(lane)),
      ...more,
    });
  /** A session on a lane of its own that plays these steps. */
  const begin = (steps: readonly ScriptedStep[], options: Partial<SessionOptions> & CodexOptions = {}) => {
    const lane = `lane-${randomUUID()}`;
    desk.server.script(lane, steps);
    const { transport, ...rest } = options;
    const voice = provider(lane, transport === undefined ? {} : { transport });
    const enter = (more: Partial<SessionOptions> = {}) => {
      const session = voice.open({ redactor, cwd: desk.cwd, access: 'edit', ...rest, ...more });
      open.push(session);
      return session;
    };
    return { session: enter(), enter, requests: () => desk.server.lane(lane).requests, lane };
  };

  const shell = (id: string, cmd: string): ScriptedCall => ({
    ...{ id, name: 'exec_command', args: { cmd, yield_time_ms: 20_000 } },
  });
  const patch = (id: string, file: string): ScriptedCall => ({
    ...{ id, name: 'apply_patch' },
    input: `*** Begin Patch\n*** Add File: ${file}\n+made here\n*** End Patch\n`,
  });
  const toolEnds = (played: Played) =>
    eventsOf(played, 'tool.end').map(({ id, name, by, output, isError }) => ({
      id,
      name,
      by,
      output,
      isError,
    }));

  itInSoak('speaks a plain turn in deltas, with the thread named before the turn is sent', async () => {
    const { session, requests } = begin([
      { text: 'Hello from the model.', reasoning: 'hm', usage: { cached: 40 } },
    ]);
    const played = await play(session, { say: 'say hi' });
    expect(played.text).toBe('Hello from the model.');
    expect(eventsOf(played, 'text.delta').length).toBeGreaterThan(1);
    expect(
      eventsOf(played, 'reasoning.delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('hm');
    expect(played.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(played.events[0]).toMatchObject({ type: 'turn.start', provider: 'codex', model: MODEL });
    expect(eventsOf(played, 'usage')).toEqual([
      {
        type: 'usage',
        usage: {
          inputTokens: 100,
          outputTokens: 20,
          cachedInputTokens: 40,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        },
      },
    ]);
    expect(played.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop' });
    expect(requests().at(-1)?.text).toContain('say hi');
  });

  itInSoak('runs its own tools and says what they did', async () => {
    const steps = [{ text: 'I look.', toolCalls: [shell('call_1', 'echo from-shell; exit 3')] }];
    const { session, requests } = begin([
      ...steps,
      { toolCalls: [patch('call_2', 'made.txt')] },
      { text: 'Done.' },
    ]);
    const played = await play(session, {});
    expect(toolEnds(played)).toEqual([
      { id: 'call_1', name: 'commandExecution', by: 'agent', output: 'from-shell\n', isError: true },
      { id: 'call_2', name: 'fileChange', by: 'agent', output: '', isError: undefined },
    ]);
    expect(desk.files()).toContain('made.txt');
    expect(played.text).toBe('I look.Done.');
    expect(new Set(eventsOf(played, 'text.delta').map(({ block }) => block)).size).toBe(2);
    expect(eventsOf(played, 'usage')[0]?.usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
    expect(requests()).toHaveLength(3);
  });

  const SPAWN = {
    name: 'spawn.node',
    description: 'Starts a node.',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  };

  it('calls our tools natively, cleaned, in a thread that a later process goes on with', async () => {
    const call = (id: string): ScriptedCall => ({ id, name: 'spawn_node', args: { name: 'child' } });
    const { session, enter, requests } = begin([
      { toolCalls: [call('call_a')] },
      { text: 'Spawned.' },
      { toolCalls: [call('call_b')] },
      { text: 'Again.' },
    ]);
    const asked: unknown[] = [];
    const callTool = async (asks: unknown) => {
      asked.push(asks);
      return { output: `made in ${HOME}/nodes with ${SECRET}` };
    };
    const request = requestOf('spawn one', [SPAWN]);
    const first = await play(session, { request, callTool });
    expect(asked).toEqual([{ id: 'call_a', name: 'spawn.node', input: { name: 'child' } }]);
    expect(toolEnds(first)).toMatchObject([{ id: 'call_a', name: 'spawn.node', by: 'caller' }]);
    await session.close();
    const second = await play(enter({ resume: first.sessionId as string }), { request, callTool });
    expect(second.text).toBe('Again.');
    expect(second.sessionId).toBe(first.sessionId);
    expect(toolEnds(second)).toMatchObject([{ id: 'call_b', name: 'spawn.node', by: 'caller' }]);
    expect(eventsOf(second, 'usage')[0]?.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
    const wire = requests()
      .map(({ text }) => text)
      .join('\n');
    for (const secret of [HOME, SECRET]) {
      expect(wire).not.toContain(secret);
      expect([...first.sent, ...second.sent].join('\n')).not.toContain(secret);
    }
    expect(wire).toContain('made in ');
  });

  itInSoak('keeps system words with the developer role, changed ones too', async () => {
    const { session, requests } = begin([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    const say = (system: string, user: string) => systemAndUser(system, user);
    await play(session, { request: say('You are terse.', 'first') });
    await play(session, { request: say('You are terse.', 'all of it'), delta: requestOf('and the xyzzy') });
    await play(session, { request: say('You are long.', 'all of it'), delta: say('You are long.', 'third') });
    interface Input {
      readonly input: readonly {
        readonly role?: string;
        readonly content?: readonly { readonly text?: string }[];
      }[];
    }
    const roles = (index: number) =>
      (requests()[index] as { readonly body: Input }).body.input.flatMap(({ role, content = [] }) =>
        content.map(({ text = '' }) => ({ role, text })),
      );
    const roleOf = (index: number, words: string) =>
      roles(index)
        .filter(({ text }) => text.includes(words))
        .map(({ role }) => role);
    expect(roleOf(0, 'You are terse.')).toEqual(['developer']);
    expect(roleOf(1, 'You are terse.')).toEqual(['developer']);
    expect(roleOf(1, 'and the xyzzy')).toEqual(['user']);
    expect(roleOf(1, 'all of it')).toEqual([]);
    expect(roleOf(2, 'You are long.')).toEqual(['developer']);
  });

  const APPROVALS: readonly [string, ApprovalAnswer, string | undefined][] = [
    ['allow', { decision: 'allow' }, undefined],
    ['deny', { decision: 'deny', message: 'not on a Sunday' }, 'not on a Sunday'],
    ['change', { decision: 'change', input: { command: 'ls' } }, 'Allowed is this instead: {"command":"ls"}'],
  ];
  itInSoak.each(APPROVALS)('asks before it acts: %s', async (name, answer, told) => {
    const { session, requests } = begin(
      [
        { toolCalls: [shell(`call_${name}`, `touch asked-${name}`)] },
        { toolCalls: [patch(`patch_${name}`, `patched-${name}`)] },
        { text: 'Done.' },
      ],
      { ask: true },
    );
    const played = await play(session, { onApproval: async () => answer });
    expect(
      eventsOf(played, 'approval.request').map(({ tool, callId, input }) => ({ tool, callId, input })),
    ).toEqual([
      {
        tool: 'commandExecution',
        callId: `call_${name}`,
        input: { command: `/bin/bash -lc 'touch asked-${name}'` },
      },
      expect.objectContaining({ tool: 'fileChange', callId: `patch_${name}` }),
    ]);
    const made = name === 'allow' ? [`asked-${name}`, `patched-${name}`] : [];
    expect(desk.files().filter((file) => file.endsWith(`-${name}`))).toEqual(made);
    expect(toolEnds(played).map(({ isError }) => isError)).toEqual(
      made.length > 0 ? [undefined, undefined] : [true, true],
    );
    expect(played.end.reason).toBe('done');
    if (told !== undefined)
      expect(JSON.stringify(requests().at(-1)?.body)).toContain(JSON.stringify(told).slice(1, -1));
  });

  itInSoak('only reads when it plans, whatever it is asked', async () => {
    const { session } = begin(
      [
        { toolCalls: [shell('call_p', 'touch planned')] },
        { toolCalls: [patch('patch_p', 'planned.txt')] },
        { text: 'Planned.' },
      ],
      { access: 'plan', ask: true },
    );
    const played = await play(session, { onApproval: async () => ({ decision: 'allow' }) });
    expect(played.text).toBe('Planned.');
    expect(eventsOf(played, 'approval.request')).toEqual([]);
    expect(desk.files().filter((file) => file.startsWith('planned'))).toEqual([]);
  });

  const STATUSES: readonly [number, string, boolean][] = [
    [401, 'E_PROVIDER_AUTH', false],
    [429, 'E_PROVIDER_RATE', true],
    [500, 'E_PROVIDER_DOWN', true],
  ];
  itInSoak.each(['app-server', 'exec'] as const)('says which HTTP status it met (%s)', async (transport) => {
    for (const [status, code, retryable] of STATUSES) {
      const error = { status, headers: { 'retry-after': '1' } };
      const { session } = begin([{ error, times: 50 }], { transport });
      const played = await play(session, {});
      expect(played.end).toMatchObject({ reason: 'error', error: { code, status, retryable } });
    }
  });

  itInSoak('stops in mid-stream when told, keeps what was said, and goes on', async () => {
    const { session } = begin([{ text: 'A first part that stays', hang: true }, { text: 'Back.' }]);
    const stop = new AbortController();
    const played = await play(session, { signal: stop.signal }, (event) => {
      if (event.type === 'text.delta') stop.abort();
    });
    expect(played.end).toEqual({ type: 'turn.end', reason: 'aborted' });
    expect('A first part that stays').toContain(played.text);
    expect(played.text).not.toBe('');
    const next = await play(session, {});
    expect(next.text).toBe('Back.');
    expect(next.sessionId).toBe(played.sessionId);
  });

  itInSoak.each(['app-server', 'exec'] as const)(
    'is killed in mid-stream and resumed by another process (%s)',
    async (transport) => {
      const running = begin([{ toolCalls: [shell('call_k', 'sleep 300')] }, { text: 'Went on.' }], {
        transport,
      });
      const killed = play(running.session, { say: 'remember this' }, (event) => {
        if (event.type === 'tool.start') void running.session.close();
      });
      const first = await killed;
      expect(first.end.reason).not.toBe('done');
      expect(toolEnds(first)).toMatchObject([
        { id: expect.any(String), name: 'commandExecution', isError: true },
      ]);
      const second = await play(running.enter({ resume: first.sessionId as string }), { say: 'go on' });
      expect(second.end.reason).toBe('done');
      expect(second.text).toBe('Went on.');
      expect(running.requests().at(-1)?.text).toContain('remember this');
    },
  );

  itInSoak('takes a prompt of 100 KB by standard input', async () => {
    const { session, requests } = begin([{ text: 'Read.' }]);
    const long = 'word '.repeat(20_480);
    expect((await play(session, { say: long })).text).toBe('Read.');
    expect(requests().at(-1)?.text).toContain(long.trim());
  });

  itInSoak('says so when the session is not known', async () => {
    for (const transport of ['app-server', 'exec'] as const) {
      const { enter } = begin([], { transport });
      const played = await play(enter({ resume: '01a1e071-fd85-7d83-904e-3e07257a8071' }), {});
      expect(played.end).toMatchObject({ reason: 'error', error: { code: 'E_PROVIDER_SESSION' } });
    }
  });

  itInSoak('is handed no key of another provider', async () => {
    const { session } = begin([{ toolCalls: [shell('call_e', 'env')] }, { text: 'Done.' }], {
      access: 'full',
    });
    const [{ output = '' } = {}] = toolEnds(await play(session, {}));
    expect(output).toContain('PATH=');
    expect(output).not.toContain('ANTHROPIC');
  });

  itInSoak('does the same without an app-server, in whole messages and with our tools over MCP', async () => {
    const spawn: ScriptedCall = {
      id: 'call_m',
      name: 'spawn_node',
      args: { name: 'x' },
      namespace: 'mcp__cuebook',
    };
    const { session, requests } = begin([{ toolCalls: [spawn] }, { text: 'Spawned.' }, { text: 'Again.' }], {
      transport: 'exec',
    });
    const tools = [{ ...SPAWN, name: 'spawn_node' }];
    const request = systemAndUser('You are terse.', 'spawn one', tools);
    const first = await play(session, { request, callTool: async ({ name }) => ({ output: `ran ${name}` }) });
    expect(first.text).toBe('Spawned.');
    expect(toolEnds(first)).toMatchObject([{ name: 'spawn_node', by: 'caller', output: 'ran spawn_node' }]);
    expect(eventsOf(first, 'usage')[0]?.usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
    const second = await play(session, { request, delta: requestOf('and again') });
    expect(second.text).toBe('Again.');
    expect(second.sessionId).toBe(first.sessionId);
    expect(eventsOf(second, 'usage')[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    expect(requests()[0]?.text).toContain('You are terse.\\n\\nspawn one');
    expect(requests()[2]?.text).toContain('and again');
  });
});
