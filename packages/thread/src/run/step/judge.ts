import { nextModel, type PlannedCall, planCalls, refuseCalls, settleTurn } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok } from '@cuebook/prompt';
import { TEXTS } from '../../shipped-texts.js';
import { sideOf } from '../definitions.js';
import type { Events, StepJudged } from '../event.js';
import type { Frame } from '../frame.js';
import type { StepOutcome } from '../outcome.js';
import type { Parts } from '../parts.js';
import type { ThreadRunState } from '../state.js';
import { endTurn, failSession } from './end.js';

/** Further tries of an answer that calls no tool where one is demanded. */
const MAX_RETRIES = 2;

/** What an answer cost, what is made of it, and what follows. */
export function judgeAnswer(state: ThreadRunState, frame: Frame, answer: StepOutcome, parts: Parts): Events {
  return [...spent(state, frame, answer, parts), ...verdictOf(state, frame, answer, parts)];
}

const spent = ({ budget }: ThreadRunState, { ask }: Frame, { usage }: StepOutcome, { context }: Parts) =>
  settleTurn(budget, { effect: ask?.effect ?? '', usage }, context.now);

function verdictOf(state: ThreadRunState, frame: Frame, answer: StepOutcome, parts: Parts): Events {
  const { end, calls, required } = answer;
  if (end.reason !== 'done') return failed(state, frame, answer, parts);
  if (guard('choice.required', required && calls.length === 0)) return demandCall(state, frame, parts);
  if (calls.length > 0) return [judged(frame, 'calls', planFor(state, answer, parts), answer)];
  const response = judged(frame, 'response', [], answer);
  if (frame.kind === 'thread' && sideOf(parts.config.catalog, frame)?.stopOnResponse === false)
    return [response, note(frame, 'Go on.', parts)];
  return [response, ...endTurn(state, frame, { reason: 'answered', text: answer.text }, parts)];
}

/** The next model speaks when one failed; without one the session fails. */
function failed(state: ThreadRunState, frame: Frame, answer: StepOutcome, parts: Parts): Events {
  const { end, fallbacks } = answer;
  const { model } = frame;
  if (nextModel(answer, { model, models: model + 1 + fallbacks }) !== undefined)
    return [judged(frame, 'fallback', [], answer, false)];
  const code = end.code ?? 'E_AGENT_TURN';
  const text = end.message ?? `The turn ended with ${end.reason}.`;
  return [judged(frame, 'fail', [], answer, false), ...failSession(state, frame, { code, text }, parts)];
}

function demandCall(state: ThreadRunState, frame: Frame, parts: Parts): Events {
  const { answer } = frame;
  if (answer === null) return [];
  if (frame.retries < MAX_RETRIES)
    return [
      judged(frame, 'retry', [], answer),
      note(frame, TEXTS.text('conversation.md#call-a-tool'), parts),
    ];
  const text = `The model answered ${MAX_RETRIES + 1} times without calling a tool, and the prompt demands a call.`;
  const code = 'E_TOOL_CHOICE_IGNORED';
  return [judged(frame, 'fail', [], answer), ...failSession(state, frame, { code, text }, parts)];
}

/** A word of ours in the user's place. */
const note = (frame: Frame, text: string, { context }: Parts): Events[number] => ({
  type: 'message.told',
  data: {
    frame: frame.id,
    message: {
      id: context.newId('msg'),
      role: 'user',
      side: frame.side === 'a' ? 'b' : 'a',
      from: 'cuebook',
      text,
    },
    hooked: true,
  },
});

export function judged(
  frame: Frame,
  verdict: StepJudged['verdict'],
  calls: readonly PlannedCall[],
  answer: StepOutcome,
  keep = true,
): Events[number] {
  const openings = Object.fromEntries(
    calls.flatMap((call, index) => {
      const opening = answer.calls[index]?.opening;
      return call.plan === 'run' && opening !== undefined ? [[call.id, opening] as const] : [];
    }),
  );
  return { type: 'step.judged', data: { frame: frame.id, verdict, keep, calls, openings } };
}

/** Everything decided about the calls of an answer: only tools that the request told of, with good arguments. */
function planFor(
  { approvals }: ThreadRunState,
  { calls, tools }: StepOutcome,
  { context }: Parts,
): readonly PlannedCall[] {
  const asked = (tool: string, input: JsonValue) =>
    calls.find((call) => call.name === tool && call.input === input);
  return planCalls(
    calls,
    {
      tools: tools.map(({ name, idempotent, parallel }) => ({
        name,
        parallel,
        ...(idempotent ? { safety: 'idempotent' as const } : {}),
      })),
      validate: (tool, input) => {
        const problem = asked(tool, input)?.problem;
        return problem === undefined ? ok(input) : fail(problem);
      },
      permit: (tool, input) => {
        const call = asked(tool, input);
        return call && call.approval === undefined ? { kind: 'allow' } : { kind: 'ask', ...call?.approval };
      },
    },
    { newId: context.newId, granted: approvals.granted },
  );
}

/** What had been said when the thread was stopped stays; its calls are told that they did not run. */
export function stoppedAnswer(
  state: ThreadRunState,
  frame: Frame,
  answer: StepOutcome,
  parts: Parts,
): Events {
  const calls = refuseCalls(answer.calls, 'the thread was stopped', parts.context);
  return [...spent(state, frame, answer, parts), judged(frame, 'stopped', calls, answer)];
}
