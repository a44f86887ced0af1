/** How long something took, for who reads what a test prints: nothing is held against it. */
export function timesText(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(0);
  return `median ${at(0.5)} ms, worst ${at(1)} ms of ${times.length}`;
}

/** Answers how long it is since then. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}
