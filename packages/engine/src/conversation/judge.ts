import { guard } from '@cuebook/guard';
import { pendingApprovals } from '../approval/approval.js';
import type { DecideContext, EngineEvent } from '../machine.js';
import { planCalls, refuseCalls } from '../tool-loop/plan.js';
import type {
  Conversation,
  ConversationConfig,
  ConversationEvent,
  Judged,
  TurnInFlight,
  Verdict,
} from './conversation.js';
import { nextModel } from './fallback.js';
import { noteFor } from './note.js';
import type { TurnOutcome } from './outcome.js';
import { settleTurn } from './settle.js';

/** The events of an answer: what it cost, what is made of it, and the end of everything that hung on the turn. */
export function judgeAnswer(
  state: Conversation,
  { turn, answer }: { readonly turn: TurnInFlight; readonly answer: TurnOutcome },
  config: ConversationConfig,
  context: DecideContext,
): readonly (ConversationEvent | EngineEvent)[] {
  const { budget, approvals, native } = state;
  const { usage } = answer;
  const hung = { effect: turn.effect, usage, asked: pendingApprovals(approvals), native, givesUp: true };
  const before = settleTurn(budget, hung, context.now);
  if (isUnheard(state, turn)) return [...before, ...unheard({ turn, answer }, context)];
  const verdict = boundRetries(state, askHook(state, answer, config), config);
  const models = { model: state.model ?? 0, models: config.models ?? 1 };
  if (verdict.kind === 'fail' && nextModel(answer, models) !== undefined) {
    const data = { turn: turn.number, verdict: 'fallback', keep: false, calls: [] } as const;
    return [...before, { type: 'agent.judged', data }];
  }
  const isDone = answer.end.reason === 'done';
  const isKept = isDone || verdict.kind === 'continue' || verdict.kind === 'done';
  const judged: Judged = {
    turn: turn.number,
    verdict: verdict.kind,
    keep: isKept,
    calls: isKept ? planFor(state, { answer, verdict }, config, context) : [],
    ...(verdict.kind === 'fail' ? { failure: { code: verdict.code, message: verdict.message } } : {}),
  };
  return [...before, { type: 'agent.judged', data: judged }, ...afterwards(verdict, context)];
}

/** Calls end it no more than words do: this is what happens without a hook. */
function usualVerdict({ calls, end }: TurnOutcome): Verdict {
  if (end.reason === 'done') return calls.length > 0 ? { kind: 'continue' } : { kind: 'done' };
  const message = end.message ?? `The turn ended with ${end.reason}.`;
  return { kind: 'fail', code: end.code ?? 'E_AGENT_TURN', message };
}

function askHook(state: Conversation, answer: TurnOutcome, { onAnswer }: ConversationConfig): Verdict {
  if (!onAnswer) return usualVerdict(answer);
  try {
    return onAnswer(state, answer);
  } catch {
    return { kind: 'fail', code: 'E_AGENT_HOOK', message: 'The judge of answers broke on this one.' };
  }
}

function boundRetries(
  state: Conversation,
  verdict: Verdict,
  { maxRetries = 2 }: ConversationConfig,
): Verdict {
  if (verdict.kind !== 'retry' || !guard('agent.retries', state.retries >= maxRetries)) return verdict;
  const message = `The answer was asked for ${state.retries + 1} times and was never right.`;
  return { kind: 'fail', code: 'E_AGENT_RETRIES', message };
}

function planFor(
  state: Conversation,
  { answer, verdict }: { readonly answer: TurnOutcome; readonly verdict: Verdict },
  { rules }: ConversationConfig,
  { newId }: DecideContext,
): Judged['calls'] {
  if (verdict.kind === 'continue' && answer.end.reason === 'done')
    return planCalls(answer.calls, rules, { newId, granted: state.approvals.granted });
  return refuseCalls(answer.calls, NOT_RUN[verdict.kind], { newId });
}

const NOT_RUN: Readonly<Record<Verdict['kind'], string>> = {
  continue: 'the turn broke off',
  done: 'the work was done with this answer',
  retry: 'the answer was asked for again',
  wait: 'a person was asked first',
  fail: 'the run failed with this answer',
};

function afterwards(verdict: Verdict, context: DecideContext): readonly ConversationEvent[] {
  if (verdict.kind === 'wait')
    return [{ type: 'agent.paused', data: { kind: 'person', reason: verdict.reason } }];
  const note = verdict.kind === 'continue' || verdict.kind === 'retry' ? verdict.note : undefined;
  return note === undefined ? [] : [noteFor(note, context)];
}

const isUnheard = ({ mode }: Conversation, { given }: TurnInFlight): boolean =>
  given === 'up' || mode === 'stopping';

/** What had been said when the run was stopped stays; what comes after a stop by force is only paid for. */
function unheard(
  { turn, answer }: { readonly turn: TurnInFlight; readonly answer: TurnOutcome },
  { newId }: DecideContext,
): readonly ConversationEvent[] {
  const keep = turn.given === null;
  const calls = keep ? refuseCalls(answer.calls, 'the run was stopped', { newId }) : [];
  return [{ type: 'agent.judged', data: { turn: turn.number, verdict: 'stopped', keep, calls } }];
}
