/**
 * Runs tasks with the same key one after the other, in the order they were given, within this process.
 * A failed task does not stop those behind it. Holds nothing when idle.
 */
export async function inTurn<Value>(key: string, task: () => Promise<Value>): Promise<Value> {
  const before = turns.get(key);
  const { promise, resolve } = deferred();
  turns.set(key, promise);
  await before;
  try {
    return await task();
  } finally {
    if (turns.get(key) === promise) turns.delete(key);
    resolve();
  }
}

const turns = new Map<string, Promise<void>>();

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
