import type { RunId } from '@cuebook/journal';
import type { EngineStore } from '../loop/engine-store.js';
import { OPEN_WORK } from '../loop/open-work.js';
import { workScope } from './in-process.js';

/**
 * Whether a process does the open work of a run just now, where one process does all work of a kind. One that was
 * killed is believed to live until its lease is over.
 */
export async function isAtWork(
  store: Pick<EngineStore, 'projection' | 'findLease'>,
  run: RunId,
): Promise<boolean> {
  const open = (await store.projection(OPEN_WORK, run)) as { readonly kind?: string } | undefined;
  return open?.kind !== undefined && (await store.findLease(workScope(open.kind))) !== undefined;
}
