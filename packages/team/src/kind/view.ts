import { pendingApprovals } from '@cuebook/engine';
import type { KindView } from '@cuebook/host';
import { asJson } from '@cuebook/journal/json';
import { askingNode, isOver, nodesOf, RUN_SCOPE, type TeamState } from '../run/state.js';
import { isQuiet, needsOf, nodeStatus } from '../run/status.js';

/** How the run of a team stands. */
export function teamView(state: TeamState): KindView {
  const { result, settings } = state;
  const spent = state.budget.scopes[RUN_SCOPE]?.spent;
  return {
    target: null,
    status: isWaiting(state) ? 'waiting' : STATUSES[state.status],
    reason: state.pause?.kind ?? null,
    text: result?.summary ?? state.said ?? '',
    error: state.status === 'failed' ? { code: 'E_RUN_FAILED', message: result?.summary ?? '' } : null,
    turns: state.turns,
    rehearsal: state.rehearsal === true,
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      goal: settings.goal?.text ?? null,
      mode: settings.mode,
      globalMode: settings.globalMode,
      result: asJson(result),
      nodes: nodesOf(state).map((each) => ({
        id: each.node.id,
        alias: each.node.alias ?? null,
        role: each.node.role,
        status: nodeStatus(each),
      })),
    },
  };
}

/**
 * Whether nothing goes on without a person: nobody is at work but who waits for an answer in mid-turn, and nobody has
 * something to begin with.
 */
function isWaiting(state: TeamState): boolean {
  if (state.status === 'new' || isOver(state)) return false;
  if (isQuiet(state)) return true;
  if (needsOf(state).length === 0) return false;
  const asking = new Set(
    pendingApprovals(state.approvals).map((approval) => askingNode(state, approval)?.node.id),
  );
  return nodesOf(state).every(({ node, work, hold, inbox, messages }) =>
    work === null
      ? hold !== null || inbox.length + messages.length === 0 || state.status === 'paused'
      : asking.has(node.id),
  );
}

const STATUSES = {
  new: 'new',
  running: 'running',
  paused: 'waiting',
  completed: 'done',
  failed: 'failed',
  stopped: 'stopped',
} as const satisfies Record<TeamState['status'], KindView['status']>;
