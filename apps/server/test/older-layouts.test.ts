import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '@cuebook/api';
import { openFolder } from '@cuebook/files';
import { anchorFileOf, openOwner, restoreStore } from '@cuebook/journal';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { openPostgres, postgresTables } from '../../../packages/journal/src/postgres/driver.js';
import { SCHEMA_VERSION } from '../../../packages/journal/src/schema/steps.js';
import { connect } from '../../../packages/journal/src/sqlite/connection.js';
import { openSqlite, SQLITE_TABLES } from '../../../packages/journal/src/sqlite/driver.js';
import { setUpFile } from '../../../packages/journal/src/sqlite/mark.js';
import type { SqlSession } from '../../../packages/journal/src/store/port/driver.js';
import { writeOlder } from '../../../packages/journal/test/schema/older-layout.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, sampled } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { startServer } from '../src/start/start-server.js';
import { goOn, isStill, must, PROJECT, problemsOf, script, TARGETS, until } from './machines.js';
import { makeProject, startOptions } from './server-stand.js';

const LAYOUTS = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1);
/** Where the records are, and whether they moved there by a backup. */
const PLACES = ['file', 'database', 'database restored from a file'] as const;
const CASES = LAYOUTS.flatMap((layout) => PLACES.map((into) => ({ layout, into })));

describePart('postgres', 'a project whose records an earlier version wrote', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('goes on with runs of every kind, its people, schedules and webhooks, from any layout, in a file as in a database', async () => {
    for (const { layout, into } of sampled(CASES, 1)) {
      if (process.env.DBG) console.log(new Date().toISOString(), layout, into);
      const { root, home } = makeProject({ files: PROJECT });
      onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
      const log: string[] = [];
      const up = async (env: Readonly<Record<string, string>> = {}) => {
        const given = startOptions(root, log);
        const started = await startServer({ ...given, env: { ...given.env, ...env } });
        if (!started.ok) throw new Error(JSON.stringify(started.error));
        const { url, token } = started.value;
        return { server: started.value, client: createClient({ url, token }) };
      };
      const first = await up();
      const before = await fill(first.client);
      const ada = must(await first.client.addPerson({ name: 'ada', role: 'operator' }));
      await first.server.close();
      const databaseUrl = into === 'file' ? undefined : await server.createDatabase();
      const isRestored = databaseUrl !== undefined && into !== 'database';
      await makeOlder(home, layout, isRestored ? undefined : databaseUrl);
      if (isRestored) await moveInto(root, databaseUrl);
      const second = await up(databaseUrl === undefined ? {} : { CUEBOOK_DATABASE_URL: databaseUrl });
      onTestFinished(() => second.server.close());
      const { client } = second;
      const name = `${layout} in a ${into}`;
      for (const [run, { report, events }] of before.runs) {
        expect(must(await client.getReport({ run })), name).toEqual(report);
        expect(must(await client.listEvents({ run, limit: 1_000 })).events, name).toEqual(events);
        expect(await problemsOf(client, run), name).toEqual([]);
      }
      expect(must(await client.listWaiting({})).waiting, name).toEqual(before.waiting);
      // A database of an earlier layout had no registers, and counts nothing in them that was written without its key.
      const hasRegisters = into !== 'database';
      const { schedules, webhooks } = hasRegisters ? before : { schedules: [], webhooks: [] };
      expect(must(await client.listSchedules({})).schedules, name).toEqual(schedules);
      expect(must(await client.listWebhooks({})).webhooks, name).toEqual(webhooks);
      const operator = hasRegisters
        ? createClient({ url: second.server.url, token: ada.token })
        : second.client;
      const me = hasRegisters ? { name: 'ada', role: 'operator' } : { name: 'owner', role: 'owner' };
      expect(must(await operator.whoAmI({})), name).toEqual(me);
      for (const { run } of before.waiting) {
        const { turns } = must(await client.getReport({ run }));
        await goOn(operator, run);
        await until(client, run, (report) => isStill(report) && report.turns === turns + 1);
        expect(await problemsOf(client, run), name).toEqual([]);
      }
      const again = { id: 'new', target: 'agent:desk', input: 'Begin.', script: script({ text: 'New.' }) };
      const { run } = must(await operator.startRun(again));
      expect((await until(client, run, isStill)).text, name).toBe('New.');
      expect(log, name).toEqual([]);
    }
  });
});

/** Runs of every kind, one that is over and one that waits where the kind can, and registers with something in them. */
async function fill(client: Client) {
  const runs = new Map<string, { report: unknown; events: unknown }>();
  for (const target of TARGETS) {
    const steps = script({ text: `Hello from ${target}.` }, { text: 'Two.' });
    const input = target === 'sheet:once' ? {} : { input: 'Begin.' };
    for (const id of ['one', 'two']) {
      const started = await client.startRun({ id: `${id}-${target}`, target, ...input, script: steps });
      const { run } = must(started);
      await until(client, run, isStill);
      if (id === 'two' && target !== 'sheet:once') must(await client.stopRun({ run }));
      runs.set(run, { report: undefined, events: undefined });
    }
  }
  const times = { cron: '0 9 1 1 *', zone: 'Europe/Zurich', missed: 'skip' } as const;
  must(await client.addSchedule({ target: 'sheet:once', ...times }));
  must(await client.addWebhook({ target: 'sheet:once' }));
  for (const run of runs.keys()) {
    const report = must(await client.getReport({ run }));
    runs.set(run, { report, events: must(await client.listEvents({ run, limit: 1_000 })).events });
  }
  return {
    runs,
    waiting: must(await client.listWaiting({})).waiting,
    schedules: must(await client.listSchedules({})).schedules,
    webhooks: must(await client.listWebhooks({})).webhooks,
  };
}

/** Restores the file of a home as a backup into a database, as `cuebook runs restore` does. */
async function moveInto(root: string, databaseUrl: string): Promise<void> {
  const home = join(root, 'home');
  const backup = join(root, 'backup.db');
  renameSync(join(home, 'journal.db'), backup);
  const files = await openFolder(home);
  if (!files.ok) throw new Error(files.error.code);
  const { env } = startOptions(root);
  const owner = await openOwner(files.value, {
    folder: join(root, 'project'),
    anchorFile: anchorFileOf(home, env),
    env,
  });
  if (!owner.ok) throw new Error(owner.error.code);
  const restored = await restoreStore(backup, { databaseUrl }, { owner: owner.value, home });
  if (!restored.ok) throw new Error(JSON.stringify(restored.error));
  await restored.value.close();
}

/** Puts what the file of a home holds where an earlier version would have: into a file like it, or a database. */
async function makeOlder(home: string, layout: number, databaseUrl: string | undefined): Promise<void> {
  const [file, newest] = [join(home, 'journal.db'), join(home, 'newest.db')];
  renameSync(file, newest);
  const source = connect(newest);
  const write = async (to: SqlSession, tables: typeof SQLITE_TABLES) => {
    await writeOlder(source, { to, tables, layout });
    return { keep: true, value: undefined };
  };
  if (databaseUrl === undefined) {
    writeFileSync(file, '', { mode: 0o600 });
    const connection = connect(file);
    setUpFile(connection);
    connection.close();
    const driver = await openSqlite(file, { now: Date.now, pollMs: 1_000, busyMs: 10_000 });
    await driver.write((session) => write(session, SQLITE_TABLES));
    await driver.close();
  } else {
    const driver = await openPostgres(databaseUrl, { pollMs: 1_000, busyMs: 10_000 });
    await driver.write((session) => write(session, postgresTables(undefined)));
    await driver.close();
  }
  source.close();
  rmSync(newest);
}
