import { type DecideContext, withdrawApprovals } from '@cuebook/engine';
import type { AnyTeamEvent } from '../event.js';
import { nodesOf, type RunResult, type TeamState } from '../state.js';

/** The end of a run: its result, and the end of every turn in flight. What is asked of people is taken back. */
export function finishRun(
  state: TeamState,
  { ok, summary, by }: Omit<RunResult, 'failing'>,
  context: DecideContext,
): readonly AnyTeamEvent[] {
  const failing = nodesOf(state)
    .filter(({ verification }) => verification !== null)
    .map(({ node }) => node.id);
  return [{ type: 'run.finished', data: { ok, summary, by, failing } }, ...endAll(state, by, context)];
}

/** Interrupts every turn in flight because the run is over. */
export function endAll(state: TeamState, by: string, { now }: DecideContext): readonly AnyTeamEvent[] {
  return [
    ...withdrawApprovals(state.approvals, now),
    ...nodesOf(state).flatMap(({ node, work }): readonly AnyTeamEvent[] =>
      work === null || work.outcome !== null
        ? []
        : [{ type: 'turn.interrupting', data: { node: node.id, effect: work.effect, by, why: 'over' } }],
    ),
  ];
}
