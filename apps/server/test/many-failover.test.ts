import { expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { startPostgres } from '../../../test/postgres.js';
import { itInSoak } from '../../../test/runs.js';
import { slowLine } from '../../../test/slow-line.js';
import { isStill, machine, must, problemsOf, script, until } from './machines.js';

describePart('postgres', 'a database that is replaced by the server that follows it', () => {
  itInSoak(
    'with every slot busy: all goes on by itself, each turn is taken once, and nothing is lost',
    async () => {
      const primary = await startPostgres();
      onTestFinished(() => primary.stop());
      const databaseUrl = await primary.createDatabase();
      const follower = await primary.follow();
      onTestFinished(() => follower.stop());
      const line = await slowLine(databaseUrl);
      onTestFinished(() => line.close());
      const first = machine(line.url);
      const { client } = await first.up({ take: { parallel: 0 } });
      await machine(line.url, first.key()).work({ take: { parallel: 3 } });
      await machine(line.url, first.key()).work({ take: { parallel: 3 } });
      const steps = script({ text: 'One.', delayMs: 4_000 }, { text: 'Two.' });
      const runs: string[] = [];
      for (let index = 0; index < 10; index += 1) {
        const id = `run-${index}`;
        runs.push(must(await client.startRun({ id, target: 'agent:desk', input: 'Go.', script: steps })).run);
      }
      line.sever();
      await follower.promote();
      while ((await client.ready()).ok);
      line.lead(follower.url.replace(/\/postgres$/, new URL(databaseUrl).pathname));
      line.fix();
      while (!(await client.ready()).ok);
      for (const run of runs) {
        expect(await until(client, run, isStill)).toMatchObject({ text: 'One.', turns: 1 });
        const { events } = must(await client.listEvents({ run, limit: 1_000 }));
        const types = events.map(({ type }) => type);
        expect(types.filter((type) => type === 'turn.recorded').length).toBe(1);
        expect(types).not.toContain('effect.asked');
        expect(await problemsOf(client, run)).toEqual([]);
      }
    },
  );
});
