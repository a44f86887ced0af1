import type { Catalog } from '@cuebook/define';
import type { StallRules } from '@cuebook/engine';

/** What a thread machine must know. Plain data: its decisions are pure. */
export interface ThreadConfig {
  readonly catalog: Catalog;
  /** Whether every model has a known price. */
  readonly priced: boolean;
  readonly stall?: Partial<StallRules>;
  readonly maxResultBytes?: number;
  /** How long a person has to answer an approval; left out: for ever. */
  readonly approvalMs?: number;
  /** The entry of the vault that the catalog is from. Left out, or undefined: that of no run. */
  readonly entry?: () => string | undefined;
}

/** Steps that a session may take. */
export const MAX_SESSION_STEPS = 250;
/** Conversations within conversations. */
export const MAX_DEPTH = 16;
/** Conversations of one run, ended ones included. */
export const MAX_FRAMES = 1_000;
