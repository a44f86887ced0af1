import { describe, expect, it } from 'vitest';
import { createWriteQueue, NotCommitted, type Transaction } from './write-queue.js';

/** A database of names: a transaction keeps what its jobs wrote, or nothing. */
function nameDatabase(failCommit = false): { readonly transaction: Transaction; readonly kept: string[][] } {
  const kept: string[][] = [];
  return {
    kept,
    transaction: {
      async run(jobs, steps) {
        const names: string[] = [];
        const values: unknown[] = [];
        try {
          for (const { use } of jobs) {
            const session = {
              rows: async (name: string) => names.splice(names.length, 0, name).map(() => []),
            };
            values.push((await use(session)).value);
          }
          await steps?.before();
        } catch (cause) {
          throw new NotCommitted('', { cause });
        }
        if (failCommit) throw new Error('the commit failed');
        kept.push(names);
        await steps?.after();
        return values;
      },
    },
  };
}

const job =
  (name: string, fails = false) =>
  async (session: { rows(sql: string): Promise<unknown> }) => {
    await session.rows(name);
    if (fails) throw new Error(`${name} failed`);
    return { keep: true, value: name };
  };

describe('the queue of writes', () => {
  it('lets those that wait together share one commit', async () => {
    const { transaction, kept } = nameDatabase();
    const { write } = createWriteQueue(transaction);
    expect(await Promise.all(['a', 'b', 'c'].map((name) => write(job(name))))).toEqual(['a', 'b', 'c']);
    expect(await write(job('d'))).toBe('d');
    expect(kept).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('tries each by itself when one of them fails, and tells only that one', async () => {
    const { transaction, kept } = nameDatabase();
    const { write } = createWriteQueue(transaction);
    const settled = await Promise.allSettled([write(job('a')), write(job('b', true)), write(job('c'))]);
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
      'a',
      'Error: b failed',
      'c',
    ]);
    expect(kept).toEqual([['a'], ['c']]);
  });

  it('does not try again when it is not known whether the commit was done', async () => {
    const { transaction, kept } = nameDatabase(true);
    const { write } = createWriteQueue(transaction);
    const settled = await Promise.allSettled([write(job('a')), write(job('b'))]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(kept).toEqual([]);
  });

  it('leaves one with steps of its own alone, and keeps the order', async () => {
    const { transaction, kept } = nameDatabase();
    const { write, drain } = createWriteQueue(transaction);
    const steps = { before: () => undefined, after: () => undefined };
    void write(job('a'));
    void write(job('b'));
    void write(job('c'), steps);
    void write(job('d'));
    await drain();
    expect(kept).toEqual([['a', 'b'], ['c'], ['d']]);
  });
});
