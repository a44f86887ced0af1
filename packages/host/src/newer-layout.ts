import { type RunState, strangeRun } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { describeJournalError, type Store } from '@cuebook/journal';
import { fail, type Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import { engineError, refuse } from './errors.js';

/**
 * Why this process takes up no work: a newer Cuebook has brought the tables to a layout that this one does not know.
 * Another process, which does, goes on with it. Undefined: it may.
 */
export async function newerLayout(
  store: Pick<Store, 'layout' | 'schemaVersion'>,
): Promise<Result<never, HostError> | undefined> {
  const [found, known] = [await store.layout(), store.schemaVersion];
  if (!guard('work.layout', found > known)) return undefined;
  const error = { code: 'E_JOURNAL_SCHEMA_NEWER', found, known } as const;
  return refuse('unavailable', error.code, describeJournalError(error));
}

/** The same of a run into which a newer Cuebook has written something. */
export function newerRun(run: Pick<RunState<unknown>, 'strange'>): Result<never, HostError> | undefined {
  const newer = strangeRun(run);
  return newer?.ok === false ? fail(engineError(newer.error)) : undefined;
}
