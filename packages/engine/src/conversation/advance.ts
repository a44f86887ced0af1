import { guard } from '@cuebook/guard';
import { pendingApprovals } from '../approval/approval.js';
import type { DecideContext, EngineEvent } from '../machine.js';
import { type StallEvent, stallAfter } from '../stall/stall.js';
import { observeCall, observeNative, traceTurn } from '../stall/trace.js';
import { areRunning, areSettled, type Calls } from '../tool-loop/calls.js';
import { nextCalls } from '../tool-loop/next-calls.js';
import { askTurn, checkRoom, type Room } from './ask.js';
import type { Conversation, ConversationConfig, ConversationEvent } from './conversation.js';
import { judgeAnswer } from './judge.js';
import { noteFor } from './note.js';
import { stopOpen } from './settle.js';

type Events = readonly (ConversationEvent | EngineEvent)[];

/** The scope of the ledger that a conversation spends from. */
export const RUN_SCOPE = 'run';

/** The next thing that follows by itself from a state. Empty while it waits. */
export function nextStep(state: Conversation, config: ConversationConfig, context: DecideContext): Events {
  const { turn, answer, mode, latest, calls } = state;
  if (turn && answer) return judgeAnswer(state, { turn, answer }, config, context);
  if (guard('agent.stopped', mode === 'stopping')) return stopSteps(state, context);
  if (guard('agent.busy', turn !== null)) return nativeSteps(state, config, context);
  if (latest)
    return calls && !areSettled(calls) ? callSteps(calls, config, context) : workedSteps(state, config);
  return mode === 'active' && !state.pause ? askSteps(state, config, context) : [];
}

const callSteps = (calls: Calls, config: ConversationConfig, context: DecideContext): Events =>
  nextCalls(calls, callOptions(config), context);

/** An agent that calls us in mid-turn waits for the answer inside its turn: its calls have their own lanes. */
function nativeSteps(state: Conversation, config: ConversationConfig, context: DecideContext): Events {
  const { lane, ...options } = callOptions(config);
  return nextCalls(state.native, { ...options, lane: `${lane}/native` }, context);
}

const callOptions = ({ lane = DEFAULT_LANE, rules, approvalMs }: ConversationConfig) => ({
  lane,
  maxParallel: rules.maxParallel,
  approvalMs,
});

/** The lane of a conversation that has no other name. */
export const DEFAULT_LANE = 'agent';

/** Nothing new begins, what has not begun gets its result, and what is running is waited for. */
function stopSteps(state: Conversation, { now }: DecideContext): Events {
  const open = [...(state.calls ?? []), ...state.native];
  const asked = pendingApprovals(state.approvals);
  const stopped = stopOpen({ asked, calls: open, why: 'the run was stopped' }, now);
  if (stopped.length > 0) return stopped;
  if ((state.turn && state.turn.given === null) || areRunning(open)) return [];
  const worked: Events = state.latest ? [{ type: 'agent.worked', data: { turn: state.turns } }] : [];
  return [...worked, { type: 'agent.stopped', data: { turn: state.turns } }];
}

/** The turn is over: its results go into the history, and somebody looks whether anything moved. */
function workedSteps(state: Conversation, config: ConversationConfig): Events {
  const worked: ConversationEvent = { type: 'agent.worked', data: { turn: state.turns } };
  if (state.mode !== 'active') return [worked];
  const rules = state.settings.stall;
  const trace = traceTurn(observe(state, config));
  const observed: StallEvent = { type: 'stall.observed', data: trace };
  const verdict = stallAfter(state.stall, trace, rules);
  if (!verdict) return [observed, worked];
  return [
    observed,
    worked,
    { type: 'stall.found', data: verdict },
    { type: 'agent.paused', data: { kind: 'stall', verdict } },
  ];
}

function observe({ turns, latest, calls }: Conversation, { rules }: ConversationConfig) {
  return {
    turn: turns,
    text: latest?.text ?? '',
    calls: [
      ...(calls ?? []).map((call) => {
        const { poll, safety } = rules.tools.find(({ name }) => name === call.name) ?? {};
        const numbers = safety === 'idempotent' ? 'answer' : 'arguments';
        return observeCall(call, { numbers, ...(poll === undefined ? {} : { poll }) });
      }),
      ...observeNative(latest?.native),
    ],
    ...(latest?.effect === undefined ? {} : { effect: latest.effect }),
    ...(latest?.verification === undefined ? {} : { verification: latest.verification }),
  };
}

/** The next turn, unless the model has said the last word: then it is told to go on. */
function askSteps(state: Conversation, config: ConversationConfig, context: DecideContext): Events {
  const room = roomOf(state, config);
  if (!room) return [{ type: 'agent.paused', data: { kind: 'person', reason: BROKEN_ESTIMATE } }];
  const isAnswered = state.queue.length === 0 && state.history.at(-1)?.role === 'assistant';
  if (isAnswered && checkRoom(room).ok) return [noteFor(config.goOn ?? GO_ON, context)];
  const turn = state.turns + 1;
  const model = state.model ? { model: state.model } : {};
  const asked = askTurn<ConversationEvent>(room, context, (effect) => ({
    asked: { type: 'agent.asked', data: { turn, effect, ...model } },
    kind: 'model.turn',
    lane: config.lane ?? DEFAULT_LANE,
    input: {
      ...{ turn, messages: state.history.length + state.queue.length, ...model },
      sessionId: state.model ? null : state.sessionId,
    },
    onCrash: config.onTurnCrash,
  }));
  return asked.ok
    ? asked.value
    : [{ type: 'agent.paused', data: { kind: 'budget', exhausted: asked.error } }];
}

/** What the next turn is looked at by; undefined where nobody can say what it will cost. */
export function roomOf(state: Conversation, { expect, room: around }: ConversationConfig): Room | undefined {
  try {
    const { budget } = state;
    return { budget, scope: RUN_SCOPE, around, ...(expect && { expected: expect(state) }) };
  } catch {
    return undefined;
  }
}

const BROKEN_ESTIMATE = 'The estimate of the next turn broke, so its budget cannot be checked.';

const GO_ON = 'Go on.';
