import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok } from '@cuebook/prompt';
import type { Approval } from '../approval/approval.js';
import { tellAnswer, tryOf } from '../approval/claim.js';
import { resolveApproval } from '../approval/resolve.js';
import { raiseBudget } from '../budget/check.js';
import { resolveLimit } from '../budget/limit.js';
import type { DecideContext, Decision, EngineCommand, EngineEvent } from '../machine.js';
import { DEFAULT_STALL_RULES } from '../stall/stall.js';
import { stopCalls } from '../tool-loop/next-calls.js';
import { planCalls } from '../tool-loop/plan.js';
import { DEFAULT_MAX_RESULT_BYTES, type Permit } from '../tool-loop/tool.js';
import { nextStep, RUN_SCOPE, roomOf } from './advance.js';
import { checkRoom } from './ask.js';
import { checkChanged } from './changed.js';
import type {
  Conversation,
  ConversationCommand,
  ConversationConfig,
  ConversationEvent,
} from './conversation.js';
import { type DecidedWord, follow, type WordRefusal } from './follow.js';
import { askNatively, MAX_NATIVE_CALLS } from './native.js';
import { person } from './note.js';
import { projectConversation } from './project.js';

type Events = readonly (ConversationEvent | EngineEvent)[];
type Own<Type extends ConversationCommand['type']> = Extract<ConversationCommand, { readonly type: Type }>;

type Decide<Command> = (
  state: Conversation,
  command: Command,
  config: ConversationConfig,
  context: DecideContext,
) => DecidedWord<ConversationEvent>;

/** What a command does, and all that follows from it by itself. */
export const decideConversation = (
  state: Conversation,
  command: ConversationCommand | EngineCommand,
  config: ConversationConfig,
  context: DecideContext,
): Decision<ConversationEvent> =>
  follow<Conversation, ConversationCommand, ConversationEvent>(state, command, {
    decide: (own) => decideOwn(state, own, config, context),
    next: (after) => nextStep(after, config, context),
    project: projectConversation,
    now: context.now,
  });

const decideOwn: Decide<ConversationCommand> = (state, command, config, context) => {
  if (command.type === 'agent.start') return start(state, command, config, context);
  if (guard('agent.start', state.mode === 'new')) return fail(refusal('E_AGENT_NOT_STARTED'));
  switch (command.type) {
    case 'agent.say':
      return say(state, command, config, context);
    case 'agent.stop':
      return stop(state, command, config, context);
    case 'agent.resume':
      return resume(state, command, config, context);
    case 'approval.resolve':
      return resolve(state, command, config, context);
    case 'budget.raise': {
      const raised = raiseBudget(state.budget, { scope: RUN_SCOPE, ...command });
      return raised.ok ? ok({ events: [raised.value] }) : raised;
    }
    case 'native.call':
      return callNatively(state, command, config, context);
    case 'native.tell':
      return tellNatively(state, command, config, context);
    case 'native.approve':
      return approveNatively(state, command, config, context);
  }
};

const start: Decide<Own<'agent.start'>> = (state, command, { priced, rules, stall }, { newId }) => {
  if (state.mode !== 'new') return fail(refusal('E_AGENT_STARTED'));
  const limit = resolveLimit(command.budget ?? {}, { priced });
  if (!limit.ok) return limit;
  const { text, by } = command;
  const settings = {
    maxResultBytes: rules.maxResultBytes ?? DEFAULT_MAX_RESULT_BYTES,
    stall: { ...DEFAULT_STALL_RULES, ...stall },
  };
  const ask = command.ask === true || text !== undefined;
  const told: Events =
    text === undefined ? [] : [{ type: 'agent.told', data: { id: newId('msg'), text, by: person(by) } }];
  return ok({
    events: [
      { type: 'agent.started', data: { limit: limit.value, settings, ask, by: person(by) } },
      { type: 'budget.opened', data: { scope: RUN_SCOPE, parent: null, limit: limit.value } },
      ...told,
    ],
  });
};

const say: Decide<Own<'agent.say'>> = (state, { text, by }, _config, { newId }) => {
  if (state.mode === 'stopping') return fail(refusal('E_AGENT_STOPPING'));
  const id = newId('msg');
  return ok({
    events: [{ type: 'agent.told', data: { id, text, by: person(by) } }],
    answer: { message: id },
  });
};

