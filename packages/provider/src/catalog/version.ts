/** The first version in what a program printed; undefined when there is none. */
export const findVersion = (text: string): string | undefined =>
  /(?<![\d.])(\d{1,6}\.\d{1,6}\.\d{1,6})(?!\d)/.exec(text)?.[1];

/** Whether a version is in `[from, before)`. */
export const isWithin = (version: string, [from, before]: readonly [string, string]): boolean =>
  compare(version, from) >= 0 && compare(version, before) < 0;

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
