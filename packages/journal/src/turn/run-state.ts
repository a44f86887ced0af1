import type { StoredEvent } from '../contract.js';
import { isReceiptType } from './receipt.js';
import { type Previous, receiptHash } from './seal.js';
import { isReceiptData } from './wire/receipt-data.js';

/** What the recorder knows of a run: where its log stands, and its turns. Folded from the run's events. */
export interface RecordedRun {
  seq: number;
  /** The hash of the last event. */
  head: string | null;
  /** The last receipt. */
  prev: Previous | null;
  /** The seq of each lane's last recorded prompt, and of the run's first. */
  readonly lanes: Map<string, number>;
  first: number | undefined;
  readonly turns: Map<string, TurnState>;
}

export interface TurnState {
  readonly seq: number;
  readonly lane: string;
  ended: boolean;
}

export const emptyRun = (): RecordedRun => ({
  seq: 0,
  head: null,
  prev: null,
  lanes: new Map(),
  first: undefined,
  turns: new Map(),
});

/**
 * Moves the state on by one event. Looks only at whose turn it is: what else a receipt says is checked where it
 * is used.
 */
export function foldEvent(
  state: RecordedRun,
  { seq, hash, type, data }: Pick<StoredEvent, 'seq' | 'hash' | 'type' | 'data'>,
): void {
  state.seq = seq;
  state.head = hash;
  if (!isReceiptType(type)) return;
  state.prev = { seq, hash: receiptHash(data) };
  if (!isReceiptData(data)) return;
  const { turn, is } = data;
  if (type === 'turn.recorded') {
    const lane = String(is[0]);
    state.turns.set(turn, { seq, lane, ended: false });
    state.lanes.set(lane, seq);
    state.first ??= seq;
  }
  const known = type === 'turn.ended' ? state.turns.get(turn) : undefined;
  if (known !== undefined) known.ended = true;
}
