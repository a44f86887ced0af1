import { rmSync } from 'node:fs';
import { createClient } from '@cuebook/api';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../test/shared-postgres.js';
import { slowLine } from '../../../test/slow-line.js';
import { startServer } from '../src/start/start-server.js';
import { makeProject, startOptions } from './server-stand.js';

describePart('postgres', 'the health of a server', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('names the database that is away or says nothing, and is well again by itself', async () => {
    const line = await slowLine(await server.createDatabase());
    const { root } = makeProject();
    const options = startOptions(root);
    const started = await startServer({
      ...options,
      env: { ...options.env, CUEBOOK_DATABASE_URL: line.url },
    });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    onTestFinished(async () => {
      await started.value.close();
      await line.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    });
    const { url, token } = started.value;
    const nobody = createClient({ url });
    const owner = createClient({ url, token });
    const well = { ok: true, value: { status: 'ok', api: 1 } };
    const away = {
      code: 'E_JOURNAL_UNAVAILABLE',
      message: expect.stringContaining('the connection was lost'),
    };

    const faults = [
      ['severed', () => line.sever(), () => line.fix()],
      // Nobody is told that the line is dead: only time shows it.
      ['silent', () => line.freeze(), () => line.thaw()],
    ] as const;
    for (const [, fail, fix] of faults) {
      expect(await nobody.health()).toEqual(well);
      expect(await nobody.ready()).toEqual(well);
      fail();
      expect(await nobody.health()).toEqual({ ok: true, value: { status: 'degraded', api: 1, cause: away } });
      const ready = await nobody.ready();
      expect(ready).toMatchObject({ ok: false, error: { status: 503, ...away } });
      expect(JSON.stringify(ready)).not.toContain(new URL(line.url).port);
      if (fail === faults[0][1]) {
        const listed = await owner.listRuns({});
        expect(listed).toMatchObject({ ok: false, error: { status: 503, code: away.code } });
      }
      fix();
      while (!isWell(await nobody.ready()));
    }
    expect(await owner.listRuns({})).toMatchObject({ ok: true });
  });

  it('names the database that takes no writes, as a standby, and is well again by itself', async () => {
    const databaseUrl = await server.createDatabase();
    const { root } = makeProject({ files: { 'sheets/once.yaml': ONCE } });
    const options = startOptions(root);
    const env = { ...options.env, CUEBOOK_DATABASE_URL: databaseUrl };
    const started = await startServer({ ...options, env });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    onTestFinished(async () => {
      await started.value.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    });
    const { url, token } = started.value;
    const nobody = createClient({ url });
    const owner = createClient({ url, token });
    expect(await nobody.ready()).toMatchObject({ ok: true });
    const words = 'takes no writes';
    await setWrites(databaseUrl, false);
    while (!JSON.stringify(await nobody.ready()).includes(words));
    const cause = { code: 'E_JOURNAL_UNAVAILABLE', message: expect.stringContaining(words) };
    expect(await nobody.ready()).toMatchObject({ ok: false, error: { status: 503, ...cause } });
    expect(await nobody.health()).toMatchObject({ ok: true, value: { status: 'degraded', cause } });
    // What is there can be read, and what cannot be done says why.
    expect(await owner.listRuns({})).toMatchObject({ ok: true });
    const begun = await owner.startRun({
      target: 'sheet:once',
      script: '{"lanes":{"*":[{"text":"x"}]}}',
    });
    expect(begun).toMatchObject({
      ok: false,
      error: { status: 503, message: expect.stringContaining(words) },
    });
    await setWrites(databaseUrl, true);
    while (!isWell(await nobody.ready()));
  });
});

const ONCE = 'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n';

/** Whether a database takes writes; whoever is connected comes back and finds it so. */
async function setWrites(url: string, isOn: boolean): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    const name = new URL(url).pathname.slice(1);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isOn ? 'off' : 'on'}`);
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [name],
    );
  });
}

const isWell = ({ ok }: { readonly ok: boolean }): boolean => ok;
