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
      ...spellings(candidate, wanted.includes('/')).map((each) => edits(wanted, each)),
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

/** Insertions, deletions, substitutions and swaps of neighbours between two strings. */
function edits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
