import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Driver, inProcess } from '@cuebook/engine';
import { openStore, type RunId } from '@cuebook/journal';
import { composeRequest, createRedactor, type JsonValue } from '@cuebook/prompt';
import { afterAll, expect, it } from 'vitest';
import { loadedRoles } from '../../test/roles.js';
import { spec } from '../../test/team-run.js';
import { scanBlocks, toAskedCall } from '../call/scan.js';
import { composeNode } from '../prompt/compose.js';
import { createTeamMachine } from './decide.js';
import { promptInput } from './facts.js';
import { nodesOf, type TeamState } from './state.js';

const RUN = 'run_1' as RunId;
const folder = mkdtempSync(join(tmpdir(), 'team-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (name: string, args: object) => JSON.stringify({ tool_call: { name, args } });

/** What each node says, turn by turn. */
const SCRIPT: Readonly<Record<string, string[]>> = {
  lead: [
    [
      'I hand this out.',
      call('spawn_node', {
        label: 'Docs',
        alias: 'docs',
        roleTemplate: 'planner',
        instructions: 'Write it.',
      }),
      call('create_edge', { from: 'lead', to: 'docs' }),
      call('send_handoff', { to: 'docs', message: 'Report back.', response: { expectation: 'required' } }),
    ].join('\n'),
    `Thank you.\n${call('finish_run', { ok: true, summary: 'The plan is written.' })}`,
  ],
  docs: [
    `Now.\n${call('read_file', { path: 'a.md' })}`,
    `Done.\n${call('send_handoff', { to: 'lead', message: 'It is there.' })}`,
  ],
};

it('a run by the real engine over a real journal: spawn, edge, handoff, tool, reply, end', async () => {
  const opened = await openStore({ file: join(folder, 'journal.db') });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const store = opened.value;
  const prompts: string[] = [];
  const config = { resumes: () => true, nativeTools: () => false };
  const machine = createTeamMachine(config);

  const speak = async (input: JsonValue): Promise<JsonValue> => {
    const { node: id, prompt: kind } = input as { readonly node: string; readonly prompt: 'full' | 'delta' };
    const { state } = await engine.read(RUN);
    const facts = promptInput(state, id, config);
    if (!facts) throw new Error('no turn');
    const prompt = composeNode(facts);
    const request = composeRequest({
      blocks: prompt[kind],
      hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
      redactor: createRedactor({ roots: [], private: [], names: [] }),
    });
    if (!request.ok) throw new Error(JSON.stringify(request.error));
    const alias = facts.task.node.alias ?? '';
    prompts.push(`${alias} ${kind}\n${request.value.prompt.text}`);
    const { text, calls, notes } = scanBlocks([SCRIPT[alias]?.shift() ?? '']);
    const said = {
      text,
      notes,
      calls: calls.map(toAskedCall),
      end: { reason: 'done' },
      sessionId: alias,
      parts: prompt.parts,
    };
    return said as unknown as JsonValue;
  };
  const drivers: Record<string, Driver> = {
    'node.turn': { perform: async ({ input }) => ({ ok: true, output: await speak(input) }) },
    'tool.call': { perform: async () => ({ ok: true, output: 'the text of a.md' }) },
    'diff.take': { perform: async () => ({ ok: true, output: { hash: null, files: [] } }) },
  };
  const engine = createEngine({ store, machine, drivers, work: inProcess({ leaseMs: 10 * 60_000 }) });
  await engine.start();
  const started = await engine.submit(RUN, {
    id: 'start',
    ...{
      type: 'run.start',
      run: RUN,
      by: 'ann',
      mode: 'AUTO',
      globalMode: 'IMPLEMENTATION',
      done: [],
      edges: [],
    },
    ...{
      goal: { text: 'Write a plan.', by: 'user', ref: 'goal' },
      providers: ['line'],
      verify: [],
      budget: {},
    },
    ...{ nodes: [spec('lead', 'orchestrator')], roles: loadedRoles(), priced: false },
  });
  expect(started.ok).toBe(true);
  await engine.drain();

  const { state } = await engine.read(RUN);
  expect(state).toMatchObject({
    status: 'completed',
    result: { summary: 'The plan is written.' },
    replies: [],
  });
  expect(nodesOf(state).map(({ node, work }) => [node.alias, work])).toEqual([
    ['lead', null],
    ['docs', null],
  ]);
  expect(prompts.map((prompt) => prompt.split('\n')[0])).toEqual([
    'lead full',
    'docs full',
    'docs delta',
    'lead delta',
  ]);
  expect(prompts[2]).toContain('the text of a.md');
  expect(prompts[2]).not.toContain('You are one node of a graph');
  expect(prompts[3]).toContain('It is there.');
  await engine.stop();

  // Another process reads the same run from the journal.
  const other = createEngine({ store, machine, drivers: {} });
  const again: TeamState = (await other.read(RUN)).state;
  expect(again).toEqual(state);
  await store.close();
});
