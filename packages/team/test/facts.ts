import { resolveRights } from '../src/capability/capabilities.js';
import type { TeamNode } from '../src/graph/node.js';
import type { TaskFacts } from '../src/prompt/task.js';

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
    goal: { text: 'Ship it.', by: 'author', ref: 'team.yaml', line: 1 },
    done: [{ text: 'Tests pass.', by: 'author', ref: 'team.yaml', line: 3 }],
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
