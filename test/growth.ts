/**
 * How many times the CPU time of `run(size)` that of `run(2 * size)` is: the least of several tries, because a busy
 * machine only ever adds. Stops as soon as a try is within `enough`.
 */
export function growth(run: (size: number) => unknown, size: number, enough = 2.5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && least > enough; attempt += 1) {
    const single = cost(() => run(size));
    least = Math.min(least, cost(() => run(2 * size)) / single);
  }
  return least;
}

/** Microseconds of CPU, the best of three; never less than the clock's grain. */
function cost(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return Math.max(least, 500);
}
