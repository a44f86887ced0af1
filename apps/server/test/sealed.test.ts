import { beforeAll, expect } from 'vitest';
import { desk, tool } from '../../../packages/thread/test/project.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../test/shared-postgres.js';
import { machine, must, script, until } from './machines.js';

const SECRET = 'tok-7f3Kq9-zebra';
/** Tells a model whether it has its secret. */
const LOOK = tool(
  "return { status: 'success', result: state.env('TOKEN') === undefined ? 'MISSING' : 'has it' };",
  "args: z.object({}), variables: [{ name: 'TOKEN', type: 'secret', required: false, description: 'The key' }],",
);
const FILES = Object.fromEntries(
  Object.entries(desk("tools: ['look'],", { 'tools/look.ts': LOOK })).map(([path, text]) => [
    `agents/${path}`,
    text,
  ]),
);
const look = { toolCalls: [{ name: 'look', args: {} }] };

describePart('postgres', 'secrets of a run that a machine cannot open', () => {
  let postgres: Databases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  /** The key of secrets as the machines of the project share it, taken away and put back. */
  const keyOfSecrets = async (databaseUrl: string) =>
    withClient(databaseUrl, async (client) => {
      const { rows } = await client.query(
        "SELECT table_schema AS name FROM information_schema.tables WHERE table_name = 'cuebook_files'",
      );
      const table = `"${(rows[0] as { name: string }).name}".cuebook_files`;
      const where = "path = 'keys/threads.key'";
      return {
        async lose() {
          await withClient(databaseUrl, (other) =>
            other.query(`CREATE TABLE aside AS SELECT * FROM ${table} WHERE ${where}`),
          );
          await withClient(databaseUrl, (other) => other.query(`DELETE FROM ${table} WHERE ${where}`));
        },
        async bringBack() {
          await withClient(databaseUrl, (other) => other.query(`DELETE FROM ${table} WHERE ${where}`));
          await withClient(databaseUrl, (other) => other.query(`INSERT INTO ${table} SELECT * FROM aside`));
        },
      };
    });

  it('leave the run to others and say why; no model is told that a variable is missing, and it goes on where the key is', async () => {
    const first = machine(await postgres.createDatabase(), undefined, FILES);
    // It begins what others do.
    const { client } = await first.up({ take: { parallel: 0 } });
    const { run } = must(
      await client.startRun({
        ...{ id: 'sealed', target: 'agent:desk', input: 'Begin.' },
        ...{ script: script(look, { text: 'One.' }), options: { env: { TOKEN: SECRET } } },
      }),
    );
    const key = await keyOfSecrets(first.databaseUrl);
    await key.lose();
    const second = machine(first.databaseUrl, first.key(), FILES);
    await second.work();
    let reason = '';
    while (!reason.includes('sealed'))
      reason = must(await client.getReport({ run })).waits.find((each) => each.for === 'left')?.reason ?? '';
    expect(reason).toContain('E_SECRET_SEAL');
    expect(await client.say({ id: 'more', run, text: 'More.' })).toMatchObject({
      error: { code: 'E_SECRET_SEAL', status: 503 },
    });
    const { events } = must(await client.listEvents({ run, limit: 1_000 }));
    expect(events.map(({ type }) => type)).not.toContain('turn.recorded');
    expect(JSON.stringify([events, first.log, second.log])).not.toContain(SECRET);

    await key.bringBack();
    const { detail } = await until(client, run, ({ status }) => status === 'done');
    expect(JSON.stringify(detail)).toContain('has it');
    expect(JSON.stringify(detail)).not.toContain('MISSING');
  });
});
