import type { RunView } from '@cuebook/host';
import type { JsonValue } from '@cuebook/prompt';
import { isOver, nodesOf, RUN_SCOPE, type TeamState } from '../run/state.js';
import { isQuiet, nodeStatus } from '../run/status.js';
import { waitingCount } from '../run/waits.js';

/** How the run of a team stands. */
export function teamView(state: TeamState): RunView {
  const { result, settings } = state;
  const spent = state.budget.scopes[RUN_SCOPE]?.spent;
  const isWaiting = !isOver(state) && isQuiet(state) && waitingCount(state) > 0;
  return {
    target: null,
    status: isWaiting ? 'waiting' : STATUSES[state.status],
    reason: state.pause?.kind ?? null,
    text: result?.summary ?? '',
    error: state.status === 'failed' ? { code: 'E_RUN_FAILED', message: result?.summary ?? '' } : null,
    turns: state.turns,
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      goal: settings.goal?.text ?? null,
      mode: settings.mode,
      globalMode: settings.globalMode,
      result: result as unknown as JsonValue,
      nodes: nodesOf(state).map((each) => ({
        id: each.node.id,
        alias: each.node.alias ?? null,
        role: each.node.role,
        status: nodeStatus(each),
      })),
    },
  };
}

const STATUSES = {
  new: 'new',
  running: 'running',
  paused: 'waiting',
  completed: 'done',
  failed: 'failed',
  stopped: 'stopped',
} as const satisfies Record<TeamState['status'], RunView['status']>;
