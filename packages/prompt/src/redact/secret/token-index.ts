import { FAMILIES } from './families.js';
import { type Family, type Part, patternOf, tailOf } from './family.js';

/** A family with what it is found by. */
export interface Entry {
  readonly family: Family;
  /** The fixed characters that it is found by, or none. */
  readonly needle: string;
  /** How far before the needle the token may start, and the alphabet of what stands there. */
  readonly lead: { readonly min: number; readonly max: number; readonly alphabet: RegExp } | undefined;
  /** The pattern, anchored where the token starts. */
  pattern(): RegExp;
  /** What goes on with it. */
  tail(): RegExp;
}

const ENTRIES: readonly Entry[] = FAMILIES.map(entryOf);

function entryOf(family: Family): Entry {
  const at = needleAt(family.parts);
  const part = family.parts[at];
  let made: RegExp | undefined;
  let tail: RegExp | undefined;
  return {
    family,
    needle: part?.kind === 'fixed' ? part.text : '',
    lead: at > 0 ? leadOf(family.parts.slice(0, at)) : undefined,
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
function needleAt(parts: readonly Part[]): number {
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

function leadOf(parts: readonly Part[]): NonNullable<Entry['lead']> {
  const sizes = parts.map((part) => (part.kind === 'fixed' ? { min: part.text.length, max: part.text.length } : part));
  const alphabets = parts.map((part) => (part.kind === 'fixed' ? part.text.replace(/[\]\\^-]/g, '\\$&') : part.alphabet));
  return {
    min: sizes.reduce((sum, { min }) => sum + min, 0),
    max: sizes.reduce((sum, { max }) => sum + max, 0),
    alphabet: new RegExp(`[${alphabets.join('')}]`),
  };
}

const NEEDLED = ENTRIES.filter(({ needle }) => needle !== '');
const GROUPS: Entry[][] = [[]];

/** By the first two characters of the needle: the group of entries, or 0. */
const PAIRS = new Uint16Array(128 * 128);
for (const entry of NEEDLED) {
  const pair = entry.needle.charCodeAt(0) * 128 + entry.needle.charCodeAt(1);
  if (PAIRS[pair] === 0) PAIRS[pair] = GROUPS.push([]) - 1;
  GROUPS[PAIRS[pair]!]!.push(entry);
}

const NOBODY: readonly Entry[] = [];

/** The families whose needle may start with these two characters. */
export const entriesAt = (first: number, second: number): readonly Entry[] =>
  first < 128 && second < 128 ? GROUPS[PAIRS[first * 128 + second]!]! : NOBODY;

/** What follows the first stretch of a family without needle: `.` or `:`, or nothing. */
const delimiterOf = ({ family }: Entry): string =>
  family.parts.flatMap((part) => (part.kind === 'fixed' && /^[.:=]/.test(part.text) ? [part.text.charAt(0)] : []))[0] ?? '';

const BARE = ENTRIES.filter(({ needle }) => needle === '');

/** Families that are a whole run of token characters, by the length of the run. */
const BY_LENGTH: readonly (readonly Entry[])[] = Array.from({ length: 200 }, (_, length) =>
  BARE.filter((entry) => delimiterOf(entry) === '' && isLength(entry, length)),
);

function isLength({ family }: Entry, length: number): boolean {
  const { min, max } = leadOf(family.parts);
  return length >= min && length <= max;
}

const BY_DELIMITER: Readonly<Record<number, readonly Entry[]>> = Object.fromEntries(
  ['.', ':', '='].map((char) => [char.charCodeAt(0), BARE.filter((entry) => delimiterOf(entry) === char)]),
);

/** The families without needle that a run of this length, followed by this character, may be or begin. */
export function entriesOfRun(length: number, next: number): readonly (readonly Entry[])[] {
  return [BY_LENGTH[length] ?? NOBODY, BY_DELIMITER[next] ?? NOBODY];
}
