import type { Lease } from '@cuebook/journal';
import type { EngineStore } from '../loop/engine-store.js';

/** Who holds a lease, for people: the name that the process gave itself. */
export async function findHolder(store: EngineStore, scope: string): Promise<string> {
  const lease = await store.findLease(scope);
  return lease === undefined ? 'another process' : nameOf(lease);
}

/** Who holds a lease, where, and until when at the latest: `process 123 on this machine until 2026-…`. */
export function holderText(lease: Lease): string {
  const { process, expiresAt } = lease;
  const name = nameOf(lease);
  const number = process && `process ${process.pid}`;
  const who = number === undefined || number === name ? name : `${name} (${number})`;
  const until = new Date(expiresAt);
  const end = Number.isNaN(until.getTime()) ? '' : ` until ${until.toISOString()}`;
  return `${who}${process?.isHere ? ' on this machine' : ''}${end}`;
}

const nameOf = ({ owner }: Lease): string => owner.replace(/#\d+$/, '');
