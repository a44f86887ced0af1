import { budgetView } from '@cuebook/engine';
import { toolsServedTo } from '../capability/served.js';
import type { NodePromptInput } from '../prompt/compose.js';
import type { Material } from '../prompt/material.js';
import { NO_MEMORY } from '../prompt/past.js';
import type { NodeWorkReport } from '../prompt/work-report.js';
import type { TeamConfig } from './config.js';
import { reportOf } from './made.js';
import { nodeScope, nodesOf, type TeamState } from './state.js';
import { nodeStatus } from './status.js';

/**
 * What `composeNode` needs for the turn that a node has in flight; undefined when it has none. The prompt follows
 * from the log alone: the same state gives the same bytes.
 */
export function promptInput(
  state: TeamState,
  id: string,
  config: Pick<TeamConfig, 'nativeTools'>,
  materials: readonly Material[] = [],
  structured = false,
): NodePromptInput | undefined {
  const found = Object.hasOwn(state.nodes, id) ? state.nodes[id] : undefined;
  const role = found && state.roles[found.node.role];
  if (!found?.work || !role) return undefined;
  const { node, work, heard } = found;
  const { run, mode, goal, done } = state.settings;
  return {
    role,
    nativeTools: config.nativeTools(node.provider),
    heard,
    // A session that goes on has its conversation.
    ...(work.kind.kind === 'full' ? { history: { memory: found.memory ?? NO_MEMORY, structured } } : {}),
    task: {
      ...{ run, node, mode, goal, done, turn: work.turn, cause: work.cause, globalMode: work.globalMode },
      nodes: nodesOf(state).map((each) => ({ ...each.node, status: nodeStatus(each) })),
      edges: state.edges,
      messages: work.taken.messages,
      handoffs: work.taken.inbox,
      results: work.taken.results,
      replies: state.replies,
      budgetLeft: budgetView(state.budget, nodeScope(id))?.left ?? { turns: 0, tokens: 0, usd: 0 },
      materials,
      // Where calls are told as such, so are the tools: natively, and not in words.
      served: structured ? [] : toolsServedTo(node, state.served ?? []),
      work: node.orchestrator ? workFor(state, id) : [],
    },
  };
}

/** The newest changes of every other node, and what the checks say of them. */
const workFor = (state: TeamState, leader: string): readonly NodeWorkReport[] =>
  nodesOf(state).flatMap((each): readonly NodeWorkReport[] => {
    if (each.node.id === leader) return [];
    const report = reportOf(state, { ...each, reported: {} }, leader);
    return report === undefined
      ? []
      : [{ node: each.node.id, report: { ...report, diffs: report.diffs.slice(-1) } }];
  });
