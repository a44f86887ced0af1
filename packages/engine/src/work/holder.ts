import type { EngineStore } from '../loop/engine-store.js';

/** Who holds a lease, for people: the name that the process gave itself. */
export async function findHolder(store: EngineStore, scope: string): Promise<string> {
  const lease = await store.findLease(scope);
  return lease?.owner.replace(/#\d+$/, '') ?? 'another process';
}
