import { type DecideContext, pendingApprovals, refuseCalls, settleTurn } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { TeamConfig } from '../config.js';
import type { AnyTeamEvent } from '../event.js';
import type { NodeTurnOutcome } from '../outcome.js';
import { isOfTurn, isOver, type NodeState, type NodeWorkState, type TeamState } from '../state.js';
import { planTeamCalls } from './rules.js';

/** The events of an answer: what it cost, what is made of its calls, and the end of all that hung on the turn. */
export function judgeTurn(
  state: TeamState,
  node: NodeState,
  { work, outcome }: { readonly work: NodeWorkState; readonly outcome: NodeTurnOutcome },
  { config, context }: { readonly config: TeamConfig; readonly context: DecideContext },
): readonly AnyTeamEvent[] {
  const { newId, now } = context;
  const asked = pendingApprovals(state.approvals).filter((approval) => isOfTurn(work, approval));
  const why = whyUnheard(state, work) ?? (outcome.end.reason === 'done' ? undefined : 'the turn broke off');
  const calls =
    why === undefined
      ? planTeamCalls(state, node, outcome.calls, { config, newId })
      : refuseCalls(outcome.calls, why, { newId });
  return [
    ...settleTurn(
      state.budget,
      { effect: work.effect, usage: outcome.usage, asked, native: work.native },
      now,
    ),
    { type: 'turn.judged', data: { node: node.node.id, turn: work.turn, calls } },
  ];
}

/** Why nobody listens to a turn any more, if so. */
export function whyUnheard(state: TeamState, { interrupted }: NodeWorkState): string | undefined {
  if (guard('run.over', isOver(state))) return 'the run is over';
  return guard('turn.unheard', interrupted?.why === 'reset') ? 'the node was reset' : undefined;
}
