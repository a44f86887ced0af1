import { type Outcome, readTurnOutcome, type TurnOutcome } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { DiffOutcome, VerifyOutcome } from '@cuebook/workspace';
import type { CallNote } from '../call/scan.js';

/** What a `node.turn` effect gives: everything the turn said, how it ended, also when it failed half-way. */
export type NodeTurnOutcome = TurnOutcome & {
  readonly notes: readonly CallNote[];
  /** Digests of the stable parts of the prompt that was sent. */
  readonly parts?: { readonly [part: string]: string };
  /** The machine that has the session, where a project has several. */
  readonly machine?: string;
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
  const turn = readTurnOutcome(outcome) as TurnOutcome & { readonly notes?: JsonValue };
  return { ...turn, notes: Array.isArray(turn.notes) ? (turn.notes as readonly CallNote[]) : [] };
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
