import { describeJournalError, explainPostgres, JournalFailure } from '@cuebook/journal';
import { type Diagnostic, ok, type Result } from '@cuebook/prompt';

/** Why a server does not start. The message leaks nothing but an address of this machine. */
export interface StartError {
  readonly code: string;
  readonly message: string;
  readonly diagnostics?: readonly Diagnostic[];
}

/** A failure as a value. */
export const cannotStart = (
  code: string,
  message: string,
): { readonly ok: false; readonly error: StartError } => ({ ok: false, error: { code, message } });

/**
 * The last steps of a start. Where the records fail in one of them, all that was opened ends, so that the process does
 * too, and whoever keeps it running starts it again.
 */
export async function orEnd<Value>(
  steps: () => Promise<Value>,
  ends: readonly (() => Promise<unknown>)[],
): Promise<Result<Value, StartError>> {
  try {
    return ok(await steps());
  } catch (thrown) {
    for (const end of ends) await end().catch(() => undefined);
    const error = explainPostgres(thrown);
    if (!(thrown instanceof JournalFailure) && 'reason' in error && error.reason === 'failed') throw thrown;
    return cannotStart(error.code, describeJournalError(error));
  }
}
