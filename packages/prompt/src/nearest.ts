import { countEdits } from './tool-slip.js';

/**
 * The candidate that a mistyped name most likely means: few edits, ignoring case, and without its folders where the name
 * has none; undefined when none is near.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().slice(0, MAX_NAME);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const distance = Math.min(
      ...spellings(candidate, wanted.includes('/')).map((each) => countEdits(wanted, each)),
    );
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** A candidate as it may have been meant. */
function spellings(candidate: string, hasFolders: boolean): readonly string[] {
  const last = candidate.slice(candidate.lastIndexOf('/') + 1);
  const all = hasFolders || last === '' || last === candidate ? [candidate] : [candidate, last];
  return all.map((each) => each.toLowerCase().slice(0, MAX_NAME));
}

/** Names longer than this are compared by their beginning. */
const MAX_NAME = 64;
