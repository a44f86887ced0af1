/**
 * Runs at most 32 tasks of this process at once, the others in order after them. An operation holds up to
 * four descriptors, and some systems give a process only 256: callers may start any number of operations.
 */
export async function withRoom<Value>(task: () => Promise<Value>): Promise<Value> {
  if (running >= ROOM) await new Promise<void>((admit) => waiting.add(admit));
  else running += 1;
  try {
    return await task();
  } finally {
    // A waiting task takes over this place, so the count stays as it is.
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else {
      waiting.delete(next);
      next();
    }
  }
}

const ROOM = 32;
let running = 0;
/** In order of arrival. A set gives up its first member in constant time; shifting a long array does not. */
const waiting = new Set<() => void>();
