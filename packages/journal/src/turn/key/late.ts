import { guard } from '@cuebook/guard';
import type { RunId, Store } from '../../contract.js';
import { readRing } from './chain.js';
import { publicKeyOf, type Signer } from './key.js';

/**
 * Whether a key was replaced before a run began: then it signs nothing in it. A process keeps the key that it started
 * with, so one that was at work when the key was replaced finds that out here, before its first turn of a run is sent.
 */
export async function isLate(
  store: Pick<Store, 'keys' | 'read'>,
  { fingerprint, publicKey }: Signer,
  run: RunId,
): Promise<boolean> {
  const records = (await store.keys()).filter(({ previous }) => previous === publicKey);
  const key = records.length === 0 ? undefined : publicKeyOf(publicKey);
  if (key === undefined) return false;
  const at = readRing(new Map([[fingerprint, key]]), records).replaced.get(fingerprint);
  if (at === undefined) return false;
  const [first] = await store.read(run, { limit: 1 });
  return guard('key.late', first === undefined || first.at > at);
}
