import { expect, it } from 'vitest';
import { withRoom } from './room.js';

it('runs 32 at once, all in the end, in order, whoever fails', async () => {
  let now = 0;
  let most = 0;
  const started: number[] = [];
  const task = async (index: number): Promise<void> => {
    started.push(index);
    now += 1;
    most = Math.max(most, now);
    for (let tick = 0; tick <= index % 7; tick += 1) await Promise.resolve();
    now -= 1;
    if (index % 5 === 0) throw new Error('failed');
  };
  for (const count of [1, 32, 33, 1000]) {
    started.length = 0;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const results = await Promise.allSettled(numbers.map((index) => withRoom(() => task(index))));
    expect(started).toEqual(numbers);
    expect(results.map(({ status }) => status === 'rejected')).toEqual(
      numbers.map((index) => index % 5 === 0),
    );
  }
  expect(most).toBe(32);
});
