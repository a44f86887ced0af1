import { isErrorResult, openCalls, stoppedResult } from '@cuebook/engine';
import type { StepJudged } from '../event.js';
import type { Again, Frame } from '../frame.js';
import type { Message } from '../message.js';

/** What was said goes into the history, and its calls are opened. */
export function judged(frame: Frame, { verdict, keep, calls, openings }: StepJudged): Partial<Frame> {
  const { answer, ask, messages, side, turn } = frame;
  const done = {
    ask: null,
    answer: null,
    retries: verdict === 'retry' ? frame.retries + 1 : 0,
    again: verdict === 'fallback' ? nextModel(frame) : null,
  };
  if (answer === null || ask === null || !keep) return { ...done, calls: null };
  const { text, reasoning, hidesReasoning, rewritten, extra, end } = answer;
  const said: Message = {
    id: ask.message,
    role: 'assistant',
    side,
    turn,
    from: 'model',
    text,
    ...(calls.length === 0 ? {} : { calls: calls.map(({ id, name, input }) => ({ id, name, args: input })) }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(hidesReasoning === undefined ? {} : { hidesReasoning }),
    ...(rewritten === undefined ? {} : { rewritten }),
    ...(end.reason === 'done' ? {} : { partial: true as const }),
    ...(extra === undefined ? {} : { extra }),
  };
  const isSaid = text !== '' || calls.length > 0;
  return {
    ...done,
    messages: isSaid ? [...messages, said] : messages,
    calls: calls.length === 0 ? null : openCalls(calls),
    openings,
    results: {},
    called: frame.called || calls.length > 0,
  };
}

function nextModel({ ask, model }: Frame): Again | null {
  if (ask === null) return null;
  const { prompt, side, message } = ask;
  return { prompt, side, message, model: model + 1 };
}

/** A result for each call of the latest answer, in call order. What a hook removed is gone with its call. */
export function storeResults(frame: Frame, ids: readonly string[]): Partial<Frame> {
  const calls = frame.calls ?? [];
  const removed = new Set(calls.filter(({ id }) => frame.results[id]?.removed).map(({ id }) => id));
  const stored = calls.flatMap((call, index): readonly Message[] => {
    if (removed.has(call.id)) return [];
    const result = call.result ?? stoppedResult('it is not done yet');
    const more = frame.results[call.id];
    return [
      {
        id: ids[index] ?? call.id,
        role: 'tool',
        side: frame.side,
        turn: frame.turn,
        from: 'tool',
        text: more?.text ?? result.text,
        callId: call.id,
        name: call.name,
        isError: more?.isError ?? isErrorResult(result),
        ...(more?.attachments === undefined || more.attachments.length === 0
          ? {}
          : { attachments: more.attachments }),
        ...(more?.extra === undefined ? {} : { extra: more.extra }),
      },
    ];
  });
  const messages =
    removed.size === 0 ? frame.messages : frame.messages.flatMap((each) => without(each, removed));
  return { messages: [...messages, ...stored], calls: null, openings: {}, results: {} };
}

function without(message: Message, removed: ReadonlySet<string>): readonly Message[] {
  if (message.calls === undefined || !message.calls.some(({ id }) => removed.has(id))) return [message];
  const { calls, ...rest } = message;
  const left = calls.filter(({ id }) => !removed.has(id));
  if (left.length > 0) return [{ ...rest, calls: left }];
  return rest.text === '' ? [] : [rest];
}
