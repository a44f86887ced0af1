import type { Result } from '@cuebook/prompt';
import { withdrawApprovals } from '../approval/resolve.js';
import { checkBudget, type Exhausted, type Expected, holdBudget } from '../budget/check.js';
import { guard } from '../guard.js';
import type { DecideContext, EngineEvent } from '../machine.js';
import { findStall, projectStall, type StallEvent } from '../stall/stall.js';
import { type ObservedCall, observeNative, traceTurn } from '../stall/trace.js';
import { areRunning, areSettled, type Calls } from '../tool-loop/calls.js';
import { effectiveInput, nextCalls, stopCalls } from '../tool-loop/next-calls.js';
import { isErrorResult } from '../tool-loop/result.js';
import type { AgentConfig, AgentEvent, AgentState } from './agent.js';
import { judgeAnswer } from './judge.js';
import { noteFor } from './note.js';
import { projectAgent } from './project.js';

type Events = readonly (AgentEvent | EngineEvent)[];

/** The scope of the ledger that a conversation spends from. */
export const RUN_SCOPE = 'run';

/** Everything that follows by itself from a state: step by step, each seeing what the one before has changed. */
export function advance(state: AgentState, config: AgentConfig, context: DecideContext): Events {
  const events: (AgentEvent | EngineEvent)[] = [];
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const next = nextStep(state, config, context);
    if (next.length === 0) break;
    events.push(...next);
    for (const event of next) state = projectAgent(state, event);
  }
  return events;
}

/** More than any state needs: a judge, a stop, a round of calls and a question are four. */
const MAX_STEPS = 20;

function nextStep(state: AgentState, config: AgentConfig, context: DecideContext): Events {
  const { turn, answer, mode, latest, calls } = state;
  if (turn && answer) return judgeAnswer(state, { turn, answer }, config, context);
  if (guard('agent.stopped', mode === 'stopping')) return stopSteps(state, context);
  if (guard('agent.busy', turn !== null)) return nativeSteps(state, config, context);
  if (latest)
    return calls && !areSettled(calls) ? callSteps(calls, config, context) : workedSteps(state, config);
  return mode === 'active' && !state.pause ? askSteps(state, config, context) : [];
}

const callSteps = (calls: Calls, config: AgentConfig, context: DecideContext): Events =>
  nextCalls(calls, callOptions(config), context);

/** An agent that calls us in mid-turn waits for the answer inside its turn: its calls have their own lanes. */
function nativeSteps(state: AgentState, config: AgentConfig, context: DecideContext): Events {
  const { lane, ...options } = callOptions(config);
  return nextCalls(state.native, { ...options, lane: `${lane}/native` }, context);
}

const callOptions = ({ lane = DEFAULT_LANE, rules, approvalMs }: AgentConfig) => ({
  lane,
  ...(rules.maxParallel === undefined ? {} : { maxParallel: rules.maxParallel }),
  ...(approvalMs === undefined ? {} : { approvalMs }),
});

/** The lane of a conversation that has no other name. */
export const DEFAULT_LANE = 'agent';

/** Nothing new begins, what has not begun gets its result, and what is running is waited for. */
function stopSteps(state: AgentState, { now }: DecideContext): Events {
  const open = [...(state.calls ?? []), ...state.native];
  const withdrawn = withdrawApprovals(state.approvals, now);
  if (withdrawn.length > 0) return withdrawn;
  const stopped = stopCalls(open, 'the run was stopped', false);
  if (stopped.length > 0) return stopped;
  if ((state.turn && state.turn.given === null) || areRunning(open)) return [];
  const worked: Events = state.latest ? [{ type: 'agent.worked', data: { turn: state.turns } }] : [];
  return [...worked, { type: 'agent.stopped', data: { turn: state.turns } }];
}

/** The turn is over: its results go into the history, and somebody looks whether anything moved. */
function workedSteps(state: AgentState, config: AgentConfig): Events {
  const worked: AgentEvent = { type: 'agent.worked', data: { turn: state.turns } };
  if (state.mode !== 'active') return [worked];
  const rules = state.settings.stall;
  const observed: StallEvent = { type: 'stall.observed', data: traceTurn(observe(state, config)) };
  const verdict = findStall(projectStall(state.stall, observed, rules), rules);
  if (!verdict) return [observed, worked];
  return [
    observed,
    worked,
    { type: 'stall.found', data: verdict },
    { type: 'agent.paused', data: { kind: 'stall', verdict } },
  ];
}

function observe({ turns, latest, calls }: AgentState, { rules }: AgentConfig) {
  return {
    turn: turns,
    text: latest?.text ?? '',
    calls: [
      ...(calls ?? []).map((call): ObservedCall => {
        const { poll, safety } = rules.tools.find(({ name }) => name === call.name) ?? {};
        return {
          tool: call.name,
          input: effectiveInput(call),
          output: call.result?.text ?? '',
          failed: call.result === undefined || isErrorResult(call.result),
          numbers: safety === 'idempotent' ? 'answer' : 'arguments',
          ...(poll === undefined ? {} : { poll }),
        };
      }),
      ...observeNative(latest?.native),
    ],
    ...(latest?.effect === undefined ? {} : { effect: latest.effect }),
    ...(latest?.verification === undefined ? {} : { verification: latest.verification }),
  };
}

/** The next turn: looked at by the budget first, and in the log before anybody begins it. */
function askSteps(state: AgentState, config: AgentConfig, context: DecideContext): Events {
  const expected = expectedOf(state, config);
  if (!expected) return [{ type: 'agent.paused', data: { kind: 'person', reason: BROKEN_ESTIMATE } }];
  const budget = checkRoom(state, expected, config);
  if (!budget.ok) return [{ type: 'agent.paused', data: { kind: 'budget', exhausted: budget.error } }];
  if (state.queue.length === 0 && state.history.at(-1)?.role === 'assistant')
    return [noteFor(config.goOn ?? GO_ON, context)];
  const turn = state.turns + 1;
  const effect = context.newId('turn');
  return [
    { type: 'agent.asked', data: { turn, effect } },
    holdBudget(effect, RUN_SCOPE, expected),
    {
      type: 'effect.intended',
      data: {
        id: effect,
        kind: 'model.turn',
        lane: config.lane ?? DEFAULT_LANE,
        input: { turn, messages: state.history.length + state.queue.length, sessionId: state.sessionId },
        onCrash: config.onTurnCrash,
      },
    },
  ];
}

/** Room in the budget of the conversation and in all that stands around it. */
export function checkRoom(
  state: AgentState,
  expected: Expected,
  { room }: AgentConfig,
): Result<null, Exhausted> {
  const own = checkBudget(state.budget, RUN_SCOPE, expected);
  return own.ok && room ? room(expected) : own;
}

export function expectedOf(state: AgentState, { expect }: AgentConfig): Expected | undefined {
  try {
    return expect?.(state) ?? { tokens: 0, usd: 0 };
  } catch {
    return undefined;
  }
}

const BROKEN_ESTIMATE = 'The estimate of the next turn broke, so its budget cannot be checked.';

const GO_ON = 'Go on.';
