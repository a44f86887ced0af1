import type { RunId } from '@cuebook/journal';
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { SEED, itInTurn as test } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { postgresRuns } from '../src/work/run-queue.js';

describePart('postgres', 'a queue of runs during an update', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  test('jobs of kinds that only a newer version knows stay in the queue, are counted by name, and are taken by who knows them', async () => {
    const connectionString = await server.createDatabase();
    const problems: unknown[] = [];
    const open = () =>
      postgresRuns({ connectionString, schema: 'queue', onProblem: (error) => problems.push(error) });
    const [names = []] = fc.sample(
      fc.uniqueArray(
        fc.stringMatching(/^[a-z][a-z-]{0,12}$/).filter((name) => name !== 'team'),
        { minLength: 5, maxLength: 5 },
      ),
      { numRuns: 1, seed: SEED },
    );
    const [older, newer] = [open(), open()];
    const taken: string[] = [];
    const all: string[] = [];
    const ended = new Map<string, () => void>();
    const wait = (name: string) => new Promise<void>((resolve) => ended.set(name, resolve));
    const take = (by: string) => async (task: { readonly kind: string; readonly run: string }) => {
      taken.push(`${by} ${task.kind}`);
      ended.get(task.kind)?.();
    };
    for (const kind of names) {
      all.push(kind);
      await newer.add({ kind, run: `run_${kind.replaceAll('-', '0')}` as RunId });
    }
    const known = wait('team');
    await older.start({ kinds: ['team'], labels: [], parallel: 4, take: take('older') });
    await older.add({ kind: 'team', run: 'run_team' as RunId });
    await known;
    expect(taken).toEqual(['older team']);
    expect((await older.depth()).map(({ kind }) => kind).sort()).toEqual([...all].sort());
    const rest = all.map(wait);
    await newer.start({ kinds: all, labels: [], parallel: 4, take: take('newer') });
    await Promise.all(rest);
    expect(taken.filter((each) => each.startsWith('newer')).sort()).toEqual(
      all.map((kind) => `newer ${kind}`).sort(),
    );
    for (const queue of [older, newer]) {
      await queue.stop();
      await queue.close();
    }
    expect(problems).toEqual([]);
  });
});
