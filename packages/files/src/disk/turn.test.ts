import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { inTurn } from './turn.js';

it('tasks of one key never overlap and keep their order, whoever fails', async () => {
  const task = fc.record({ key: fc.constantFrom('a', 'b'), fails: fc.boolean(), ticks: fc.nat({ max: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 20 }), async (tasks) => {
      const running = new Map<string, number>();
      const ended: number[] = [];
      const run = ({ key, fails, ticks }: (typeof tasks)[number], index: number): Promise<void> =>
        inTurn(key, async () => {
          expect(running.get(key)).toBeUndefined();
          running.set(key, index);
          for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
          running.delete(key);
          ended.push(index);
          if (fails) throw new Error('failed');
        });
      const results = await Promise.allSettled(tasks.map(run));
      expect(results.map(({ status }) => status === 'rejected')).toEqual(tasks.map(({ fails }) => fails));
      for (const key of ['a', 'b']) {
        const order = ended.filter((index) => tasks[index]?.key === key);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }),
    runs(1_000, 10_000),
  );
});
