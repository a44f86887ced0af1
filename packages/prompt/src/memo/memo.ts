import { guard } from '@cuebook/guard';
import type { Block, BlockInput, Redaction } from '../block.js';
import type { Hash } from '../hash.js';
import type { Redactor } from '../redact/redactor.js';
import type { Refusal } from '../refusal.js';
import { type Beside, createBesideMemo } from './beside.js';
import { createPrefixes, type Joined } from './prefix.js';
import { type BlockSnapshot, isSnapshotOf, lengthOf, snapshotOf } from './snapshot.js';

/** What a block is composed with. Both are pure: the same one gives the same answer. */
export interface ComposeTools {
  readonly hash: Hash;
  readonly redactor: Redactor;
}

/** A block past the gates, or why it may not pass. */
export interface GatedOnce {
  readonly refusals: readonly Refusal[];
  /** Left out when its labels are refused. */
  readonly block?: Block;
  readonly redactions: readonly Redaction[];
}

/**
 * What was composed before, so that a prompt that goes on from another costs what was added to it. An answer is kept
 * by everything that it depends on: the block's words, labels, origins, name and attachments, and the very redactor
 * and hash, which are pure; another context is another redactor. Refusals are never kept. Several conversations may
 * share one. Blocks, tools and parameters of prompts that share a memo may be the same objects.
 */
export interface ComposeMemo {
  /** What `gate` answers for the block, now or before. */
  block(
    input: BlockInput,
    tools: ComposeTools,
    gate: (input: BlockInput, tools: ComposeTools) => GatedOnce,
  ): GatedOnce;
  /** The one-string projection of blocks and its hash. */
  join(blocks: readonly Block[], hash: Hash): Joined;
  /** What is told beside the blocks. */
  readonly beside: Beside;
}

export interface MemoOptions {
  /** Characters that it may keep alive, roughly. What was not asked for longest goes first. */
  readonly maxSize?: number;
}

export function createComposeMemo({ maxSize = MAX_SIZE }: MemoOptions = {}): ComposeMemo {
  let young: Kept = new Map();
  let old: Kept = new Map();
  let size = 0;
  const keep = (name: string, entry: Entry): void => {
    // What nobody asked for since the last time goes.
    if (size + entry.snapshot.size > maxSize / 2) {
      old = young;
      young = new Map();
      size = 0;
    }
    if (entry.snapshot.size > maxSize / 2) return;
    const bucket = young.get(name) ?? [];
    if (bucket.length >= MAX_PER_NAME) size -= (bucket.shift() as Entry).snapshot.size;
    bucket.push(entry);
    young.set(name, bucket);
    size += entry.snapshot.size;
  };
  const prefixes = createPrefixes(maxSize);
  return {
    block(input, tools, gate) {
      const { name } = input;
      const length = lengthOf(input.pieces);
      const found = findIn(young.get(name), input, length, tools);
      if (found !== undefined) return found.gated;
      const earlier = findIn(old.get(name), input, length, tools);
      if (earlier !== undefined) {
        keep(name, earlier);
        return earlier.gated;
      }
      const snapshot = snapshotOf(input);
      const gated = gate(snapshot.input, tools);
      if (gated.refusals.length === 0) keep(name, { snapshot, tools: { ...tools }, gated });
      return gated;
    },
    join: prefixes.join,
    beside: createBesideMemo(maxSize),
  };
}

/** Room for a few long conversations. */
const MAX_SIZE = 16_000_000;
/** Blocks of one name: those of several conversations, or of one that are said anew each time. */
const MAX_PER_NAME = 64;

type Kept = Map<string, Entry[]>;

interface Entry {
  readonly snapshot: BlockSnapshot;
  readonly tools: ComposeTools;
  readonly gated: GatedOnce;
}

function findIn(
  bucket: Entry[] | undefined,
  input: BlockInput,
  length: number,
  { redactor, hash }: ComposeTools,
): Entry | undefined {
  if (bucket === undefined) return undefined;
  for (let at = bucket.length - 1; at >= 0; at -= 1) {
    const entry = bucket[at] as Entry;
    if (entry.snapshot.length !== length) continue;
    if (guard('memo.context', entry.tools.redactor !== redactor || entry.tools.hash !== hash)) continue;
    if (guard('memo.words', !isSnapshotOf(entry.snapshot, input))) continue;
    if (at < bucket.length - 1) {
      bucket.splice(at, 1);
      bucket.push(entry);
    }
    return entry;
  }
  return undefined;
}
