/** Runs what is asked for one key in turn, and different keys side by side. Nothing is kept for an idle key. */
export function inTurn<Key>(): <Value>(key: Key, act: () => Promise<Value>) => Promise<Value> {
  const last = new Map<Key, Promise<unknown>>();
  return (key, act) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(act, act);
    last.set(key, mine);
    const forget = () => {
      if (last.get(key) === mine) last.delete(key);
    };
    mine.then(forget, forget);
    return mine;
  };
}
