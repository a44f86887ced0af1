import { resolveRights } from '../src/capability/capabilities.js';
import type { Envelope } from '../src/graph/envelope.js';
import type { TeamNode } from '../src/graph/node.js';
import { composeNode, type NodePromptInput } from '../src/prompt/compose.js';
import type { ContextPack } from '../src/prompt/context-pack.js';
import type { TurnResult } from '../src/prompt/result.js';
import type { TaskFacts } from '../src/prompt/task.js';
import { SHIPPED_ROLES } from '../src/role/shipped.js';
import type { RoleTemplate } from '../src/role/template.js';

/** A template that declares every right: what is taken away a test says itself. */
export const ALL_DECLARED = {
  capabilities: ['delegate', 'write_code', 'write_docs', 'run_commands'],
  constraints: [],
} as const;

/** A node of a test, with the usual rights of its role. */
export const someNode = (given: Partial<TeamNode> & Pick<TeamNode, 'id'>): TeamNode => {
  const role = given.role ?? 'implementer';
  return {
    label: given.id,
    role,
    provider: 'line',
    ...resolveRights({ role }),
    resume: true,
    workspace: 'own',
    depth: 0,
    ...given,
  };
};

/** What a task payload says when nothing has happened yet. */
export const someTask = (given: Partial<TaskFacts> = {}): TaskFacts => {
  const node = given.node ?? someNode({ id: 'node_1', alias: 'dev', label: 'Developer' });
  return {
    run: 'run_1',
    node,
    turn: 1,
    cause: 'start',
    mode: 'AUTO',
    globalMode: 'IMPLEMENTATION',
    goal: { text: 'Ship it.', by: 'author', ref: 'team.yaml' },
    done: [{ text: 'Tests pass.', by: 'author', ref: 'team.yaml' }],
    nodes: [{ ...node, status: 'idle' }],
    edges: [],
    messages: [],
    handoffs: [],
    results: [],
    replies: [],
    budgetLeft: { turns: 10, tokens: 1_000, usd: null },
    ...given,
  };
};

/** The implementer's own template. */
export const ROLE: RoleTemplate = {
  name: 'implementer',
  version: '1',
  capabilities: [],
  constraints: [],
  source: 'shipped',
  file: 'cuebook:team/roles/implementer.md',
  text: SHIPPED_ROLES.implementer,
};
/** Blocks as one string. */
export const textOf = (blocks: readonly { readonly pieces: readonly { readonly text: string }[] }[]) =>
  blocks.map(({ pieces }) => pieces.map(({ text }) => text).join('')).join('\n\n');
/** The task layer of a prompt. */
export const taskText = (input: NodePromptInput) =>
  textOf(composeNode(input).full.filter(({ name }) => name === 'task'));
/** A context pack with nothing in it. */
export const PACK: ContextPack = {
  ...{
    packId: 'p',
    by: 'agent',
    goal: 'g',
    definitionOfDone: [],
    constraints: [],
    repoFacts: [],
    inputs: [],
    artifacts: [],
  },
  docRefs: [],
  relevantFiles: [],
};
/** A handoff from node_2 to node_1. */
export const envelope = (
  message: string,
  given: Partial<Envelope['payload']> = {},
  more: Partial<Envelope> = {},
): Envelope => ({
  kind: 'handoff',
  id: 'env_1',
  fromNodeId: 'node_2',
  toNodeId: 'node_1',
  createdAt: '2026-01-02T03:04:05.000Z',
  payload: { message, ...given },
  ...more,
});
/** What a file tool answered. */
export const result = (text: string, given = 'c1'): TurnResult => ({
  kind: 'call',
  call: 'call_1',
  given,
  tool: 'read_file',
  result: { status: 'ok', text },
});
