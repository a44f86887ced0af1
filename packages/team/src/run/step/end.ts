import {
  claimOn,
  type DecideContext,
  findResolution,
  type Numbers,
  nextModel,
  type Observed,
  observeCall,
  observeNative,
  stallAfter,
  type Trace,
  traceTurn,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { isToolName, type ToolName } from '../../call/tools.js';
import type { TurnResult } from '../../prompt/result.js';
import type { TeamConfig } from '../config.js';
import type { TeamDecideParts } from '../decide/refuse.js';
import type { AnyTeamEvent, TurnClosed } from '../event.js';
import { reportOf } from '../made.js';
import { LEFT_CODE } from '../outcome.js';
import {
  isLeft,
  isOver,
  type NodeHold,
  type NodeState,
  type NodeWorkState,
  nativeAbout,
  type TeamState,
} from '../state.js';
import { delivered, sent } from './graph-call.js';
import { resultOf, resultsOf } from './told.js';

/** The end of a turn: what its node will be told, whether anything moved, and what keeps it from going on. */
export function endSteps(
  state: TeamState,
  node: NodeState,
  work: NodeWorkState,
  { config, context }: TeamDecideParts,
): readonly AnyTeamEvent[] {
  const answers = answersTo(state, work);
  const reason = reasonOf(work, answers);
  const next = reason === 'failed' && !isUnsure(work) ? fallbackOf(node, work, config) : undefined;
  const ended: AnyTeamEvent = {
    type: 'turn.closed',
    data: {
      node: node.node.id,
      turn: work.turn,
      reason,
      // Another model is asked the same as the one that failed.
      results: reason === 'unheard' || next !== undefined ? [] : [...resultsOf(work, reason), ...answers],
      ...(next === undefined ? {} : { model: next }),
    },
  };
  const closing = [...deliveries(state, node, work), ended];
  if (reason === 'unheard' || next !== undefined || isOver(state)) return closing;
  if (reason !== 'done' || isUnsure(work)) {
    const hold = isUnsure(work) ? unsureHold(work) : holdOf(work, reason);
    return hold === undefined ? closing : [...closing, ...held(state, node, hold, context)];
  }
  const trace = traceTurn(observe(node, work));
  const observed: AnyTeamEvent = { type: 'turn.observed', data: { node: node.node.id, trace } };
  return [...closing, observed, ...stalled(state, node, trace, context)];
}

/** The model that the turn is asked of next. An agent that acts by itself may have acted: a person decides. */
function fallbackOf({ node }: NodeState, work: NodeWorkState, { acts }: TeamConfig): number | undefined {
  const { provider, fallbacks = [] } = node;
  if (work.outcome === null || work.crashed || acts?.(provider) === true || isLeft(work)) return undefined;
  return nextModel(work.outcome, { model: work.fallback?.number ?? 0, models: 1 + fallbacks.length });
}

/** Handoffs go out when it is known what the turn changed and what the checks say; after the end of a run none does. */
function deliveries(state: TeamState, node: NodeState, work: NodeWorkState): readonly AnyTeamEvent[] {
  if (isOver(state)) return [];
  const told = new Set<string>();
  return (work.outbox ?? []).map((envelope) => {
    const isFirst = !told.has(envelope.toNodeId);
    told.add(envelope.toNodeId);
    return delivered(envelope, isFirst ? reportOf(state, node, envelope.toNodeId, work) : undefined);
  });
}

/** What a person said meanwhile to an agent whose turn was cut off. */
const answersTo = ({ approvals }: TeamState, work: NodeWorkState): readonly TurnResult[] =>
  Object.values(approvals.asked).flatMap(({ id, tool, input, about }): readonly TurnResult[] => {
    const answer = findResolution(approvals, id);
    if (about !== nativeAbout(work.effect) || !isLeft(work) || claimOn(approvals, id).told) return [];
    if (answer === undefined || answer.decision === 'withdraw') return [];
    const { decision, message = null } = answer;
    return [{ kind: 'answer', tool, input: answer.input ?? input, decision, message }];
  });

function reasonOf(work: NodeWorkState, answers: readonly TurnResult[]): TurnClosed['reason'] {
  const { interrupted, outcome } = work;
  if (interrupted?.why === 'reset' || interrupted?.why === 'over') return 'unheard';
  const isAnswered = answers.length > 0 || (work.unheard ?? []).length > 0;
  if (isLeft(work) && interrupted === null && isAnswered && outcome?.sessionId !== undefined) return 'left';
  const reason = outcome?.end.reason ?? 'error';
  if (reason === 'done') return 'done';
  return interrupted !== null && reason === 'aborted' ? 'interrupted' : 'failed';
}

/** Nobody could look at what the turn changed, or put away what may not stay: a person does, before the node goes on. */
const isUnsure = ({ unsure }: NodeWorkState): boolean => guard('change.unsure', unsure !== null);

const unsureHold = ({ unsure, flagged }: NodeWorkState): NodeHold => ({
  kind: 'failed',
  code: 'E_CHANGES_UNKNOWN',
  message:
    flagged.length === 0
      ? `What the turn changed could not be looked at: ${unsure}`
      : `Changes that may not stay could not be set aside: ${unsure}`,
});

/** A pause goes on with the run, a message with itself, a stopped host when it starts: nobody else is waited for. */
function holdOf(work: NodeWorkState, reason: TurnClosed['reason']): NodeHold | undefined {
  if (reason === 'interrupted')
    return work.interrupted?.why === 'person' ? { kind: 'interrupted', by: work.interrupted.by } : undefined;
  const { code = 'E_AGENT_TURN', message = 'The turn failed.' } = work.outcome?.end ?? {};
  if (guard('turn.left', code === LEFT_CODE)) return undefined;
  return { kind: 'failed', code, message };
}

/** Whoever waits for a reply of a node that cannot give one is told. */
function held(
  state: TeamState,
  { node }: NodeState,
  hold: NodeHold,
  context: DecideContext,
): readonly AnyTeamEvent[] {
  const event: AnyTeamEvent = { type: 'node.held', data: { node: node.id, hold } };
  if (hold.kind === 'interrupted') return [event];
  const askers = new Set(state.replies.filter(({ owedBy }) => owedBy === node.id).map(({ to }) => to));
  askers.delete(node.id);
  const message = `${node.alias ?? node.id} cannot go on (${hold.kind}) and waits for a person.`;
  return [
    event,
    ...[...askers].map((asker) =>
      sent(context, {
        kind: 'signal',
        fromNodeId: node.id,
        toNodeId: asker,
        payload: { message, status: { ok: false, reason: hold.kind } },
      }),
    ),
  ];
}

function stalled(
  state: TeamState,
  node: NodeState,
  trace: Trace,
  context: DecideContext,
): readonly AnyTeamEvent[] {
  const rules = state.settings.stall;
  const own = stallAfter(node.stall, trace, rules);
  if (!guard('run.stall', own !== undefined) || !own) return [];
  // Whoever repeats itself may be one of several that hand the same things round: then all of them stop.
  const round = { ...rules, repeats: Math.max(2, rules.repeats - 1) };
  const all = stallAfter(state.stall, trace, rules, round);
  const isCycle = all !== undefined && all.kind === 'cycle' && all.times > 1 && all.actors.length > 1;
  if (!guard('run.cycle', isCycle) || !all || state.status !== 'running')
    return held(state, node, { kind: 'stall', verdict: own }, context);
  return [{ type: 'run.paused', data: { kind: 'stall', verdict: all } }];
}

function observe({ node }: NodeState, work: NodeWorkState): Observed {
  const { turn, outcome, diff, verification, taken } = work;
  const own = [...work.calls, ...work.native].map((call) =>
    observeCall(call, { result: resultOf(call), numbers: numbersOf(call.name) }),
  );
  return {
    turn,
    actor: node.id,
    text: outcome?.text ?? '',
    heard: taken.inbox.map(({ payload }) => JSON.stringify(payload)),
    calls: [...own, ...observeNative(outcome?.native?.filter(({ by }) => by === 'agent'))],
    ...(diff?.hash ? { effect: diff.hash } : {}),
    ...(verification === undefined ? {} : { verification }),
  };
}

/**
 * Where a number is something new. Nodes that pass words on are told nothing by their acknowledgement. What a command
 * changes in the workspace is seen in the diff of its turn.
 */
const numbersOf = (name: string): Numbers => NUMBERS.get(name) ?? (isToolName(name) ? 'none' : 'arguments');

const NUMBERS: ReadonlyMap<string, Numbers> = new Map<ToolName, Numbers>([
  ['read_file', 'answer'],
  ['list_files', 'answer'],
  ['read_artifact', 'answer'],
  ['read_workspace', 'answer'],
  ['command', 'seen'],
  ['write_file', 'arguments'],
  ['delete_file', 'arguments'],
]);
