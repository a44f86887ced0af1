import { parseShells } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { envelope, ROLE, result, someNode, someTask, taskText, textOf } from '../../test/facts.js';
import { TOOL_ARGS, type ToolName } from '../call/tools.js';
import { TEXTS } from '../shipped-texts.js';
import { composeNode, type NodePromptInput } from './compose.js';
import { NO_SESSION, type PromptChange, promptKind, type SessionFacts } from './kind.js';
import { taskSections } from './task.js';

it('the payload says everything that is known', () => {
  const dev = someNode({ id: 'node_1', alias: 'dev', label: 'Developer' });
  const lead = someNode({ id: 'node_2', alias: 'lead', label: 'Lead', role: 'orchestrator' });
  const text = taskText({
    role: ROLE,
    nativeTools: true,
    task: someTask({
      node: dev,
      nodes: [dev, lead].map((node) => ({ ...node, status: 'idle' })),
      edges: [
        { id: 'edge_1', from: 'node_2', to: 'node_1', bidirectional: false, type: 'report', label: 'report' },
      ],
      messages: [{ id: 'msg_1', text: 'Hurry.', by: 'ann', interrupt: true }],
      handoffs: [
        envelope(
          'Please do it.',
          {
            structured: { n: 1 },
            artifacts: [{ type: 'diff', ref: 'artifact://a1' }],
            status: { ok: false, reason: 'late' },
            response: { expectation: 'required', replyTo: 'node_2' },
          },
          { contextRef: 'contextpack://p1' },
        ),
      ],
      results: [
        result('file text'),
        { kind: 'verification', failure: 'FAIL a.test.ts' },
        { kind: 'flag', files: ['src/a.ts'], rule: 'PLANNING' },
        {
          kind: 'note',
          note: { rule: 'params', line: 3, block: 0, message: 'Use args, not params.', sample: '{"x' },
        },
        { kind: 'ending', reason: 'timeout', message: 'The turn took too long.' },
      ],
      replies: [{ envelope: 'env_1', from: 'node_2', owedBy: 'node_1', to: 'node_2', since: 'x' }],
    }),
  });
  const shells = parseShells(text);
  if (!shells.ok) throw new Error(JSON.stringify(shells.error));
  const find = (header: string) => {
    const shell = shells.value.find((each) => each.header === header);
    return {
      body: shell?.body,
      ...Object.fromEntries(shell?.fields.map(({ key, value }) => [key, value]) ?? []),
    };
  };
  expect(find('TASK_PAYLOAD')).toMatchObject({
    node: 'node_1',
    alias: 'dev',
    capabilities: expect.stringContaining('edgeManagement=none'),
    permissions: expect.stringContaining('agentManagementRequiresApproval=true'),
  });
  expect(find('TASK_OBJECTIVE')).toEqual({ body: 'Ship it.', done: ['Tests pass.'] });
  expect(find('TASK_WORKSPACE')).toMatchObject({ path: '@workspace', docs: 'docs' });
  expect(find('KNOWN_NODES')).toMatchObject({
    nodes: [
      expect.stringContaining('[node_1] Developer alias=dev'),
      expect.stringContaining('[node_2] Lead alias=lead'),
    ],
  });
  expect(find('KNOWN_EDGES')).toMatchObject({
    edges: ['[edge_1] lead (node_2) -> dev (node_1) type=report bidirectional=false label=report'],
  });
  expect(find('INCOMING_HANDOFF')).toEqual({
    body: 'Please do it.',
    id: 'env_1',
    from: 'node_2',
    alias: 'lead',
    at: '2026-01-02T03:04:05.000Z',
    status: 'failed (late)',
    response: 'required replyTo=node_2',
    context: 'contextpack://p1',
    artifacts: ['[diff] artifact://a1'],
    structured: '{"n":1}',
  });
  expect(find('INCOMING_MESSAGE')).toMatchObject({ body: 'Hurry.', from: 'ann', delivery: 'interrupt' });
  expect(find('TOOL_RESULT')).toMatchObject({ body: 'file text', call: 'call_1', id: 'c1', status: 'ok' });
  expect(find('VERIFY_RESULT')).toMatchObject({ body: 'FAIL a.test.ts', status: 'failed' });
  expect(find('CHANGES_FLAGGED')).toMatchObject({ rule: 'PLANNING', setAside: ['./src/a.ts'] });
  expect(find('CALL_NOTE')).toMatchObject({ rule: 'params', line: '3', fix: 'Use args, not params.' });
  expect(find('LAST_TURN')).toMatchObject({ ended: 'timeout' });
  expect(find('PENDING_REPLIES')).toMatchObject({ youOwe: ['lead, for env_1'], youAwait: [] });
  expect(find('BUDGET_LEFT')).toMatchObject({ turns: '10', tokens: '1000' });
});

