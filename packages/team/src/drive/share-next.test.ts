import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { shareNext } from './share-next.js';

/** What is asked, and when the work that is under way for a key ends, also badly. */
const step = fc.record({ what: fc.constantFrom('ask', 'end', 'fail'), key: fc.constantFrom('a', 'b') });

describe('work that is shared', () => {
  it('begins after each who asked, is never under way twice for a key, and is not done more often than that needs', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const under: Record<string, { end: () => void; fail: () => void } | undefined> = {};
      const begun: Record<string, number> = { a: 0, b: 0 };
      const shared = shareNext((key: string) => {
        expect(under[key]).toBeUndefined();
        begun[key] = (begun[key] ?? 0) + 1;
        return new Promise<void>((resolve, reject) => {
          const over = (settle: () => void) => () => {
            under[key] = undefined;
            settle();
          };
          under[key] = { end: over(resolve), fail: over(() => reject(new Error('no'))) };
        });
      });
      const settled = () => new Promise((resolve) => setImmediate(resolve));
      const asked: { key: string; before: number; at: Promise<number> }[] = [];
      for (const { what, key } of steps) {
        if (what === 'ask') {
          const count = (): number => begun[key] ?? 0;
          asked.push({ key, before: count(), at: shared(key).then(count, count) });
        } else under[key]?.[what === 'end' ? 'end' : 'fail']();
        await settled();
      }
      for (let left = 0; left < 2; left += 1) {
        for (const each of Object.values(under)) each?.end();
        await settled();
      }
      for (const { before, at } of asked) expect(await at).toBeGreaterThan(before);
      for (const key of ['a', 'b']) {
        const befores = new Set(asked.filter((each) => each.key === key).map(({ before }) => before));
        expect(begun[key]).toBe(befores.size);
      }
    });
    await fc.assert(property, runs(300, 3_000));
  });

  it('sixteen who ask at once cost one, and sixteen who ask while it is under way cost one more', async () => {
    let [begun, end] = [0, (): void => undefined];
    const shared = shareNext(async (_key: string) => {
      begun += 1;
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    });
    const sixteen = () => Array.from({ length: 16 }, () => shared('run'));
    const first = sixteen();
    await Promise.resolve();
    await Promise.resolve();
    const second = sixteen();
    end();
    await Promise.all(first);
    expect(begun).toBe(2);
    end();
    await Promise.all(second);
    expect(begun).toBe(2);
  });
});
