/** The name that a mistyped one most likely means, ignoring case and `-_.`; undefined when none is near. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const plain = fold(wanted);
  const limit = Math.max(1, Math.floor(plain.length / 3));
  const near = names
    .map((name) => ({ name, distance: edits(plain, fold(name)) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name;
}

/** Names longer than this are compared by their beginning. */
const MAX_NAME = 64;

const fold = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[-_.\s]/g, '');

/** Insertions, deletions, substitutions and swaps of neighbours between two strings. */
function edits(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : kept;
      next.push(Math.min(kept, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
