/**
 * Holm's correction: which of several chances are small enough that one false alarm among all of them has a chance of at
 * most `alpha`. Answers in the order of the chances.
 */
export function holm(chances: readonly number[], alpha = 0.05): readonly boolean[] {
  const found = chances.map(() => false);
  const order = ranked(chances);
  for (const [rank, at] of order.entries()) {
    if (!((chances[at] as number) <= alpha / (order.length - rank))) break;
    found[at] = true;
  }
  return found;
}

/** Benjamini and Hochberg's correction: at most a share of `rate` of those that are found are false alarms. */
export function falseDiscovery(chances: readonly number[], rate = 0.1): readonly boolean[] {
  const order = ranked(chances);
  let last = -1;
  for (const [rank, at] of order.entries())
    if ((chances[at] as number) <= (rate * (rank + 1)) / order.length) last = rank;
  const found = chances.map(() => false);
  for (const at of order.slice(0, last + 1)) found[at] = true;
  return found;
}

const ranked = (chances: readonly number[]): readonly number[] =>
  chances.map((_, at) => at).sort((a, b) => (chances[a] as number) - (chances[b] as number) || a - b);
