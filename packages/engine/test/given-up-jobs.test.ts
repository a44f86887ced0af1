import type { RunId } from '@cuebook/journal';
import pg from 'pg';
import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as test } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { postgresRuns } from '../src/work/run-queue.js';

describePart('postgres', 'jobs that nobody will try again', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  test('leave the table when somebody begins to take jobs, and each hour; what is held or has tries left stays', async () => {
    const connectionString = await server.createDatabase();
    const problems: unknown[] = [];
    const wakes: (() => void)[] = [];
    const clock = {
      now: Date.now,
      at(_time: number, wake: () => void) {
        wakes.push(wake);
        return () => {};
      },
    };
    const open = () =>
      postgresRuns({
        connectionString,
        schema: 'queue',
        clock,
        onProblem: (error) => problems.push(error),
      });
    const queue = open();
    const runs = ['given-up', 'died-in-it', 'last-try', 'tries-left'];
    for (const run of runs) await queue.add({ kind: 'nobody', run: run as RunId });
    const database = new pg.Pool({ connectionString, max: 1 });
    const change = (run: string, to: string) =>
      database.query(`UPDATE queue._private_jobs SET ${to} WHERE payload->>'run' = $1`, [run]);
    const waiting = async () => {
      const { rows } = await database.query(
        `SELECT payload->>'run' AS run FROM queue._private_jobs ORDER BY run`,
      );
      return rows.map(({ run }) => run);
    };
    await change('given-up', 'attempts = max_attempts');
    await change(
      'died-in-it',
      `attempts = max_attempts, locked_at = now() - interval '5 hours', locked_by = 'x'`,
    );
    await change('last-try', `attempts = max_attempts, locked_at = now(), locked_by = 'y'`);
    await queue.start({ kinds: ['team'], labels: [], parallel: 1, take: async () => {} });
    expect(await waiting()).not.toContain('given-up');
    // What nobody held for hours the library lets go, some time in a runner's first minute.
    await change('died-in-it', 'locked_at = NULL, locked_by = NULL');
    wakes.shift()?.();
    while ((await waiting()).includes('died-in-it'));
    expect(await waiting()).toEqual(['last-try', 'tries-left']);
    expect(wakes).toHaveLength(1);
    await queue.stop();
    await queue.close();
    await database.end();
    expect(problems).toEqual([]);
  });
});
