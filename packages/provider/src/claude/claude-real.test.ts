import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcesses } from '@cuebook/process';
import { expect, it } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInSoak, itInTurn } from '../../../../test/runs.js';
import { systemAndUser } from '../../test/agent-desk.js';
import { bash, claudeDesk, write } from '../../test/claude-desk.js';
import { eventsOf, HOME, play, requestOf, SECRET } from '../../test/play.js';
import type { ApprovalRequest, CallerTool } from '../turn.js';

describePart('claude', 'Claude Code itself', ({ path }) => {
  const claude = claudeDesk(path);

  itInSoak('streams a plain turn, its usage and its cost', async () => {
    const { lane, open, script } = claude.provider();
    script({
      text: 'Hello from the model.',
      reasoning: 'let me think',
      usage: { cached: 30, cacheWrite: 10 },
    });
    const session = open();
    const turn = await play(session, { request: systemAndUser('You are the night watch.', 'say hi') });
    await session.close();
    expect(turn.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'stop' });
    expect(turn.text).toBe('Hello from the model.');
    expect(eventsOf(turn, 'text.delta').length).toBeGreaterThan(1);
    expect(
      eventsOf(turn, 'reasoning.delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('let me think');
    const [{ usage } = { usage: undefined }] = eventsOf(turn, 'usage');
    expect(usage).toMatchObject({
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 30,
      cacheWriteTokens: 10,
    });
    expect(usage?.costUsd).toBeGreaterThan(0);
    const body = JSON.parse(claude.bodies(lane)[0] ?? '{}');
    expect(JSON.stringify(body.system)).toContain('You are the night watch.');
    expect(JSON.stringify(body.messages)).toContain('say hi');
    expect(JSON.stringify(body.messages)).not.toContain('night watch');
  });

  itInSoak('keeps one process for many turns, and sends only the delta', async () => {
    const { lane, open, script } = claude.provider();
    script({ text: 'One.' }, { text: 'Two.' });
    const session = open();
    const first = await play(session, { request: systemAndUser('Rules.', 'first') });
    const second = await play(session, {
      request: systemAndUser('Rules.', 'first and second'),
      delta: requestOf('second'),
    });
    await session.close();
    expect([first.text, second.text]).toEqual(['One.', 'Two.']);
    expect(second.sent).toHaveLength(1);
    expect(JSON.parse(second.sent[0] ?? '').message.content).toEqual([{ type: 'text', text: 'second' }]);
    expect(second.sessionId).toBe(first.sessionId);
    expect(claude.bodies(lane)[1]).toContain('One.');
    const costs = [first, second].map((turn) => eventsOf(turn, 'usage')[0]?.usage.costUsd);
    expect(costs[1]).toBeCloseTo(costs[0] ?? 0, 9);
  });

  itInSoak(
    'resumes a session in a new process, with the system words of now and the cost of this turn',
    async () => {
      const { lane, open, script } = claude.provider();
      script({ text: 'One.' }, { text: 'Two.' });
      const before = open();
      const first = await play(before, { request: systemAndUser('Old rules.', 'remember me') });
      await before.close();
      const after = open(first.sessionId === undefined ? {} : { resume: first.sessionId });
      const second = await play(after, {
        request: systemAndUser('New rules.', 'all'),
        delta: requestOf('go on'),
      });
      await after.close();
      expect(second.end.reason).toBe('done');
      expect(second.sessionId).toBe(first.sessionId);
      const body = JSON.parse(claude.bodies(lane)[1] ?? '{}');
      expect(JSON.stringify(body.messages)).toMatch(/remember me.*One\..*go on/);
      expect(JSON.stringify(body.system)).toContain('New rules.');
      expect(JSON.stringify(body.system)).not.toContain('Old rules.');
      const costs = [first, second].map((turn) => eventsOf(turn, 'usage')[0]?.usage.costUsd);
      expect(costs[1]).toBeCloseTo(costs[0] ?? 0, 9);
    },
  );

  itInSoak('reports its own tools with their real outcome', async () => {
    const { open, script } = claude.provider();
    script(
      {
        text: 'Working.',
        toolCalls: [write('made.txt'), bash('echo from-bash'), bash('echo no >&2; exit 3')],
      },
      { text: 'Done.' },
    );
    const session = open({ access: 'full' });
    const turn = await play(session, {});
    await session.close();
    expect(turn.text).toBe('Working.Done.');
    const ends = eventsOf(turn, 'tool.end');
    expect(ends.map(({ name, by, isError }) => [name, by, isError])).toEqual([
      ['Write', 'agent', false],
      ['Bash', 'agent', false],
      ['Bash', 'agent', true],
    ]);
    expect(ends.map(({ output }) => output).join('\n')).toMatch(/from-bash.*no/s);
    expect(ends[0]?.input).toMatchObject({ content: 'made\n' });
    expect(eventsOf(turn, 'tool.start').map(({ id }) => id)).toEqual(ends.map(({ id }) => id));
    expect(claude.desk.files()).toContain('made.txt');
  });

  it('calls our tools over its own pipe, and is told only what is clean', async () => {
    const { lane, open, script } = claude.provider();
    const name = 'mcp__cuebook__graph_spawn';
    script(
      { text: 'Spawning.', toolCalls: [{ id: 'toolu_s1', name, args: { label: 'x' } }] },
      { text: 'Spawned.' },
    );
    const calls: CallerTool[] = [];
    const session = open();
    const turn = await play(session, {
      request: requestOf('spawn', [
        {
          name: 'graph.spawn',
          description: 'Starts a node.',
          parameters: { type: 'object', properties: { label: { type: 'string' } } },
        },
      ]),
      callTool: async (call) => {
        calls.push(call);
        return { output: `node n-42 in ${HOME}/deep with ${SECRET}` };
      },
    });
    await session.close();
    expect(turn.end.reason).toBe('done');
    expect(calls).toEqual([{ id: 'toolu_s1', name: 'graph.spawn', input: { label: 'x' } }]);
    const [end] = eventsOf(turn, 'tool.end');
    expect(end).toMatchObject({ id: 'toolu_s1', name: 'graph.spawn', by: 'caller', isError: false });
    expect(end?.output).toContain('node n-42');
    expect(claude.bodies(lane)[0]).toContain('Starts a node.');
    expect(claude.bodies(lane)[1]).toContain('node n-42');
    expect(`${claude.bodies(lane).join('')}${turn.sent.join('')}`).not.toMatch(
      new RegExp(`${SECRET}|${HOME}`),
    );
  });

  itInSoak.each([
    ['deny', { decision: 'deny', message: 'Not on my watch.' }, undefined],
    ['allow', { decision: 'allow' }, 'made\n'],
    [
      'change',
      { decision: 'change', input: { file_path: 'asked-change.txt', content: 'changed\n' } },
      'changed\n',
    ],
  ] as const)('asks before it acts, and takes "%s" for an answer', async (decision, answer, content) => {
    const { lane, open, script } = claude.provider();
    const file = `asked-${decision}.txt`;
    script({ text: 'Writing.', toolCalls: [write(file)] }, { text: 'Done.' });
    const asked: ApprovalRequest[] = [];
    const session = open({ ask: true, access: 'edit' });
    const turn = await play(session, {
      onApproval: async (request) => {
        asked.push(request);
        return answer;
      },
    });
    await session.close();
    expect(turn.end.reason).toBe('done');
    expect(asked).toMatchObject([{ tool: 'Write', input: { content: 'made\n' }, callId: 'toolu_write' }]);
    expect(eventsOf(turn, 'approval.request')).toEqual(asked);
    expect(eventsOf(turn, 'tool.end')[0]?.isError).toBe(decision === 'deny');
    const path = join(claude.desk.cwd, file);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(content);
    if (decision === 'deny') expect(claude.bodies(lane)[1]).toContain('Not on my watch.');
  });

  itInTurn('asks also where the settings of the project let it act by itself', async () => {
    const { open, script } = claude.provider();
    const settings = join(claude.desk.cwd, '.claude');
    mkdirSync(settings);
    writeFileSync(
      join(settings, 'settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash', 'Write'] } }),
    );
    script({ toolCalls: [bash('cuebook_x=1; touch by-settings')] }, { text: 'Done.' });
    const session = open({ ask: true, access: 'full' });
    const turn = await play(session, {});
    await session.close();
    rmSync(settings, { recursive: true });
    expect(eventsOf(turn, 'approval.request')).toMatchObject([{ tool: 'Bash' }]);
    expect(claude.desk.files()).not.toContain('by-settings');
  });

  itInSoak.each([
    ['nothing', undefined, false, false],
    ['plan', 'plan', false, false],
    ['edit', 'edit', true, false],
    ['full', 'full', true, true],
  ] as const)('may do what the access "%s" gives, and no more', async (title, access, mayWrite, mayRun) => {
    const { open, script } = claude.provider();
    const [file, made] = [`may-${title}.txt`, `ran-${title}.txt`];
    const run = bash(`node -e "require('fs').writeFileSync('${made}', 'x')"`);
    script({ text: 'Trying.', toolCalls: [write(file)] }, { toolCalls: [run] }, { text: 'Done.' });
    const session = open(access ? { access, ask: access === 'plan' } : {});
    const turn = await play(session, { onApproval: async () => ({ decision: 'allow' }) });
    await session.close();
    expect(turn.end.reason).toBe('done');
    expect([claude.desk.files().includes(file), claude.desk.files().includes(made)]).toEqual([
      mayWrite,
      mayRun,
    ]);
    expect(eventsOf(turn, 'tool.end').map(({ isError }) => isError)).toEqual([!mayWrite, !mayRun]);
  });

  itInSoak('takes a prompt of 400 KB', async () => {
    const { lane, open, script } = claude.provider();
    script({ text: 'Read.' });
    const session = open();
    const turn = await play(session, { request: systemAndUser('s'.repeat(200_000), 'ü'.repeat(100_000)) });
    await session.close();
    expect(turn.end.reason).toBe('done');
    expect(claude.bodies(lane)[0]).toContain('ü'.repeat(100_000));
    expect(claude.bodies(lane)[0]).toContain('s'.repeat(200_000));
  });

  itInSoak('leaves nothing behind, and never held another provider’s key', async () => {
    const { lane, open, script } = claude.provider();
    script(
      { toolCalls: [bash('env; (setsid sleep 600 >/dev/null 2>&1 & echo pid=$!)')] },
      { text: 'Started.' },
    );
    const session = open({ access: 'full' });
    const turn = await play(session, {});
    const output = eventsOf(turn, 'tool.end')[0]?.output ?? '';
    expect(output).toContain('PATH=');
    expect(output).not.toContain('OPENAI');
    expect(claude.bodies(lane)[1]).not.toContain('sk-of-another-provider');
    const pid = Number(/pid=(\d+)/.exec(output)?.[1]);
    const alive = async () => (await readProcesses('='))?.some((row) => row.pid === pid && !row.isZombie);
    expect(await alive()).toBe(true);
    await session.close();
    expect(await alive()).toBe(false);
  });

  itInSoak('has our tools in planning too', async () => {
    const { open, script } = claude.provider();
    script({ toolCalls: [{ id: 'toolu_p1', name: 'mcp__cuebook__look', args: {} }] }, { text: 'Seen.' });
    const session = open({ access: 'plan' });
    const turn = await play(session, {
      request: requestOf('plan', [{ name: 'look', description: 'Looks.' }]),
      callTool: async () => ({ output: 'a view', isError: true }),
    });
    await session.close();
    expect(turn.text).toBe('Seen.');
    expect(eventsOf(turn, 'tool.end')).toMatchObject([
      { name: 'look', by: 'caller', output: 'a view', isError: true },
    ]);
  });
});
