import { beforeAll, expect } from 'vitest';
import { desk, tool } from '../../../packages/thread/test/project.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { isStill, machine, must, problemsOf, script, until } from './machines.js';

/** A version of the project: its agent has a tool that answers with the name of the version. */
const version = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(
      desk("tools: ['tell'],", {
        'tools/tell.ts': tool(`return { status: 'success', result: 'I am ${name}' };`),
      }),
    ).map(([path, text]) => [`agents/${path}`, text]),
  );

describePart('postgres', 'machines with other versions of a project', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('a worker does each run with the definitions and the code that it began with, side by side, whatever its own clone has', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl, undefined, version('old'));
    const { client: old } = await first.up({ take: { parallel: 0 } });
    const second = machine(databaseUrl, first.key(), version('new'));
    const { client: young } = await second.up({ take: { parallel: 0 } });
    await machine(databaseUrl, first.key(), version('another')).work();
    const steps = script({ toolCalls: [{ name: 'tell', args: {} }] }, { text: 'Told.' });
    for (const [client, name] of [
      [old, 'old'],
      [young, 'new'],
    ] as const) {
      const { run } = must(
        await client.startRun({ id: name, target: 'agent:desk', input: 'Go.', script: steps }),
      );
      expect(await until(client, run, isStill)).toMatchObject({ text: 'Told.', turns: 2 });
      const { events } = must(await client.listEvents({ run, limit: 1_000 }));
      const told = [...JSON.stringify(events).matchAll(/I am (\w+)/g)].map(([, each]) => each);
      expect([...new Set(told)].filter((each) => each !== 'clerk')).toEqual([name]);
      expect(Object.keys(Object(Object(events[0]?.data).sources.files)).length).toBeGreaterThan(3);
      expect(await problemsOf(client, run)).toEqual([]);
    }
  });
});
