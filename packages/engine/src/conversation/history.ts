import type { JsonValue } from '@cuebook/prompt';
import type { CallState, Calls } from '../tool-loop/calls.js';
import { isErrorResult, stoppedResult } from '../tool-loop/result.js';

/** A message of the conversation, before it is composed. */
export type ConversationMessage =
  /** `by` is a person's name, or `cuebook` for a corrective note. */
  | { readonly role: 'user'; readonly id: string; readonly text: string; readonly by: string }
  | {
      readonly role: 'assistant';
      readonly turn: number;
      readonly text: string;
      readonly calls: readonly HistoryCall[];
      /** The turn was stopped in the middle of it. */
      readonly partial?: true;
    }
  | {
      readonly role: 'tool';
      readonly call: string;
      readonly given: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      readonly blob?: string;
    };

export type HistoryCall = {
  /** Ours: unique in the conversation, of letters, digits and `_`. Providers take it as the id of the call. */
  readonly id: string;
  /** The model's own. */
  readonly given: string;
  readonly name: string;
  readonly input: JsonValue;
};

export const historyCall = ({ id, given, name, input }: HistoryCall): HistoryCall => ({
  id,
  given,
  name,
  input,
});

/**
 * The history with a result for each call of the latest answer, in call order, whatever order they were done in.
 * A call that is still open says so: a provider takes this history at any moment.
 */
export const currentHistory = (state: {
  readonly history: readonly ConversationMessage[];
  readonly calls: Calls | null;
}): readonly ConversationMessage[] => [...state.history, ...(state.calls ?? []).map(resultMessage)];

/**
 * What keeps a provider from taking a history, or undefined: results follow their calls at once, one for each,
 * in call order; no call and no result stands alone; no id is used twice; nothing is empty.
 */
export function historyProblem(history: readonly ConversationMessage[]): string | undefined {
  const seen = new Set<string>();
  let open: readonly string[] = [];
  for (const message of history) {
    if (message.role === 'tool') {
      if (message.call !== open[0]) return `the result of ${message.call} does not follow its call`;
      open = open.slice(1);
      continue;
    }
    if (open.length > 0) return `the call ${open[0]} has no result`;
    if (message.role === 'user') continue;
    if (message.text === '' && message.calls.length === 0) return `turn ${message.turn} is empty`;
    open = message.calls.map(({ id }) => id);
    const twice = open.find((id, index) => seen.has(id) || open.indexOf(id) !== index);
    if (twice !== undefined) return `the id ${twice} is used twice`;
    for (const id of open) seen.add(id);
  }
  return open.length > 0 ? `the call ${open[0]} has no result` : undefined;
}

function resultMessage(call: CallState): ConversationMessage {
  const result = call.result ?? stoppedResult('it is not done yet');
  return {
    role: 'tool',
    call: call.id,
    given: call.given,
    name: call.name,
    text: result.text,
    isError: isErrorResult(result),
    ...(result.blob === undefined ? {} : { blob: result.blob }),
  };
}
