import type { RunId, Store } from '../contract.js';
import { loadManifest, loadTexts } from './load.js';
import type { Base } from './manifest/encode.js';
import type { TurnManifest } from './manifest/manifest.js';
import { blobReader } from './manifest/texts.js';
import { UnreadableReceipt } from './manifest/unreadable.js';
import type { RecordedRun } from './run-state.js';

/** A receipt that others may build on, with the texts of its blocks by name. */
export interface KeptReceipt {
  readonly seq: number;
  readonly manifest: TurnManifest;
  readonly texts: ReadonlyMap<string, string>;
}

/** What the next receipt of a lane builds on. */
export interface Bases {
  /** The lane's last receipt, or the run's first when the lane has none; undefined for the first of a run. */
  of(run: RunId, lane: string, state: RecordedRun): Promise<Base | undefined>;
  keep(run: RunId, lane: string, receipt: KeptReceipt): void;
}

/** A lane's last receipt, how many came before it, and the last one at the beginning of each stride. */
interface Lane {
  readonly last: KeptReceipt;
  readonly count: number;
  readonly anchors: readonly KeptReceipt[];
}

/**
 * Keeps the last receipts of the lanes used last; others are read from the store. A receipt builds on the one
 * before it, every 8th on the one 8 before, every 64th on the one 64 before and every 512th on the one 512 before: the
 * 400th is read in a dozen steps, the 10,000th in two dozen,
 * and what is told again that way costs each receipt no more than one block's line.
 */
export function createBases(store: Store): Bases {
  const lanes = new Map<string, Lane>();
  const set = (key: string, lane: Lane): void => {
    lanes.delete(key);
    lanes.set(key, lane);
    const [oldest] = lanes.keys();
    if (lanes.size > MAX_LANES && oldest !== undefined) lanes.delete(oldest);
  };
  return {
    keep: (run, name, last) => {
      const key = `${run} ${name}`;
      const lane = lanes.get(key);
      set(key, lane === undefined ? startAt(last) : follow(lane, last));
    },
    of: async (run, name, state) => {
      const own = state.lanes.get(name);
      const seq = own ?? state.first;
      if (seq === undefined) return undefined;
      const key = `${run} ${name}`;
      const lane = lanes.get(key);
      if (lane?.last.seq === seq) return toBase(lane);
      const other = [...lanes].find(([each, { last }]) => each.startsWith(`${run} `) && last.seq === seq);
      const last = other?.[1].last ?? (await readReceipt(store, run, seq));
      if (last !== undefined && own !== undefined) set(key, startAt(last));
      return last && toBase(startAt(last));
    },
  };
}

const STRIDES = [8, 64, 512];
const MAX_LANES = 64;

const startAt = (receipt: KeptReceipt): Lane => ({
  last: receipt,
  count: 0,
  anchors: STRIDES.map(() => receipt),
});

function follow({ count, anchors }: Lane, last: KeptReceipt): Lane {
  const next = count + 1;
  const begins = (stride: number | undefined) => stride !== undefined && next % stride === 0;
  return {
    last,
    count: next,
    anchors: anchors.map((anchor, level) => (begins(STRIDES[level]) ? last : anchor)),
  };
}

/** Texts are compared with the newest, whichever receipt the blocks are told against. */
function toBase({ last, count, anchors }: Lane): Base {
  const level = STRIDES.findLastIndex((stride) => (count + 1) % stride === 0);
  const { seq, manifest } = anchors[level] ?? last;
  const recent = new Map(
    last.manifest.blocks.map(({ name, hash, parts }) => [name, { hash, parts, text: last.texts.get(name) }]),
  );
  return { seq, manifest, recent };
}

/** A receipt that cannot be read is nothing to build on; the new one then stands alone. */
async function readReceipt(store: Store, run: RunId, seq: number): Promise<KeptReceipt | undefined> {
  const reader = blobReader(store);
  try {
    const manifest = await loadManifest(store, run, seq, reader);
    return { seq, manifest, texts: await loadTexts(manifest, reader) };
  } catch (error) {
    if (error instanceof UnreadableReceipt) return undefined;
    throw error;
  }
}
