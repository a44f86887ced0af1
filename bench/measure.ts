/** One contender: what it does to a fresh input. */
export interface Contender<Input> {
  readonly name: string;
  readonly run: (input: Input) => unknown;
}

export interface Measure<Input> {
  /** The input of the n-th call. Made outside the measured time, and never used twice by one contender. */
  readonly fresh: (n: number) => Input;
  readonly contenders: readonly Contender<Input>[];
  /** Calls of each contender in a round. */
  readonly calls?: number;
  readonly rounds?: number;
}

/**
 * CPU time per call of each contender in microseconds: the best of several interleaved rounds, so that a busy
 * machine disturbs all alike.
 */
export async function measure<Input>({
  fresh,
  contenders,
  calls = 200,
  rounds = 12,
}: Measure<Input>): Promise<ReadonlyMap<string, number>> {
  const best = new Map(contenders.map(({ name }) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round += 1) {
    const inputs = Array.from({ length: calls }, (_, call) => fresh(round * calls + call));
    for (const { name, run } of contenders) {
      globalThis.gc?.();
      const before = process.cpuUsage();
      for (const input of inputs) {
        const result = run(input);
        if (result instanceof Promise) await result;
      }
      const { user, system } = process.cpuUsage(before);
      best.set(name, Math.min(best.get(name) ?? 0, (user + system) / calls));
    }
  }
  return best;
}

/** Prints one row a contender, with its speed as a multiple of the first one's. */
export function print(title: string, times: ReadonlyMap<string, number>): void {
  const [base = 1] = times.values();
  console.log(title);
  for (const [name, time] of times) {
    console.log(
      `  ${name.padEnd(44)} ${time.toFixed(1).padStart(9)} us  ${(base / time).toFixed(2).padStart(6)}x`,
    );
  }
}
