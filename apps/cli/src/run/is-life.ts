import type { RunId, Store } from '@cuebook/journal';

/** Tells lives of agents from other runs: they have their budget anew each day. */
export const isLife =
  (store: Pick<Store, 'read'>) =>
  async (run: RunId): Promise<boolean> =>
    (await store.read(run, { limit: 1 }))[0]?.type === 'resident.opened';
