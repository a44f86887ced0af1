import type { AskedCall, NativeUse, Outcome, TurnEnding } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { EndReason, Usage } from '@cuebook/provider';
import type { DiffOutcome, VerifyOutcome } from '@cuebook/workspace';
import type { CallNote } from '../call/scan.js';

/** What a `node.turn` effect gives: everything the turn said, how it ended, also when it failed half-way. */
export type NodeTurnOutcome = {
  /** Without the lines that are calls. */
  readonly text: string;
  /** Calls for us to run, native ones and those in the text, in order. */
  readonly calls: readonly AskedCall[];
  readonly notes: readonly CallNote[];
  readonly end: TurnEnding;
  readonly usage?: Partial<Usage>;
  readonly sessionId?: string;
  readonly native?: readonly NativeUse[];
  /** The scripted provider spoke: every screen says so. */
  readonly rehearsal?: true;
  /** Digests of the stable parts of the prompt that was sent. */
  readonly parts?: { readonly [part: string]: string };
};

/** The code of a turn that was cut off because its host was stopped: nobody is asked, its node goes on by itself. */
export const LEFT_CODE = 'E_TURN_LEFT';

/** What a `diff.set-aside` effect gives: what was moved out, and what stays of the changes of the turn. */
export type AsideOutcome = {
  readonly artifact?: string;
  readonly rest?: Pick<DiffOutcome, 'files' | 'artifact' | 'lines'>;
};

/** Reads an outcome from the log. A driver that failed, and an output of another shape, is a failed turn. */
export function readTurn(outcome: Outcome): NodeTurnOutcome {
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return failedTurn(code, message, code === 'E_EFFECT_ABORTED' ? 'aborted' : 'error');
  }
  const output = outcome.output as Partial<NodeTurnOutcome> | null;
  const isTurn =
    typeof output === 'object' &&
    output !== null &&
    typeof output.text === 'string' &&
    Array.isArray(output.calls) &&
    output.calls.every(isAskedCall) &&
    (output.notes === undefined || Array.isArray(output.notes)) &&
    typeof output.end === 'object' &&
    output.end !== null &&
    REASONS.includes(output.end.reason);
  if (!isTurn)
    return failedTurn('E_AGENT_OUTCOME', 'The driver of the turn gave an outcome of another shape.');
  return { ...(output as NodeTurnOutcome), notes: output.notes ?? [] };
}

/** A diff that could not be taken names no file; its node does not go on by itself. */
export function readDiff(outcome: Outcome): DiffOutcome {
  const output = outcome.ok ? (outcome.output as Partial<DiffOutcome> | null) : null;
  const files = output?.files;
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'string'))
    return { hash: null, files: [] };
  const { hash = null, artifact, lines } = output as Partial<DiffOutcome>;
  return { hash, files, ...(artifact === undefined ? {} : { artifact }), ...(lines ? { lines } : {}) };
}

/** What became of changes that may not stay. */
export const readAside = (outcome: Outcome): AsideOutcome =>
  outcome.ok ? ((outcome.output ?? {}) as AsideOutcome) : {};

/** Checks that could not be run have failed. */
export function readVerification(outcome: Outcome): string | null {
  if (!outcome.ok) return `The checks could not be run: ${outcome.error.message}`;
  const { failure } = (outcome.output ?? {}) as Partial<VerifyOutcome>;
  return typeof failure === 'string' ? failure : null;
}

const failedTurn = (code: string, message: string, reason: EndReason = 'error'): NodeTurnOutcome => ({
  text: '',
  calls: [],
  notes: [],
  end: { reason, code, message, retryable: false },
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
