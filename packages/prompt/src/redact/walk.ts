import { guarded } from '@cuebook/guard';
import { type Cursor, createCursor } from './cursor.js';
import type { PathHead } from './extent.js';
import { placeholderOf, type Replacement, type ReplacementKind } from './leak-context.js';
import type { PathNeedles } from './path-needles.js';
import type { QuickScan } from './quick-scan.js';
import type { Shadow } from './shadow.js';
import type { WordNeedles } from './word-needles.js';

/** Something found, as a range of the shadow. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: ReplacementKind;
  readonly known: boolean;
}

export interface ScanMode {
  /** Only what the context names: the last check before sending. */
  readonly knownOnly: boolean;
  /** The text is a leaf or a key of a structured value. */
  readonly inValue: boolean;
  /** How many encodings deep the text was found. */
  readonly depth: number;
}

export interface Scanner {
  /** What was found, sorted and without overlaps, as ranges of the source. */
  scan(source: string, mode: ScanMode): readonly Replacement[];
}

/** What a text shows itself, without what it holds. */
export interface Found {
  readonly found: readonly Replacement[];
  /** Every character of the text was looked at, and none can begin an escape: the text means what is written. */
  readonly isStraight: boolean;
  /** The long runs of the text, as pairs of start and end. */
  readonly runs: readonly number[];
}

/** A compiled context. */
export interface Compiled {
  readonly scanner: Scanner;
  readonly paths: PathNeedles;
  readonly words: WordNeedles;
  /** The length of the shortest thing that is known, or 0: of no use (see `worthOf`). */
  readonly least: number;
  readonly table: Uint8Array;
  readonly quick: QuickScan;
}

/** One walk over one shadow. Hits come in rising order; nothing before `lastEnd` is touched again. */
export interface Walk {
  readonly compiled: Compiled;
  readonly shadow: Shadow;
  readonly mode: ScanMode;
  readonly cursor: Cursor;
  readonly hits: Hit[];
  /** What is found in a part of the shadow that an aliased path covers. */
  findInRest(from: number, to: number): readonly Hit[];
  /** The text as bytes, where it is ASCII. */
  readonly bytes: Uint8Array | undefined;
  /** Inside the rest of an aliased path only the prefix of a root is replaced. */
  readonly inRest: boolean;
  /** Long runs that are still to be looked at, as pairs of start and end. */
  readonly runs: readonly number[];
  nextRun: number;
  /** A path of a URL that starts further on; what lies before it is still to be looked at. */
  pending: PathHead | undefined;
  lastEnd: number;
  /** Base64 before this place has been looked into: wrapped lines are one encoding. */
  decodedEnd: number;
  /** The same for what was packed. */
  packedEnd: number;
}

export const startWalk = (
  compiled: Compiled,
  shadow: Shadow,
  mode: ScanMode,
  findInRest: Walk['findInRest'],
  { bytes, inRest, runs }: Pick<Walk, 'bytes' | 'inRest' | 'runs'>,
): Walk => ({
  compiled,
  shadow,
  mode,
  findInRest,
  cursor: createCursor(shadow.text),
  hits: [],
  bytes,
  inRest,
  runs,
  nextRun: 0,
  pending: undefined,
  lastEnd: 0,
  decodedEnd: 0,
  packedEnd: 0,
});

/** Adds a hit, unless something before it already covers its start. */
export function add(run: Walk, hit: Hit): void {
  if (hit.start < run.lastEnd || hit.end <= hit.start) return;
  run.hits.push(hit);
  run.lastEnd = hit.end;
}

/** Adds a hit whose text is its kind's placeholder. */
export function mask(
  run: Walk,
  start: number,
  end: number,
  kind: Exclude<ReplacementKind, 'root'>,
  known: boolean,
): void {
  add(run, { start, end, text: placeholderOf(kind), kind, known });
}

/** Masks a credential that its shape gave away. */
export function addSecret(
  run: Walk,
  range: { readonly start: number; readonly end: number } | undefined,
): void {
  if (range) guarded('redact.credential', () => mask(run, range.start, range.end, 'credential', false));
}
