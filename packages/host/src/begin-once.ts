import type { Store } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import type { Host, HostError, StartCall, StartedRun } from './contract.js';
import { runOf } from './run-of.js';

/**
 * Begins the run of a command that nobody else but this project gives, and always with the same call. Where another
 * process has begun it at the same moment, that is the run.
 */
export async function beginOnce(
  store: Pick<Store, 'head'>,
  begin: Host['begin'],
  call: StartCall,
): Promise<Result<StartedRun, HostError>> {
  const begun = await begin(call);
  if (begun.ok || begun.error.kind === 'unavailable') return begun;
  const run = runOf(call.id);
  return (await store.head(run)) === undefined ? begun : ok({ run, diagnostics: [] });
}
