import type { JsonValue } from '@cuebook/prompt';
import type { Envelope } from '../graph/envelope.js';
import type { PersonMessage } from './incoming.js';
import type { TurnResult } from './result.js';
import type { TurnCause } from './task.js';

/** What a node was told in an earlier turn, and what it said and asked for. Plain JSON. */
export type PastTurn = {
  readonly turn: number;
  readonly cause: TurnCause;
  readonly taken: {
    readonly inbox: readonly Envelope[];
    readonly messages: readonly PersonMessage[];
    readonly results: readonly TurnResult[];
  };
  readonly said: string;
  readonly calls: readonly PastCall[];
};

export type PastCall = {
  /** Ours: its result names it. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
};

/** The conversation of a node, for a provider that keeps none: oldest first. */
export type Memory = {
  readonly turns: readonly PastTurn[];
  /** Older turns that are not kept. */
  readonly forgotten: number;
};

export const NO_MEMORY: Memory = { turns: [], forgotten: 0 };