const stop: Decide<Own<'agent.stop'>> = (state, { by, force = false }) => {
  if (state.mode !== 'active' && state.mode !== 'stopping') return ok({ events: [] });
  if (state.mode === 'stopping' && !force) return ok({ events: [] });
  const open = [...(state.calls ?? []), ...state.native];
  const forced = force ? stopCalls(open, 'the run was stopped', true) : [];
  return ok({ events: [{ type: 'agent.stopping', data: { by: person(by), force } }, ...forced] });
};

const resume: Decide<Own<'agent.resume'>> = (state, { by }, config) => {
  const room = roomOf(state, config);
  const isSpent = state.pause?.kind === 'budget' && room && !checkRoom(room).ok;
  if (isSpent) return fail(refusal('E_BUDGET_EXHAUSTED'));
  const isWaiting = state.mode === 'stopped' || state.mode === 'failed' || state.pause !== null;
  if (guard('agent.paused', !isWaiting)) return fail(refusal('E_AGENT_NOT_PAUSED'));
  return ok({ events: [{ type: 'agent.resumed', data: { by: person(by) } }] });
};

const resolve: Decide<Own<'approval.resolve'>> = (state, command, config, { now }) => {
  const check = (approval: Approval, input: JsonValue) => checkAnswer(state, approval, input, config);
  const resolved = resolveApproval(state.approvals, { ...command, by: person(command.by) }, { now, check });
  return resolved.ok ? ok({ events: resolved.value, answer: { approval: command.approval } }) : resolved;
};

/** What was asked of our tools is held to their rules, all else to those of what an agent does by itself. */
function checkAnswer(state: Conversation, approval: Approval, input: JsonValue, config: ConversationConfig) {
  const isOurs = [...(state.calls ?? []), ...state.native].some((call) => call.id === approval.about);
  return checkChanged(approval, input, {
    rules: isOurs ? config.rules : undefined,
    permitNative: (tool, changed) => permitNative(tool, changed, config),
  });
}

const callNatively: Decide<Own<'native.call'>> = (state, { effect, call }, { rules }, { newId }) => {
  if (guard('agent.native', !isInTurn(state, effect))) return fail(refusal('E_AGENT_NO_TURN'));
  // One call at a time is planned: what bounds an answer bounds the whole turn here.
  const max = MAX_NATIVE_CALLS - state.native.length;
  const options = { newId, granted: state.approvals.granted };
  const planned = planCalls([call], { ...rules, maxCalls: Math.max(0, max) }, options);
  return ok({
    events: planned.map((data) => ({ type: 'native.called', data })),
    answer: { call: planned[0]?.id ?? '' },
  });
};

const approveNatively: Decide<Own<'native.approve'>> = (state, command, config, context) => {
  const { effect, tool, input, attempt, claimed } = command;
  if (guard('agent.native', !isInTurn(state, effect))) return fail(refusal('E_AGENT_NO_TURN'));
  const { approvals } = state;
  const { retells = false, approvalMs: lastsMs } = config;
  const turn = { effect, about: effect, approvals, granted: approvals.granted, retells, lastsMs };
  const permit = permitNative(tool, input, config);
  return ok(askNatively(turn, { tool, input, attempt, permit, claimed }, context));
};

const tellNatively: Decide<Own<'native.tell'>> = (state, { effect, approval, attempt = 1 }) => {
  if (guard('agent.native', !isInTurn(state, effect))) return fail(refusal('E_AGENT_NO_TURN'));
  const told = tellAnswer(state.approvals, { approval, by: tryOf(effect, attempt) });
  return told.ok ? ok({ events: told.value }) : told;
};

function permitNative(tool: string, input: JsonValue, config: ConversationConfig): Permit {
  try {
    return config.permitNative?.(tool, input) ?? { kind: 'ask' };
  } catch {
    return { kind: 'deny', reason: 'the policy broke on these arguments' };
  }
}

const isInTurn = ({ turn, answer, mode }: Conversation, effect: string): boolean =>
  turn?.effect === effect && turn.given === null && answer === null && mode === 'active';

const refusal = (code: keyof typeof REFUSALS): WordRefusal => ({ code, message: REFUSALS[code] });

const REFUSALS = {
  E_AGENT_NOT_STARTED: 'The conversation is not started: start it first.',
  E_AGENT_STARTED: 'The conversation is started already: say something to it.',
  E_AGENT_STOPPING: 'The conversation is stopping: say it again when it has stopped.',
  E_AGENT_NOT_PAUSED: 'There is nothing to resume: the conversation is at work, or waits for a message.',
  E_AGENT_NO_TURN: 'This turn is not in flight any more.',
  E_BUDGET_EXHAUSTED: 'The budget is spent: raise it, and the conversation goes on by itself.',
} as const;
