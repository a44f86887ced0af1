import type { StoredEvent } from '@cuebook/journal';
import { mailboxOf } from './mailbox.js';

/** Whom owners have removed, by their addresses: whoever signs in elsewhere does not come back by that. */
export interface RemovedState {
  /** Of those who are there, by name. */
  readonly addresses: ReadonlyMap<string, string>;
  /** As they are compared. */
  readonly gone: ReadonlySet<string>;
}

/** The state after an event. Events that are not known change nothing. */
export function projectRemoved(state: RemovedState, { type, data }: StoredEvent): RemovedState {
  const { person, email } = Object(data) as { readonly person?: unknown; readonly email?: unknown };
  if (typeof person !== 'string') return state;
  const { addresses, gone } = state;
  if (type === 'person.added' && typeof email === 'string') {
    const address = mailboxOf(email);
    return {
      addresses: new Map(addresses).set(person, address),
      gone: new Set([...gone].filter((each) => each !== address)),
    };
  }
  const address = addresses.get(person);
  if (type !== 'person.removed' || address === undefined) return state;
  return {
    addresses: new Map([...addresses].filter(([name]) => name !== person)),
    gone: new Set(gone).add(address),
  };
}
