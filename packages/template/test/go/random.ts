/** A source of choices that gives the same choices for the same seed on every machine. */
export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  /** True `times` out of a hundred. */
  percent(times: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Several distinct items, in their order. */
  some<Item>(items: readonly Item[], count: number): Item[];
}

/** The choices of one numbered case of a run: any case can be made again without those before it. */
export function randomOf(seed: number, index: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    percent: (times) => below(100) < times,
    pick: (items) => {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
    some: (items, count) => {
      const left = [...items.keys()];
      while (left.length > count) left.splice(below(left.length), 1);
      return left.map((at) => items[at] as (typeof items)[number]);
    },
  };
}