describe('a delta', () => {
  const first = composeNode({ role: ROLE, nativeTools: true, task: someTask() });
  it('has neither the system nor the role layer, nor what the session has heard', () => {
    const next = composeNode({
      role: ROLE,
      nativeTools: true,
      task: someTask({ turn: 2 }),
      heard: first.parts,
    });
    expect(next.delta.map(({ name }) => name)).toEqual(['mode', 'task']);
    expect(textOf(next.delta).length).toBeLessThan(textOf(next.full).length / 2);
    expect(textOf(next.delta)).not.toContain('KNOWN_NODES');
    expect(textOf(next.delta)).not.toContain('TASK_OBJECTIVE');
    expect(textOf(next.full)).toContain('KNOWN_NODES');
  });
  it('has the parts that changed', () => {
    const node = someNode({ id: 'node_9', label: 'New' });
    const task = someTask({ turn: 2, nodes: [...someTask().nodes, { ...node, status: 'idle' }] });
    const next = composeNode({ role: ROLE, nativeTools: true, task, heard: first.parts });
    expect(textOf(next.delta)).toContain('[node_9] New');
    expect(textOf(next.delta)).not.toContain('TASK_OBJECTIVE');
  });
  it('of a session that has heard nothing has every part', () => {
    expect(taskSections(someTask()).map(({ key }) => key)).toEqual([
      'payload',
      'objective',
      'workspace',
      'roster',
      'state',
    ]);
    expect(textOf(first.delta)).toContain('TASK_OBJECTIVE');
  });
  it('the head changes with the template and the protocol, not with the task', () => {
    const head = (input: Partial<NodePromptInput>) =>
      composeNode({ role: ROLE, nativeTools: true, task: someTask(), ...input }).head;
    expect(head({ task: someTask({ turn: 9, globalMode: 'PLANNING' }) })).toBe(first.head);
    expect(head({ role: { ...ROLE, text: `${ROLE.text}x` } })).not.toBe(first.head);
    expect(head({ nativeTools: false })).not.toBe(first.head);
  });
});

describe('full or delta', () => {
  const HEARD: SessionFacts = {
    id: 's1',
    heard: { provider: 'claude', model: null, head: 'h' },
    broken: null,
  };
  const SAME: PromptChange = { provider: 'claude', model: null, head: 'h', resumes: true };
  it.each<[string, SessionFacts, PromptChange, string]>([
    ['nothing heard yet', NO_SESSION, SAME, 'first'],
    ['the session goes on', HEARD, SAME, 'delta'],
    ['after a reset', { ...NO_SESSION, broken: 'reset' }, SAME, 'reset'],
    ['after a crash', { ...HEARD, broken: 'crash' }, SAME, 'crash'],
    ['after a failed turn', { ...HEARD, broken: 'failed' }, SAME, 'failed'],
    ['another provider', HEARD, { ...SAME, provider: 'codex' }, 'provider'],
    ['another model', HEARD, { ...SAME, model: 'm' }, 'provider'],
    ['another template', HEARD, { ...SAME, head: 'h2' }, 'template'],
    ['a provider without sessions', HEARD, { ...SAME, resumes: false }, 'no-session'],
    ['a provider that gave no id', { ...HEARD, id: null }, SAME, 'no-session'],
  ])('%s', (_name, session, change, expected) => {
    const kind = promptKind(session, change);
    expect(kind.kind === 'full' ? kind.why : kind.kind).toBe(expected);
  });
});

it('the contract describes every tool as its schema has it', () => {
  for (const name of Object.keys(TOOL_ARGS)) {
    const shape = TEXTS.text(`tools.md#${name}.shape`).slice(name.length);
    const top = shape.replace(/: (?:\[?\{[^}]*\}\]?|"[^,}]*)/g, '');
    const told = top.match(/\w+\??/g) ?? [];
    const schema = TOOL_ARGS[name as ToolName].shape as Record<string, { isOptional(): boolean }>;
    expect(told).toEqual(Object.entries(schema).map(([key, type]) => (type.isOptional() ? `${key}?` : key)));
  }
});
