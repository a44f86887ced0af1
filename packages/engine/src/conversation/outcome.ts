import type { JsonValue } from '@cuebook/prompt';
import type { EndReason, Usage } from '@cuebook/provider';
import type { Outcome } from '../machine.js';
import type { AskedCall } from '../tool-loop/plan.js';

/** What a `model.turn` effect gives: everything a turn said and how it ended, also when it failed half-way. */
export type TurnOutcome = {
  /** Blocks of words with a blank line between them. */
  readonly text: string;
  readonly reasoning?: string;
  /** The calls that are for us to run, in order. */
  readonly calls: readonly AskedCall[];
  readonly end: TurnEnding;
  /** Nobody was asked, and nobody else would answer otherwise: another model is not tried. */
  readonly final?: true;
  readonly usage?: Partial<Usage>;
  /** The provider's own session, for the turn after a restart. */
  readonly sessionId?: string;
  readonly rehearsal?: true;
  /** The model that answered, as its provider names it; left out where it does not. */
  readonly model?: string;
  /** What the agent did by itself, or had us do in mid-turn. For the record; it has its answers. */
  readonly native?: readonly NativeUse[];
  /** A hash of what the turn changed in the world; left out when it changed nothing or nobody looked. */
  readonly effect?: string;
  /** What a check of the work said: its failure, or `null` when it passed. */
  readonly verification?: string | null;
};

export type TurnEnding = {
  readonly reason: EndReason;
  readonly stop?: string;
  readonly code?: string;
  readonly message?: string;
  readonly retryable?: boolean;
};

export type NativeUse = {
  readonly id: string;
  readonly name: string;
  readonly by: 'caller' | 'agent';
  readonly output?: string;
  readonly isError?: boolean;
};

/** Reads an outcome from the log. A driver that failed, and an output of another shape, is a failed turn. */
export function readTurnOutcome(outcome: Outcome): TurnOutcome {
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    const failed = failedTurn(code, message);
    return code === 'E_EFFECT_ABORTED' ? { ...failed, end: { ...failed.end, reason: 'aborted' } } : failed;
  }
  const output = outcome.output as Partial<TurnOutcome> | null;
  const isTurn =
    typeof output === 'object' &&
    output !== null &&
    typeof output.text === 'string' &&
    Array.isArray(output.calls) &&
    output.calls.every(isAskedCall) &&
    typeof output.end === 'object' &&
    output.end !== null &&
    REASONS.includes(output.end.reason);
  return isTurn
    ? (output as TurnOutcome)
    : failedTurn('E_AGENT_OUTCOME', 'The driver of the turn gave an outcome of another shape.');
}

export const failedTurn = (code: string, message: string): TurnOutcome => ({
  text: '',
  calls: [],
  end: { reason: 'error', code, message, retryable: false },
  final: true,
});

const REASONS: readonly EndReason[] = ['done', 'error', 'aborted', 'timeout', 'refused'];

const isAskedCall = (value: unknown): boolean => {
  const call = value as { readonly [key in keyof AskedCall]?: JsonValue } | null;
  return (
    typeof call === 'object' &&
    call !== null &&
    typeof call.id === 'string' &&
    typeof call.name === 'string' &&
    call.input !== undefined
  );
};
