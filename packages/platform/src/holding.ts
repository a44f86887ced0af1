import { randomUUID } from 'node:crypto';
import { fail, type Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import type { RecordError } from './ledger.js';

/** Somebody else publishes now, or the platform cannot be read. */
export type HoldingError =
  | RecordError
  | { readonly code: 'E_PUBLISH'; readonly reason: 'busy'; readonly agent: string };

/** How long a process that was killed keeps others waiting. One that lives holds on. */
const LEASE_MS = 60_000;

/**
 * Runs the work while nobody else publishes or changes keys, with the keys and the metadata of now: two that are made
 * from one state would take the same version.
 */
export async function holding<Value, Failure>(
  parts: Pick<PlatformParts, 'store' | 'follow'>,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure | HoldingError>> {
  const { store } = parts;
  const lease = await store.acquireLease('platform.publish', `publish ${randomUUID()}`, LEASE_MS);
  if (lease === undefined) return fail({ code: 'E_PUBLISH', reason: 'busy', agent: '' });
  const holdOn = setInterval(() => {
    // One that cannot be renewed now is tried again before it ends.
    store.renewLease(lease, LEASE_MS).catch(() => undefined);
  }, LEASE_MS / 4);
  holdOn.unref();
  try {
    const followed = await parts.follow?.();
    if (followed?.ok === false)
      return fail({ code: 'E_PLATFORM', reason: 'unavailable', detail: followed.error.code });
    return await work();
  } finally {
    clearInterval(holdOn);
    await store.releaseLease(lease);
  }
}
