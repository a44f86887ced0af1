import type { Lease, Store } from '@cuebook/journal';

/** What the engine asks of a journal. */
export interface EngineStore
  extends Pick<
    Store,
    | 'append'
    | 'read'
    | 'findCommand'
    | 'projection'
    | 'projections'
    | 'acquireLease'
    | 'renewLease'
    | 'releaseLease'
  > {
  /** Who has a lease now, for a store that tells. */
  findLease?(scope: string): Promise<Lease | undefined>;
}
