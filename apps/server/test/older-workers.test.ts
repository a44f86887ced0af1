import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../test/shared-postgres.js';
import { isStill, machine, must, script, until } from './machines.js';

const IDLE = { take: { parallel: 0 } };
const WAITING = ['team:team.yaml', 'workflow:workflows/hb'];

describePart('postgres', 'workers of an older version beside newer ones', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('take nothing up once the tables are newer, say why by name, and lose nothing to who can go on', async () => {
    const databaseUrl = await server.createDatabase();
    /** What a newer process does when it opens the database, and what makes this version one that knows it. */
    const moveLayout = (by: number) =>
      withClient(databaseUrl, async (client) => {
        const { rows } = await client.query(
          "SELECT table_schema AS name FROM information_schema.tables WHERE table_name = 'cuebook_meta'",
        );
        for (const { name } of rows)
          await client.query(`UPDATE "${name}".cuebook_meta SET value = value + ${by} WHERE name = 'schema'`);
        expect(rows).toHaveLength(1);
      });
    const first = machine(databaseUrl);
    const { client, server: up } = await first.up(IDLE);
    const worker = machine(databaseUrl, first.key());
    await worker.work();
    const steps = script({ text: 'One.' }, { text: 'Two.' });
    const runs: string[] = [];
    for (const target of WAITING) {
      const { run } = must(await client.startRun({ id: target, target, input: 'Begin.', script: steps }));
      await until(client, run, (each) => isStill(each) && each.turns === 1);
      runs.push(run);
    }
    // What is under way is ended by who has it.
    const held = async () => must(await client.getWork({})).workers.flatMap((each) => each.runs);
    await expect.poll(held, { interval: 50 }).toEqual([]);
    await moveLayout(1);
    const refused = await client.startRun({ id: 'new', target: 'sheet:once', script: steps });
    expect(refused).toMatchObject({ ok: false, error: { status: 503, code: 'E_JOURNAL_SCHEMA_NEWER' } });
    await expect(machine(databaseUrl, first.key()).work()).rejects.toThrow('E_JOURNAL_SCHEMA_NEWER');
    for (const run of runs) {
      const { waiting } = must(await client.listWaiting({}));
      const wait = waiting.find((each) => each.run === run)?.id ?? '';
      must(await client.answerWait({ run, wait, reply: { texts: ['More.'] } }));
    }
    await expect.poll(() => worker.log.join('\n'), { interval: 50 }).toContain('E_JOURNAL_SCHEMA_NEWER');
    const ready = await fetch(`${up.url}/api/v1/ready`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      expect.stringContaining('E_JOURNAL_SCHEMA_NEWER'),
    ]);
    for (const run of runs) {
      const { events } = must(await client.listEvents({ run, limit: 1_000 }));
      // The next turn is wanted, and nobody has begun it.
      expect(events.at(-1)?.type).toBe('effect.intended');
      const { waits } = must(await client.getReport({ run }));
      expect(waits.map((wait) => wait.for)).toEqual(['left']);
    }
    await moveLayout(-1);
    for (const run of runs) {
      const report = await until(client, run, (each) => isStill(each) && each.turns === 2);
      expect(report.text).toBe('Two.');
    }
  });
});
