import { auditRun, historyProblem } from '@cuebook/engine';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { calls, RUN, runDesk, WHOLE, write } from '../../test/run-desk.js';
import { replayMachine, workflowKind } from './machine/machine.js';

const shape = (messages: readonly { readonly role: string; readonly content: string }[]): string =>
  messages.map(({ role, content }) => `${role[0]}:${/^[A-Z_]{4,}/.exec(content)?.[0] ?? ''}`).join(' ');

describe('a workflow run', () => {
  it('is carried out to its end, with one closing message, and leaves artifacts', async () => {
    const desk = await runDesk({ steps: WHOLE });
    const run = await desk.open();
    await run.play('I want a shop.');
    const { state } = await run.read();
    expect([await run.status(), state.agent.failure]).toEqual([{ kind: 'done' }, null]);
    expect(desk.inProject('artifacts/intake.md')).toBe('a shop\n');
    expect(desk.inState('workflow.md')).toContain('currentNodeId: end-99');
    const words = state.agent.history.filter(({ role, text }) => role === 'assistant' && text !== '');
    expect(words.map(({ text }) => text)).toEqual(['All is done.']);
    expect(desk.audit().map(({ toolName, output }) => `${toolName} ${output.ok}`)).toEqual([
      'fs.read true',
      'fs.write true',
      'fs.apply_patch true',
      'fs.apply_patch true',
      'fs.write true',
      'fs.apply_patch true',
      'fs.apply_patch true',
    ]);
    expect(desk.notes()).toEqual([]);
    expect(await auditRun(run.store, replayMachine(workflowKind(RUN)), RUN)).toEqual([]);
    expect(historyProblem(state.agent.history)).toBeUndefined();
  });

  it('is told where it is at the start, after each step and at the end, in its place in the history', async () => {
    const desk = await runDesk({ steps: WHOLE });
    await (await desk.open()).play('I want a shop.');
    const head = 's: s: s:';
    expect(desk.requests.map(({ messages }) => shape(messages))).toEqual([
      `${head} u:RUN_DIRECTIVE u:NODE_BRIEF u:USER_INPUT`,
      `${head} u:RUN_DIRECTIVE u:NODE_BRIEF u:USER_INPUT a: t:`,
      `${head} u:USER_INPUT a: t: a: t: t: u:RUN_DIRECTIVE u:NODE_BRIEF`,
      `${head} u:USER_INPUT a: t: a: t: t: a: t: u:RUN_DIRECTIVE u:NODE_BRIEF`,
      `${head} u:USER_INPUT a: t: a: t: t: a: t: a: t: t: u:RUN_DIRECTIVE u:NODE_BRIEF`,
      `${head} u:USER_INPUT a: t: a: t: t: a: t: a: t: t: a: t: u:RUN_DIRECTIVE`,
    ]);
    // Case 9: the agent of the node speaks, in directive, persona and policy.
    const decide = desk.requests[2]?.messages.map(({ content }) => content) ?? [];
    expect(decide[1]).toContain('maxReadBytes=1000');
    expect(decide[2]).toContain('You are Name of pm');
    expect(decide.at(-2)).toContain('- effectiveAgentId: pm\n');
    // Ruling 8: the closing turn has no tools; ruling 14: after it the active agent speaks.
    expect(desk.requests.at(-1)).toMatchObject({ tools: [] });
    expect(desk.requests.at(-1)?.messages.at(-1)?.content).toContain('Protocol (post-run):');
    expect(desk.requests.at(-1)?.messages.at(-1)?.content).toContain('- effectiveAgentId: sm\n');
  });

  it('case 47: two calls, two results in call order with the exact ids, then the next request', async () => {
    const desk = await runDesk({
      project: { 'a.md': 'A', 'b.md': 'B' },
      steps: [
        calls(['fs.read', { path: '@project/a.md' }], ['fs.read', { path: '@project/b.md' }]),
        { text: 'ok' },
      ],
    });
    await (await desk.open()).play();
    const messages = desk.requests[1]?.messages ?? [];
    const asked = messages.find(({ role }) => role === 'assistant')?.toolCalls ?? [];
    const results = messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(asked.map(({ id }) => id));
    expect(results.map(({ content }) => (JSON.parse(content) as { content: string }).content)).toEqual([
      'A',
      'B',
    ]);
  });

  it('case 48: what cannot be run is answered and audited, and the loop goes on', async () => {
    const desk = await runDesk({
      steps: [
        calls(
          ['fs.erase', {}],
          ['terminal.run', { command: 'ls' }],
          ['fs.read', { file: 'x' }],
          ['mcp.x.y', {}],
        ),
        { text: 'ok' },
      ],
    });
    await (await desk.open()).play();
    const results = (desk.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
    expect(
      results.map(({ content }) => (JSON.parse(content) as { error: { code: string } }).error.code),
    ).toEqual(['TOOL_NOT_AVAILABLE', 'TOOL_NOT_AVAILABLE', 'E_INVALID_ARGS', 'TOOL_NOT_AVAILABLE']);
    expect(
      desk
        .audit()
        .map(({ toolName, output }) => `${toolName} ${output.ok}`)
        .sort(),
    ).toEqual(['fs.erase false', 'fs.read false', 'mcp.x.y false', 'terminal.run false']);
  });

  it('words in the middle of a workflow wait for the user, and the answer goes on', async () => {
    const desk = await runDesk({ steps: [{ text: 'What shall it be?' }, { text: 'I see.' }] });
    const run = await desk.open();
    await run.play();
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
    await run.say('A shop.');
    await run.drain();
    expect(shape(desk.requests[1]?.messages ?? [])).toBe(
      's: s: s: u: a: u:RUN_DIRECTIVE u:NODE_BRIEF u:USER_INPUT',
    );
    expect(desk.requests[1]?.messages.at(-1)?.content).toBe(
      'USER_INPUT\n- forNodeId: step-01-intake\nA shop.',
    );
    expect(desk.requests[1]?.messages.at(-3)?.content).toContain('- intent: continue\n');
  });

  it('on autopilot it goes on by itself', async () => {
    const desk = await runDesk({ steps: [{ text: 'Thinking.' }, ...WHOLE], facts: { autopilot: true } });
    const run = await desk.open();
    await run.play('A shop.');
    expect(await run.status()).toEqual({ kind: 'done' });
    expect(desk.requests[0]?.messages[3]?.content).toContain('- autopilot: true');
    expect(desk.requests[1]?.messages.at(-1)?.content).toContain('autopilot');
  });

  it('another process goes on where the first was closed, and says so', async () => {
    const desk = await runDesk({ steps: [{ text: 'What shall it be?' }, ...WHOLE] });
    const first = await desk.open();
    await first.play();
    await first.close();
    const second = await desk.open();
    expect(await second.take()).toBe(true);
    await second.say('A shop.');
    await second.drain();
    expect(await second.status()).toEqual({ kind: 'done' });
    expect(desk.requests[1]?.messages.at(-3)?.content).toContain('- intent: resume\n');
    expect(desk.inProject('artifacts/plan.md')).toBe('one\n');
  });

  it('the log takes no word about a turn that is not in flight', async () => {
    const desk = await runDesk({ steps: [{ text: 'Hello.' }] });
    const run = await desk.open();
    await run.play();
    const { composed } = (await run.read()).state;
    if (composed === null) throw new Error('no turn');
    const forged = { ...composed, agentId: 'pm', isComplete: true };
    expect(await run.command({ type: 'workflow.compose', composed: forged })).toMatchObject({
      ok: false,
      error: { code: 'E_AGENT_NO_TURN' },
    });
  });

  it('of two processes that want one run, one has it', async () => {
    const desk = await runDesk({ steps: [{ text: 'Hello.' }] });
    const first = await desk.open();
    await first.play();
    const second = await desk.open();
    expect(await second.take()).toBe(false);
  });
});

describe('a conversation', () => {
  it.each([
    ['agent', 's: s: s: u:USER_INPUT'],
    ['chat', 's: s: u:USER_INPUT'],
  ] as const)('in mode %s has no state and no directive, and its tools', async (mode, first) => {
    const desk = await runDesk({
      facts: { mode },
      steps: [
        calls(['fs.read', { path: '@state/workflow.md' }], write('@project/note.md', 'x')),
        { text: 'Hi.' },
      ],
    });
    const run = await desk.open();
    await run.play('hi');
    expect(await run.status()).toEqual({ kind: 'done' });
    expect(shape(desk.requests[0]?.messages ?? [])).toBe(first);
    expect(desk.requests[0]?.messages.at(-1)?.content).toBe('USER_INPUT\nhi');
    expect(desk.requests[0]?.tools.length).toBe(6);
    const results = (desk.requests[1]?.messages ?? []).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content.slice(0, 60))).toEqual([
      expect.stringContaining('"ok":false'),
      expect.stringContaining('"ok":true'),
    ]);
    expect(desk.inState('workflow.md')).toBeUndefined();
    await run.say('more');
    await run.drain();
    expect(await run.status()).toMatchObject({ kind: 'failed', code: 'E_SCRIPT_END' });
  });
});

