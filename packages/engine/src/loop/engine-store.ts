import type { Store } from '@cuebook/journal';

/** What the engine asks of a journal. */
export type EngineStore = Pick<
  Store,
  | 'append'
  | 'read'
  | 'findCommand'
  | 'projection'
  | 'projections'
  | 'acquireLease'
  | 'renewLease'
  | 'releaseLease'
  | 'findLease'
  | 'vault'
> &
  Partial<Pick<Store, 'kind' | 'ownAfter' | 'clock'>>;
