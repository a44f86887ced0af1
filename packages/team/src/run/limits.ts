import type { GraphLimits } from '../capability/authorize.js';

/** What bounds a run. All of it is finite. */
export type RunLimits = GraphLimits & {
  /** Turns at the same time. */
  readonly parallel: number;
  /** The same, by provider; one that is not named has the limit of the run. */
  readonly perProvider: { readonly [provider: string]: number };
  /** Envelopes that may wait for one node. */
  readonly inbox: number;
};

/** What bounds a run that says nothing else. */
export const DEFAULT_LIMITS: RunLimits = { parallel: 4, perProvider: {}, nodes: 24, depth: 2, inbox: 200 };
