/** How a property runs: spread it into the second argument of `fc.assert`. */
export interface Runs {
  readonly numRuns: number;
  readonly seed: number;
  readonly path?: string;
}

/**
 * The runs of one property: `inTest` in `npm test`, with a fixed seed so that a failure repeats; `inSoak` in
 * `npm run soak`, with the seed that it printed. A failing property prints its seed and path;
 * `CUEBOOK_SEED=… CUEBOOK_PATH=… npm test -- FILE -t NAME` plays exactly that case again.
 */
export function runs(inTest: number, inSoak: number): Runs {
  const path = process.env.CUEBOOK_PATH;
  return { numRuns: share(inTest, inSoak), seed: SEED, ...(path ? { path } : {}) };
}

/** The same choice for a search that counts its own rounds. */
export const share = (inTest: number, inSoak: number): number =>
  process.env.CUEBOOK_SOAK === '1' ? inSoak : inTest;

/** The seed of this process: `CUEBOOK_SEED`, or the fixed one. */
export const SEED = Number(process.env.CUEBOOK_SEED ?? 20_240_229);
