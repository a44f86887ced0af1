/**
 * Work about a key that each caller wants to begin after they asked, and does not mind sharing: who asks while it is under
 * way shares the next one with all others who do. It is never under way twice for one key.
 */
export function shareNext<Key>(work: (key: Key) => Promise<void>): (key: Key) => Promise<void> {
  const waiting = new Map<Key, Promise<void>>();
  const last = new Map<Key, Promise<void>>();
  return (key) => {
    const joined = waiting.get(key);
    if (joined !== undefined) return joined;
    const begin = (): Promise<void> => {
      waiting.delete(key);
      return work(key);
    };
    const mine = (last.get(key) ?? Promise.resolve()).then(begin, begin);
    waiting.set(key, mine);
    last.set(key, mine);
    const forget = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
