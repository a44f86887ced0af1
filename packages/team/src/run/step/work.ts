import {
  areRunning,
  areSettled,
  beginCalls,
  type Calls,
  type DecideContext,
  nextCalls,
  pendingApprovals,
  refuseCalls,
  settleTurn,
  stopOpen,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { isGraphTool } from '../../call/tools.js';
import { changedOutside } from '../../capability/access.js';
import type { TeamConfig } from '../config.js';
import type { AnyTeamEvent } from '../event.js';
import { approvalTime } from '../limits.js';
import type { NodeTurnOutcome } from '../outcome.js';
import {
  isOfTurn,
  isOver,
  type NodeState,
  type NodeWorkState,
  nodeLane,
  type StepKind,
  type TeamState,
  waitsForAnswers,
} from '../state.js';
import { endSteps } from './end.js';
import { runGraphCall } from './graph-call.js';
import { isWatched } from './owed.js';
import { planTeamCalls } from './rules.js';

/** What a step looks at beside the state. */
export interface StepParts {
  readonly config: TeamConfig;
  readonly context: DecideContext;
}

/** The next thing that follows from a node's work: answer, calls, diff, verification, end. Empty while it waits. */
export function workSteps(
  state: TeamState,
  node: NodeState,
  work: NodeWorkState,
  parts: StepParts,
): readonly AnyTeamEvent[] {
  if (work.outcome === null || waitsForAnswers(state, work)) {
    // A turn that was cut off pays when it begins to wait.
    const { effect, outcome } = work;
    const spent = outcome
      ? settleTurn(state.budget, { effect, usage: outcome.usage }, parts.context.now)
      : [];
    if (spent.length > 0) return spent;
    return callSteps(state, node, { calls: work.native, lane: 'native' }, parts);
  }
  if (!work.judged) return judgeTurn(state, node, { work, outcome: work.outcome }, parts);
  if (!areSettled(work.calls)) {
    const why = whyUnheard(state, work);
    return why === undefined
      ? callSteps(state, node, { calls: work.calls, lane: 'calls' }, parts)
      : stopSteps(state, work, why, parts);
  }
  // A call that the agent made in mid-turn may outlive its turn: its changes belong to this turn's diff.
  if (work.step !== null || areRunning(work.native)) return [];
  return afterCalls(state, node, work, parts);
}

/** The work itself is done: what did it change, was that allowed, and is it right? */
function afterCalls(
  state: TeamState,
  node: NodeState,
  work: NodeWorkState,
  parts: StepParts,
): readonly AnyTeamEvent[] {
  const { config, context } = parts;
  const intend = (kind: StepKind, input: object = {}): readonly AnyTeamEvent[] => [
    {
      type: 'effect.intended',
      data: {
        id: context.newId('eff'),
        kind,
        lane: nodeLane(node.node.id),
        input: { node: node.node.id, turn: work.turn, ...input },
        onCrash: kind === 'diff.set-aside' ? 'ask-world' : 'repeat',
      },
    },
  ];
  if (work.diff === null)
    return isWatched(node, work, config) ? intend('diff.take') : endSteps(state, node, work, parts);
  const outside = changedOutside(node.node, work.globalMode, work.diff.files);
  if (outside.length > 0 && work.flagged.length === 0)
    return [
      { type: 'changes.flagged', data: { node: node.node.id, files: outside, rule: ruleOf(work) } },
      ...intend('diff.set-aside', { files: outside }),
    ];
  if (isToVerify(state, node, work, outside))
    return intend('verify.run', { commands: [...state.settings.verify] });
  return endSteps(state, node, work, parts);
}

const ruleOf = ({ globalMode }: NodeWorkState): string =>
  globalMode === 'PLANNING'
    ? 'PLANNING: only documents may change'
    : 'the capabilities of this node do not cover these files';

/**
 * Checks are run when a turn went well and there is a change that may stay: of this turn, or of one before it that no
 * check has seen.
 */
function isToVerify(
  state: TeamState,
  { unchecked }: NodeState,
  work: NodeWorkState,
  outside: readonly string[],
): boolean {
  const { verify } = state.settings;
  if (verify.length === 0 || work.verification !== undefined || work.globalMode === 'PLANNING') return false;
  if (isOver(state) || work.outcome?.end.reason !== 'done') return false;
  return (work.diff?.files.length ?? 0) > outside.length || Boolean(unchecked);
}

/** Calls on the graph are carried out at once, all others become effects. */
function callSteps(
  state: TeamState,
  node: NodeState,
  { calls, lane }: { readonly calls: Calls; readonly lane: 'calls' | 'native' },
  { config, context }: StepParts,
): readonly AnyTeamEvent[] {
  const approvalMs = approvalTime(state.settings.limits, config.approvalMs);
  const base = lane === 'native' ? `${nodeLane(node.node.id)}/native` : nodeLane(node.node.id);
  const due = nextCalls(calls, { lane: base, approvalMs }, context);
  return beginCalls<AnyTeamEvent>(calls, due, (call) =>
    isGraphTool(call.name) ? runGraphCall({ state, from: node, config, context }, call) : undefined,
  );
}

/** Nothing new begins; what is running is waited for. */
function stopSteps(
  state: TeamState,
  work: NodeWorkState,
  why: string,
  { context }: StepParts,
): readonly AnyTeamEvent[] {
  const ids = new Set(work.calls.map(({ id }) => id));
  const asked = pendingApprovals(state.approvals).filter(({ about }) => ids.has(about));
  return stopOpen({ asked, calls: work.calls, why }, context.now);
}

/** The events of an answer: what it cost, what is made of its calls, and the end of all that hung on the turn. */
function judgeTurn(
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
function whyUnheard(state: TeamState, { interrupted }: NodeWorkState): string | undefined {
  if (guard('run.over', isOver(state))) return 'the run is over';
  return guard('turn.unheard', interrupted?.why === 'reset') ? 'the node was reset' : undefined;
}
