import { readAnchor } from '../anchor/read.js';
import type { Store } from '../contract.js';
import type { PublicKeys } from '../turn/key/key.js';
import type { NamedAnchor } from './anchor-check.js';

/** The last events of a run, which an anchor does not know of: nothing outside the store says that none follows them. */
export interface BehindRun {
  readonly run: string;
  readonly events: number;
}

/**
 * What a store has and an anchor does not know of yet. It is no damage: a commit is in the store before it is in the
 * anchor, and other machines write other anchors. But an anchor that somebody put back is told by nothing else.
 */
export async function behindAnchor(
  store: Pick<Store, 'runs'>,
  { text }: NamedAnchor,
  publicKeys: PublicKeys,
): Promise<readonly BehindRun[]> {
  if (text === undefined) return [];
  const { heads } = readAnchor(text, publicKeys);
  const runs = await store.runs();
  return runs
    .map(({ run, seq }) => ({ run, events: seq - (heads.get(run)?.seq ?? 0) }))
    .filter(({ events }) => events > 0);
}
