import { type DecideContext, pendingApprovals, withdrawApprovals } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { TeamConfig } from '../config.js';
import type { AnyTeamEvent } from '../event.js';
import {
  askingNode,
  isInFlight,
  isOver,
  nodeLane,
  nodesOf,
  type Owed,
  type RunResult,
  type TeamState,
} from '../state.js';
import { owedBy, whyUnfinished } from './owed.js';

/**
 * Somebody says that the run is done: it ends when every turn is over with its diff and its checks, and nothing fails.
 * A text is why it cannot be.
 */
export function askFinish(
  state: TeamState,
  { summary, by }: Pick<RunResult, 'summary' | 'by'>,
  { config, context }: { readonly config: TeamConfig; readonly context: DecideContext },
): { readonly events: readonly AnyTeamEvent[]; readonly waits: readonly Owed[] } | string {
  const why = whyUnfinished(state);
  if (why !== undefined) return why;
  const waits = owedBy(state, config);
  if (state.finishing) return { waits, events: [] };
  return {
    waits,
    events: [{ type: 'run.finishing', data: { summary, by, waits } }, ...halt(state, by, context)],
  };
}

/**
 * Nobody is waited for longer than its work must be looked at: turns of others are ended, and what is asked of people
 * for them is taken back. If the run is not done after all they go on.
 */
function halt(state: TeamState, by: string, { now }: DecideContext): readonly AnyTeamEvent[] {
  const asked = pendingApprovals(state.approvals).filter((approval) => askingNode(state, approval));
  return [
    ...withdrawApprovals(asked, now),
    ...nodesOf(state).flatMap(({ node, work }): readonly AnyTeamEvent[] =>
      work === null || !isInFlight(work) || work.interrupted !== null || node.id === by
        ? []
        : [{ type: 'turn.interrupting', data: { node: node.id, effect: work.effect, by, why: 'pause' } }],
    ),
  ];
}

/** What follows from the word that the run is done, once nothing is at work: the checks that are owed, then the end. */
export function finishSteps(state: TeamState, context: DecideContext): readonly AnyTeamEvent[] {
  const { finishing, settings } = state;
  if (!finishing || isOver(state) || finishing.check) return [];
  const nodes = nodesOf(state);
  if (
    guard(
      'finish.owed',
      nodes.some(({ work }) => work !== null),
    )
  )
    return [];
  const { by, summary, waits } = finishing;
  const person = nodes.find(({ messages }) => messages.length > 0);
  const why =
    whyUnfinished(state) ?? (person && `${person.messages[0]?.by ?? 'A person'} wrote to a node meanwhile.`);
  if (why !== undefined) return [{ type: 'run.unfinished', data: { by, why } }];
  const unchecked = nodes.find((node) => guard('finish.unchecked', Boolean(node.unchecked)));
  if (unchecked === undefined)
    return finishRun(
      state,
      { ok: true, summary, by, ...(waits.length > 0 ? { waited: waits } : {}) },
      context,
    );
  const { id } = unchecked.node;
  const input = { node: id, turn: unchecked.unchecked ?? 0, commands: [...settings.verify] };
  return [
    {
      type: 'effect.intended',
      data: {
        ...{ id: context.newId('eff'), kind: 'verify.run', lane: nodeLane(id), input },
        onCrash: 'repeat',
      },
    },
  ];
}

/** The end of a run: its result, and the end of every turn in flight. What is asked of people is taken back. */
export function finishRun(
  state: TeamState,
  result: Omit<RunResult, 'failing'>,
  context: DecideContext,
): readonly AnyTeamEvent[] {
  const failing = nodesOf(state)
    .filter(({ verification }) => verification !== null)
    .map(({ node }) => node.id);
  return [{ type: 'run.finished', data: { ...result, failing } }, ...endAll(state, result.by, context)];
}

/** Interrupts every turn in flight because the run is over. */
export function endAll(state: TeamState, by: string, { now }: DecideContext): readonly AnyTeamEvent[] {
  return [
    ...withdrawApprovals(pendingApprovals(state.approvals), now),
    ...nodesOf(state).flatMap(({ node, work }): readonly AnyTeamEvent[] =>
      work === null || work.outcome !== null
        ? []
        : [{ type: 'turn.interrupting', data: { node: node.id, effect: work.effect, by, why: 'over' } }],
    ),
  ];
}
