import type { TurnOutcome } from '@cuebook/engine';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import { scanBlocks, toAskedCall } from '../call/scan.js';
import { LEFT_CODE, type NodeTurnOutcome } from '../run/outcome.js';

export interface AnswerOptions {
  readonly redactor: Redactor;
  readonly parts: Readonly<Record<string, string>>;
  /** The host is being stopped: whoever was cut off goes on when it starts again. */
  readonly isLeft: boolean;
  /** The machine that has the session of the agent; left out: there is no other. */
  readonly machine?: string | undefined;
}

/**
 * What the log keeps of a turn. Calls are found in all of its words, block by block, and stand behind those that
 * the agent made natively. Words and errors are cleaned of what must not be told; the arguments of calls are kept
 * as they are, because they are what a person allows.
 */
export function nodeAnswer(
  turn: TurnOutcome,
  words: readonly string[],
  { redactor, parts, isLeft, machine }: AnswerOptions,
): NodeTurnOutcome {
  const clean = (text: string): string => redactor.redactText(text).text;
  const { calls, notes, text } = scanBlocks(words);
  const { message, ...ending } = turn.end;
  const end = { ...ending, ...(message === undefined ? {} : { message: clean(message) }) };
  return {
    text: clean(text),
    calls: [...turn.calls, ...calls.map(toAskedCall)],
    notes: notes.map((note) => ({ ...note, sample: clean(note.sample) })),
    end: isLeft && end.reason === 'aborted' ? { ...end, ...LEFT } : end,
    ...(turn.usage ? { usage: turn.usage } : {}),
    ...(turn.sessionId === undefined ? {} : { sessionId: turn.sessionId }),
    ...(turn.sessionId === undefined || machine === undefined ? {} : { machine }),
    ...(turn.rehearsal ? { rehearsal: true as const } : {}),
    ...(turn.native ? { native: turn.native.map((use) => cleanUse(use, clean)) } : {}),
    parts,
  };
}

/** The outcome as an effect gives it. */
export const asOutput = (outcome: NodeTurnOutcome): JsonValue => asJson(outcome);

const LEFT = {
  code: LEFT_CODE,
  message: 'The host was stopped in the middle of the turn.',
  retryable: true,
} as const;

type Use = NonNullable<TurnOutcome['native']>[number];

const cleanUse = (use: Use, clean: (text: string) => string): Use => ({
  ...use,
  ...(use.output === undefined ? {} : { output: clean(use.output) }),
});
