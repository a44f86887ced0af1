import type { GraphLimits } from '../capability/authorize.js';

/** What bounds a run. All of it is finite. */
export type RunLimits = GraphLimits & {
  /** Turns at the same time. */
  readonly parallel: number;
  /** The same, by provider; one that is not named has the limit of the run. */
  readonly perProvider: { readonly [provider: string]: number };
  /** Envelopes that may wait for one node. */
  readonly inbox: number;
  /** How long a person has to answer an approval, in minutes; 0: for ever. Left out: as the host says. */
  readonly approvalMinutes?: number;
};

/** Limits as people write them: what is left out stays as it is. */
export type LimitsInput = { readonly [Key in keyof RunLimits]?: RunLimits[Key] | undefined };

/** What of limits is given, over others; of providers, too, those that are named. */
export const withLimits = <Limits extends LimitsInput>(base: Limits, given: LimitsInput = {}): Limits => ({
  ...base,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  ...(given.perProvider === undefined ? {} : { perProvider: { ...base.perProvider, ...given.perProvider } }),
});

/** How long a person has to answer in a run, in milliseconds; undefined: for ever. */
export function approvalTime(
  { approvalMinutes }: Pick<RunLimits, 'approvalMinutes'>,
  usual: number | undefined,
): number | undefined {
  if (approvalMinutes === undefined) return usual;
  return approvalMinutes > 0 ? Math.ceil(approvalMinutes * 60_000) : undefined;
}

/** What bounds a run that says nothing else. */
export const DEFAULT_LIMITS: RunLimits = { parallel: 4, perProvider: {}, nodes: 24, depth: 2, inbox: 200 };
