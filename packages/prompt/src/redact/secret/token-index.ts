import { isAlnum } from '../chars.js';
import { FAMILIES } from './families.js';
import { type Family, patternOf, type TokenPart, tailOf } from './family.js';
import { kindsOf } from './run-kinds.js';

/** A family with what it is found by. */
export interface FamilyEntry {
  readonly family: Family;
  /** The fixed characters that it is found by, or none. */
  readonly needle: string;
  /** How far before the needle the token may start, and the alphabet of what stands there. */
  readonly lead: { readonly min: number; readonly max: number; readonly alphabet: RegExp } | undefined;
  /** The kinds of characters that it may have (see `kindsIn`). */
  readonly kinds: number;
  /** The pattern, anchored where the token starts. */
  pattern(): RegExp;
  /** What goes on with it. */
  tail(): RegExp;
}

const ENTRIES: readonly FamilyEntry[] = FAMILIES.map(entryOf);

function entryOf(family: Family): FamilyEntry {
  const at = needleAt(family.parts);
  const part = family.parts[at];
  let made: RegExp | undefined;
  let tail: RegExp | undefined;
  return {
    family,
    needle: part?.kind === 'fixed' ? part.text : '',
    lead: at > 0 ? leadOf(family.parts.slice(0, at)) : undefined,
    kinds: kindsOf(family.parts),
    pattern: () => {
      made ??= patternOf(family);
      return made;
    },
    tail: () => {
      tail ??= tailOf(family);
      return tail;
    },
  };
}

/** The first part when it is fixed, else the longest fixed part of two characters or more; -1 when there is none. */
function needleAt(parts: readonly TokenPart[]): number {
  let best = -1;
  let length = 1;
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'fixed' || part.text.length <= length || /^=+$/.test(part.text)) continue;
    if (index === 0) return 0;
    best = index;
    length = part.text.length;
  }
  return best;
}

function leadOf(parts: readonly TokenPart[]): NonNullable<FamilyEntry['lead']> {
  const alphabets = parts.map((part) =>
    part.kind === 'fixed' ? part.text.replace(/[\]\\^-]/g, '\\$&') : part.alphabet,
  );
  return { ...sizeOf(parts), alphabet: new RegExp(`[${alphabets.join('')}]`) };
}

/** The least and the greatest length. */
function sizeOf(parts: readonly TokenPart[]): { readonly min: number; readonly max: number } {
  let min = 0;
  let max = 0;
  for (const part of parts) {
    min += part.kind === 'fixed' ? part.text.length : part.min;
    max += part.kind === 'fixed' ? part.text.length : part.max;
  }
  return { min, max };
}

const NEEDLED = ENTRIES.filter(({ needle }) => needle !== '');
const GROUPS: FamilyEntry[][] = [[]];

/** By the first two characters of the needle: the group of entries, or 0. */
const PAIRS = new Uint16Array(128 * 128);
for (const entry of NEEDLED) {
  const pair = entry.needle.charCodeAt(0) * 128 + entry.needle.charCodeAt(1);
  if (PAIRS[pair] === 0) PAIRS[pair] = GROUPS.push([]) - 1;
  GROUPS[PAIRS[pair]!]!.push(entry);
}

/** `sk-ant-api03-`: no word ends in it by chance, so what stands glued to its left says nothing. */
export function isLongNeedle(needle: string): boolean {
  return needle.length >= 7 && /[-_].*[-_]/.test(needle);
}

/** By the same, where the needle of a family may start: 0 nowhere, 1 where a word starts, 2 anywhere. */
export const NEEDLES = new Uint8Array(128 * 128);
for (const { family, lead, needle } of NEEDLED) {
  const pair = needle.charCodeAt(0) * 128 + needle.charCodeAt(1);
  const isAnywhere =
    lead !== undefined || family.check !== undefined || isLongNeedle(needle) || !/^\w/.test(needle);
  NEEDLES[pair] = Math.max(NEEDLES[pair]!, isAnywhere ? 2 : 1);
}

const NOBODY: readonly FamilyEntry[] = [];

/** The next place in `[from, end)` where a needle may start, or `end`. */
export function nextNeedle(text: string, from: number, end: number): number {
  let code = text.charCodeAt(from);
  for (let at = from; at < end; at += 1) {
    const next = text.charCodeAt(at + 1);
    const pair = code < 128 && next < 128 ? (code << 7) | next : 0;
    const mark = NEEDLES[pair]!;
    if (mark !== 0 && (mark === 2 || isWordStart(text, at))) return at;
    code = next;
  }
  return end;
}

/** No letter stands before, or one that ends an escape. */
const isWordStart = (text: string, at: number): boolean =>
  !isAlnum(text.charCodeAt(at - 1)) || text.charCodeAt(at - 2) === 92;

/** The families whose needle starts with these two characters. */
export const entriesOf = (first: number, second: number): readonly FamilyEntry[] =>
  GROUPS[PAIRS[(first << 7) | second]!]!;

/** The families whose needle may start at `at`, a place that `nextNeedle` gave. */
export const entriesAt = (text: string, at: number): readonly FamilyEntry[] =>
  entriesOf(text.charCodeAt(at), text.charCodeAt(at + 1));

/** What follows the first stretch of a family without needle: `.` or `:`, or nothing. */
const delimiterOf = ({ family }: FamilyEntry): string =>
  family.parts.flatMap((part) =>
    part.kind === 'fixed' && /^[.:=]/.test(part.text) ? [part.text.charAt(0)] : [],
  )[0] ?? '';

/** Families that are a whole run of token characters, by the length of the run. */
const BY_LENGTH: FamilyEntry[][] = Array.from({ length: 256 }, () => []);
const BY_DELIMITER: Readonly<Record<number, FamilyEntry[]>> = { 46: [], 58: [], 61: [] };
for (const entry of ENTRIES) {
  if (entry.needle !== '') continue;
  const delimiter = delimiterOf(entry);
  const { min, max } = sizeOf(entry.family.parts);
  if (delimiter !== '') BY_DELIMITER[delimiter.charCodeAt(0)]?.push(entry);
  else for (let length = min; length <= max; length += 1) BY_LENGTH[length]?.push(entry);
}

/** The families without needle that a run of this length may be, and that one followed by this character may begin. */
export const entriesOfLength = (length: number): readonly FamilyEntry[] => BY_LENGTH[length] ?? NOBODY;
export const entriesBefore = (next: number): readonly FamilyEntry[] => BY_DELIMITER[next] ?? NOBODY;
