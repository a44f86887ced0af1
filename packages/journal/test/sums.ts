import type { RollingOptions } from '../src/register/rolling.js';

/** How long a volume is in these tests. */
export const VOLUME = 5;

/** The sum of all numbers, and how many there were. */
export const SUMS: RollingOptions<{ readonly sum: number; readonly count: number }> = {
  every: VOLUME,
  initial: { sum: 0, count: 0 },
  project: ({ sum, count }, { type, data }) => {
    if (type !== 'number.added') return { sum, count };
    const number = typeof data === 'number' ? data : Number((data as { readonly number: number }).number);
    return { sum: sum + number, count: count + 1 };
  },
  fold: {
    write: ({ sum, count }) => [sum, count],
    read(data) {
      const [sum = 0, count = 0] = data as readonly number[];
      return { sum, count };
    },
  },
};
