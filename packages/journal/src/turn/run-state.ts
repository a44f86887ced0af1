import { z } from 'zod';
import type { StoredEvent } from '../contract.js';
import { type FileStamps, NO_FILES } from './manifest/files.js';
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
  /** The files that the run was begun with. */
  files: FileStamps;
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
  files: NO_FILES,
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
  if (seq === 1) state.files = begunWith(data);
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

/** What the first event of a run says of its sources: `sources: { files: { PATH: HASH }, commit }`. */
function begunWith(data: unknown): FileStamps {
  const parsed = begun.safeParse(data);
  if (!parsed.success) return NO_FILES;
  const { files, commit } = parsed.data.sources;
  return Object.fromEntries(Object.entries(files).map(([file, hash]) => [file, { hash, commit }]));
}

const begun = z.object({
  sources: z.object({
    files: z.record(z.string(), z.string().regex(/^sha256:[0-9a-f]{64}$/)),
    commit: z.string().optional(),
  }),
});
