import { createHash } from 'node:crypto';
import { guarded } from '@cuebook/guard';

/**
 * Confirmations of changes to a complete workflow. A change is named by a digest of the state it starts from
 * and the state it makes, so a confirmation holds for this change, on this state, once. `confirm` is for the
 * host, when a person has said yes through its own controls: no text that anybody writes reaches it.
 */
export interface Confirmations {
  /** Remembers a proposed change and answers its name. */
  propose(before: string, after: string): string;
  /** A person allows the change of this name; false when nobody proposed it. */
  confirm(change: string): boolean;
  /** Uses up the confirmation of a change; false when there is none. */
  take(before: string, after: string): boolean;
}

/** Proposals that are remembered; an older one must be proposed again. */
const MAX_PROPOSALS = 100;

export function createConfirmations(): Confirmations {
  const proposed = new Set<string>();
  const confirmed = new Set<string>();
  return {
    propose(before, after) {
      const change = nameOf(before, after);
      proposed.add(change);
      const [oldest] = proposed;
      if (proposed.size > MAX_PROPOSALS && oldest !== undefined) proposed.delete(oldest);
      return change;
    },
    confirm(change) {
      if (!proposed.delete(change)) return false;
      // A second confirmation replaces the first: one change at a time.
      confirmed.clear();
      confirmed.add(change);
      return true;
    },
    take(before, after) {
      const change = nameOf(before, after);
      if (!confirmed.has(change)) return false;
      guarded('state.confirm-once', () => confirmed.delete(change));
      return true;
    },
  };
}

const nameOf = (before: string, after: string): string =>
  createHash('sha256')
    .update(`${digest(before)}\n${digest(after)}`)
    .digest('hex')
    .slice(0, 32);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
