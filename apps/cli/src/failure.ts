import type { Diagnostic } from '@cuebook/prompt';

/** 0 done, 1 the answer is no, 2 the call was wrong, 3 the environment is missing something. */
export type ExitCode = 0 | 1 | 2 | 3;

/**
 * The one error class at this edge: a command that cannot go on throws it, and `run` prints it. The message
 * names the cause for people and agents; it never holds a stack or a secret.
 */
export class Failure extends Error {
  readonly code: string;
  readonly exit: ExitCode;
  /** All that is wrong with a target: printed in place of the message. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(code: string, message: string, options: FailureOptions = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.exit = options.exit ?? 2;
    this.diagnostics = options.diagnostics ?? [];
  }
}

export interface FailureOptions {
  /** 2 without it. */
  readonly exit?: ExitCode;
  readonly diagnostics?: readonly Diagnostic[];
}

/** The failure for a call that does not fit the command. */
export const usage = (message: string): Failure => new Failure('E_USAGE', message);

/** The failure for a target that cannot be composed: a wrong call when nothing but the call is wrong. */
export function diagnosed(diagnostics: readonly Diagnostic[]): Failure {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  const code = first?.code ?? 'E_INTERNAL';
  return new Failure(code, first?.message ?? 'Refused without a reason', {
    exit: exitFor(diagnostics),
    diagnostics,
  });
}

/** 0 without errors, 2 when every error lies in the call, 1 otherwise. */
export function exitFor(diagnostics: readonly Diagnostic[]): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 0;
  return errors.every(({ code }) => CALL_CODES.has(code)) ? 2 : 1;
}

const CALL_CODES: ReadonlySet<string> = new Set(['E_TARGET', 'E_INPUT', 'E_USAGE', 'E_NO_TARGET']);
