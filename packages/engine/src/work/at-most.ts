/** Runs what it is given, so many at a time; the rest waits in the order it came. */
export function atMost(limit: number): <Value>(act: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (act) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await act();
    } finally {
      // The place goes to the next one, or becomes free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
