import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, share } from '../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../test/shared-postgres.js';
import { isStill, machine, must, script, until } from './machines.js';

/** Those of one process at most, as the manual says. */
const CONNECTIONS = 15;

describePart('postgres', 'the machines of a project', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await sharedPostgres();
  });

  it('every server lists who is up and what each has, and what nobody has taken; a worker is drained from any of them', async () => {
    const first = machine(await databases.createDatabase());
    const { client } = await first.up({ take: { parallel: 0 }, version: '1.2.3' });
    const { client: other } = await machine(first.databaseUrl, first.key()).up({ take: { parallel: 0 } });
    const second = machine(first.databaseUrl, first.key());
    const worker = await second.work({ take: { parallel: 3, labels: ['gpu'] } });
    const slow = script({ text: 'One.', delayMs: 1_500 }, { text: 'Two.' });
    const begin = async (id: string, label?: string) => {
      const call = { id, target: 'agent:desk', input: 'Go.', script: slow, ...(label && { label }) };
      return must(await client.startRun(call)).run;
    };
    const run = await begin('a', 'gpu');
    await begin('b', 'eu');
    for await (const heard of client.follow({ run }))
      if (heard.type === 'event' && heard.event.type === 'turn.recorded') break;
    for (const asked of [client, other]) {
      let work = must(await asked.getWork());
      // What a worker has it says every few seconds.
      while (
        !work.workers.some(({ runs }) => runs.includes(run)) &&
        !isStill(must(await asked.getReport({ run })))
      )
        work = must(await asked.getWork());
      expect(work.isShared).toBe(true);
      expect(work.queued).toMatchObject([{ kind: 'thread', label: 'eu', count: 1 }]);
      const rows = work.workers.map(({ role, slots, labels, isAsked }) => ({ role, slots, labels, isAsked }));
      expect(rows).toEqual([
        { role: 'server', slots: 0, labels: [], isAsked: asked === client },
        { role: 'server', slots: 0, labels: [], isAsked: asked === other },
        { role: 'worker', slots: 3, labels: ['gpu'], isAsked: false },
      ]);
      expect(new Set(work.workers.map((each) => each.machine)).size).toBe(3);
      expect(work.workers.map(({ version }) => version)).toEqual(['1.2.3', 'unknown', 'unknown']);
    }
    const [server] = must(await other.getWork()).workers;
    expect(await other.drainWorker({ worker: server?.id ?? '' })).toMatchObject({
      error: { status: 409, code: 'E_WORKER_SERVER' },
    });
    expect(await other.drainWorker({ worker: 'worker-0000000000' })).toMatchObject({
      error: { status: 404, code: 'E_WORKER_UNKNOWN' },
    });
    must(await other.drainWorker({ worker: worker.worker }));
    await worker.asked;
    await worker.drain();
    expect(must(await client.getWork()).workers.map(({ role }) => role)).toEqual(['server', 'server']);
    expect(await until(client, run, isStill)).toMatchObject({ text: 'One.', turns: 1 });
  });

  it('a process has a few connections to the database, however many runs it has at a time', async () => {
    const first = machine(await databases.createDatabase());
    const { client } = await first.up({ take: { parallel: 0 } });
    await machine(first.databaseUrl, first.key()).work({ take: { parallel: 200 } });
    const steps = script({ text: 'One.', delayMs: 1_000 });
    const begun = Array.from({ length: share(20, 100) }, (_, index) =>
      client.startRun({ id: `run-${index}`, target: 'sheet:once', script: steps }),
    );
    const runs = (await Promise.all(begun)).map((answer) => must(answer).run);
    for (const run of runs) await until(client, run, isStill);
    // Those that were opened are kept open for a while.
    const [row] = await withClient(first.databaseUrl, async (asking) => {
      const sql = `SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      return (await asking.query<{ readonly open: number }>(sql)).rows;
    });
    expect(row?.open).toBeLessThanOrEqual(2 * CONNECTIONS);
  });
});
