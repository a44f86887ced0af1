/**
 * Counts the code points between two offsets of a text. A file may be one line of a megabyte, and its places are asked for
 * in any order: only the pairs of halves are counted, which are found once.
 */
export function codePointCounter(text: string): (from: number, to: number) => number {
  let lows: readonly number[] | undefined;
  return (from, to) => {
    lows ??= [...text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index + 1);
    const pairs = lows.length === 0 ? 0 : countBelow(lows, to) - countBelow(lows, from + 1);
    return to - from - pairs;
  };
}

/** How many numbers of a sorted list are below a value. */
function countBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
