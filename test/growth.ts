/**
 * How many times the CPU time of `run(size)` that of `run(2 * size)` is: the least of several tries, because a busy
 * machine only ever adds. Stops as soon as a try is within `enough`.
 */
export function growth(run: (size: number) => unknown, size: number, enough = 2.5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > enough; attempt += 1) {
    const single = cost(() => run(size));
    least = Math.min(least, cost(() => run(2 * size)) / single);
  }
  return least;
}

/** The same for what takes its time in pieces. */
export async function growthOf(
  run: (size: number) => Promise<unknown>,
  size: number,
  enough = 2.5,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > enough; attempt += 1) {
    const single = await costOf(() => run(size));
    least = Math.min(least, (await costOf(() => run(2 * size))) / single);
  }
  return least;
}

const TRIES = 6;
const ROUNDS = 3;
/** Microseconds that the clock cannot tell from none. */
const GRAIN = 500;

/** Microseconds of CPU, the best of three; never less than the clock's grain. */
function cost(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const spent = stopwatch();
    run();
    least = Math.min(least, spent());
  }
  return Math.max(least, GRAIN);
}

async function costOf(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const spent = stopwatch();
    await run();
    least = Math.min(least, spent());
  }
  return Math.max(least, GRAIN);
}

function stopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}
