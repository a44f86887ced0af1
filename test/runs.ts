import { describe, it } from 'vitest';
import { FIXED_SEED, spread } from '../scripts/seed.mjs';

/** How a property runs: spread it into the second argument of `fc.assert`. */
export interface Runs {
  readonly numRuns: number;
  readonly seed: number;
  readonly path?: string;
}

/**
 * How much is tried: `commit` is `npm test`; `test` is a run that names what it tests, or `npm test -- --all`; `soak` is
 * `npm run soak`; `whole` is every test with the full counts of a test and the fixed seed, for `npm run mutants`, whose
 * answer must not depend on luck.
 */
type Depth = 'commit' | 'test' | 'whole' | 'soak';

const DEPTH: Depth = depthOf(process.env);

function depthOf({ CUEBOOK_SOAK, CUEBOOK_WHOLE, CUEBOOK_TURNS }: NodeJS.ProcessEnv): Depth {
  if (CUEBOOK_SOAK === '1') return 'soak';
  if (CUEBOOK_WHOLE === '1') return 'whole';
  return CUEBOOK_TURNS === '1' ? 'commit' : 'test';
}

/** The part of a count that is tried, the least, which is small already, and the most, beyond which little more is found. */
const SHARES = { commit: { of: 20, least: 2, most: 250 }, test: { of: 10, least: 4, most: 500 } } as const;

/**
 * The runs of one property. `npm test` makes a twentieth of `inTest`, at most 250, and a run that names its file or folder
 * a tenth, at most 500, with a seed that the commit gives, so that each commit tries other cases and a failure repeats;
 * `npm run soak` makes `inSoak`, with the seed that it printed. A failing property prints its seed and path;
 * `CUEBOOK_SEED=… CUEBOOK_PATH=… npm test -- FILE -t NAME` plays exactly that case again.
 */
export function runs(inTest: number, inSoak: number): Runs {
  const path = process.env.CUEBOOK_PATH;
  return { numRuns: countAt(DEPTH, inTest, inSoak), seed: SEED, ...(path ? { path } : {}) };
}

/** The count of a property at a depth. */
export function countAt(depth: Depth, inTest: number, inSoak: number): number {
  if (depth === 'soak') return inSoak;
  if (depth === 'whole') return inTest;
  const { of, least, most } = SHARES[depth];
  return Math.min(most, Math.max(Math.min(inTest, least), Math.ceil(inTest / of)));
}

/** The choice for a search that counts its own rounds; `inTest` is not divided. */
export const share = (inTest: number, inSoak: number): number => (DEPTH === 'soak' ? inSoak : inTest);

/**
 * The rounds of a simulation whose worlds are always the same ones: more of them make its limits narrow. `npm test`
 * makes `quick` of them, and `full` in its turn, by its name; a run that names what it tests makes `full`.
 */
export const roundsOf = (
  name: string,
  { quick, full, inSoak }: { readonly quick: number; readonly full: number; readonly inSoak: number },
): number => {
  if (DEPTH === 'soak') return inSoak;
  return DEPTH !== 'whole' && hasTurn(name) ? full : quick;
};

/**
 * The items that are tried: all in a soak, else `inTest` of them, spread over the list from a place that the seed
 * chooses, so that with the commits each gets its turn.
 */
export const sampled = <Item>(items: readonly Item[], inTest: number): readonly Item[] =>
  DEPTH === 'soak' ? items : spread(items, inTest, SEED);

/** The seed of this process: `CUEBOOK_SEED`, which the configuration takes from the commit, or the fixed one. */
export const SEED = DEPTH === 'whole' ? FIXED_SEED : Number(process.env.CUEBOOK_SEED ?? FIXED_SEED);

const isDeep = DEPTH === 'soak' || DEPTH === 'whole';
const nothing = Object.assign(() => undefined, { each: () => () => undefined });

/**
 * A test that takes too long for people: `npm test` does not have it, `npm run soak` does, and the slice of the soak
 * that each change must pass reaches it in turn. It keeps no promise alone that a test of `npm test` could keep.
 */
export const itInSoak = (isDeep ? it : nothing) as typeof it;

/** In one of how many commits a scenario that takes long has its turn. */
export const TURNS = 16;
const takesTurns = DEPTH === 'commit';

/**
 * A scenario that takes long. `npm test` has a sixteenth of them, by their titles and the commit, and of a table a
 * sixteenth of its rows, so that within a few commits each has its turn; of a table with fewer rows than turns some
 * commits have none. A run that names what it tests (`npm test -- PATH`), a soak and a run of mutants have all.
 */
export const itInTurn: InTurn = Object.assign(
  (title: string, body: () => unknown, timeout?: number) => {
    if (hasTurn(title)) it(title, body, timeout);
  },
  { each: eachInTurn as unknown as typeof it.each },
);

type InTurn = ((title: string, body: () => unknown, timeout?: number) => void) & Pick<typeof it, 'each'>;

function eachInTurn(rows: readonly unknown[]) {
  return (title: string, body: (...row: never[]) => unknown): void =>
    it.each(rows.filter((_, index) => hasTurn(title, index)))(title, body as () => void);
}

/**
 * Those of several cases that have their turn: a sixteenth, or what `turns` says, and at least one. For the rows of a
 * large table: `it.each(inTurn(ROWS))` has one of them in every run.
 */
export function inTurn<Item>(cases: readonly Item[], turns: number = TURNS): readonly Item[] {
  return takesTurns ? spread(cases, Math.ceil(cases.length / turns), SEED) : cases;
}

const hasTurn = (title: string, row = 0): boolean => !takesTurns || isTurnOf(title, SEED, row);

/**
 * Whether a scenario of this title, or a row of its table, has its turn with a seed: with one of any sixteen that follow
 * each other, and rows that follow each other one after the other.
 */
export function isTurnOf(title: string, seed: number, row = 0): boolean {
  const sum = [...title].reduce((before, char) => (before * 31 + (char.codePointAt(0) ?? 0)) % 65_521, 0);
  return (sum + row + seed) % TURNS === 0;
}

/** A suite whose tests share what takes long, and have their turn together, by its title. */
export const describeInTurn = (title: string, body: () => void): void => {
  if (hasTurn(title)) describe(title, body);
};

/** A suite of tests that `npm test` does not have. */
export const describeInSoak = (isDeep ? describe : nothing) as typeof describe;