describe('bounds', () => {
  it('case 50: after the bound of turns it fails, the state is valid, and a word goes on', async () => {
    const read = (n: number) =>
      calls(['fs.search', { path: '@project', pattern: `word${String.fromCharCode(97 + n)}` }]);
    const desk = await runDesk({
      steps: [...Array.from({ length: 5 }, (_, n) => read(n)), { text: 'Here I am.' }],
      facts: { maxTurns: 5 },
    });
    const run = await desk.open();
    await run.play();
    expect(await run.status()).toMatchObject({ kind: 'failed', code: 'ENGINE_MAX_TURNS_EXCEEDED' });
    expect(desk.requests).toHaveLength(5);
    await run.say('go on');
    await run.drain();
    expect(await run.status()).toEqual({ kind: 'waiting', for: 'input' });
  });

  it('a call that fails three times in the same way ends in a question to a person', async () => {
    const again = calls(['fs.read', { path: '@project/none.md' }]);
    const desk = await runDesk({ steps: [again, again, again, again] });
    const run = await desk.open();
    await run.play();
    expect(await run.status()).toMatchObject({ kind: 'waiting', for: 'loop', code: 'ENGINE_LOOP_DETECTED' });
    expect(desk.requests).toHaveLength(3);
  });

  it('case 51: a stop ends between turns, leaves no half file, and the next word goes on', async () => {
    const desk = await runDesk({
      steps: [calls(write('@project/a.md', 'whole')), { text: 'x', delayMs: 3_600_000 }, { text: 'Back.' }],
    });
    const run = await desk.open();
    await run.take();
    await run.begin({ by: 'ann' });
    const end = new AbortController();
    for await (const { type } of run.store.subscribe({ run: RUN, signal: end.signal })) {
      if (type === 'turn.recorded' && (await run.read()).state.agent.turns === 2) end.abort();
    }
    await run.command({ type: 'agent.stop', by: 'ann' });
    await run.drain();
    expect(await run.status()).toEqual({ kind: 'stopped', code: 'ENGINE_ABORTED' });
    expect(desk.inProject('a.md')).toBe('whole');
    await run.say('go on');
    await run.drain();
    expect((await run.read()).state.agent.history.at(-1)).toMatchObject({ text: 'Back.' });
  });

  it('what a turn lacks blocks it, and no model is called', async () => {
    const desk = await runDesk({ facts: { activeAgentId: 'nobody' }, steps: [{ text: 'never' }] });
    const run = await desk.open();
    await run.play();
    expect(await run.status()).toMatchObject({ kind: 'failed', code: 'ENGINE_PRECONDITION_FAILED' });
    expect(desk.requests).toEqual([]);
  });
});
