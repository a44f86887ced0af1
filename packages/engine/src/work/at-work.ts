import type { RunId } from '@cuebook/journal';
import type { EngineStore } from '../loop/engine-store.js';
import { OPEN_WORK } from '../loop/open-work.js';
import { holderText } from './holder.js';
import { workScope } from './in-process.js';
import { runScope } from './per-run.js';

/**
 * Who does the open work of a run just now, and until when it is theirs unless they renew it; undefined: nobody.
 * For kinds whose work one process does. A process that was killed counts for as long as nobody can know.
 */
export async function findWorker(
  store: Pick<EngineStore, 'projection' | 'findLease'>,
  run: RunId,
): Promise<string | undefined> {
  const open = (await store.projection(OPEN_WORK, run)) as { readonly kind?: string } | undefined;
  if (open?.kind === undefined) return undefined;
  const lease =
    (await store.findLease(workScope(open.kind))) ?? (await store.findLease(runScope(open.kind, run)));
  return lease && holderText(lease);
}
