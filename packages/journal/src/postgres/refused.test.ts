import { beforeAll, expect, it } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { sharedLine } from '../../../../test/shared-line.js';
import { type Databases, sharedPostgres, withClient } from '../../../../test/shared-postgres.js';
import { openForTest } from '../../test/places.js';
import { describeJournalError } from '../error.js';
import { openStore } from '../store/open.js';
import { openForVerify } from '../store/open-for-verify.js';

/** What is wrong, an address where it is so, the code of it, and a part of what is told. */
type Cause = readonly [name: string, url: () => Promise<string>, system: string, words: string];

describePart('postgres', 'a database that cannot be used as it is', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  const changed = async (...sql: readonly string[]): Promise<string> => {
    const databaseUrl = await server.createDatabase();
    const name = new URL(databaseUrl).pathname.slice(1);
    await withClient(databaseUrl, async (client) => {
      for (const each of sql) await client.query(each.replaceAll('HERE', `"${name}"`));
    });
    return databaseUrl;
  };
  /** The address for somebody who may do nothing but what is said. */
  const as = async (role: string, may: string, ...sql: readonly string[]): Promise<string> => {
    const make = `DO $$ BEGIN CREATE ROLE ${role} ${may}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`;
    const url = new URL(await changed(make, ...sql));
    url.username = role;
    return url.href;
  };

  const causes: readonly Cause[] = [
    [
      'the user may not log in',
      () => as('cuebook_no_login', 'NOLOGIN'),
      '28000',
      'does not let this user in',
    ],
    [
      'there is no such user',
      async () => server.url.replace('postgres@', 'no_such_user@'),
      '28000',
      'does not let this user in',
    ],
    [
      'there is no such database',
      async () => server.url.replace(/\/postgres$/, '/no_such_place'),
      '3D000',
      'no database of that name',
    ],
    [
      'the user may make no schemas',
      () => as('cuebook_poor', 'LOGIN', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'),
      '42501',
      'GRANT CREATE ON DATABASE',
    ],
    [
      'the user may use no schema',
      () => as('cuebook_poor', 'LOGIN', 'REVOKE ALL ON SCHEMA public FROM PUBLIC'),
      '3F000',
      'GRANT CREATE ON DATABASE',
    ],
    [
      'it takes no writes',
      () => changed('ALTER DATABASE HERE SET default_transaction_read_only = on'),
      '25006',
      'read-only',
    ],
    [
      'it takes no more connections',
      () => as('cuebook_late', 'LOGIN', 'ALTER DATABASE HERE CONNECTION LIMIT 0'),
      '53300',
      'max_connections',
    ],
    ['it speaks no TLS', async () => `${await server.createDatabase()}?sslmode=require`, 'tls', 'sslmode'],
    ['nobody listens', async () => 'postgres://nobody@127.0.0.1:1/x', 'ECONNREFUSED', 'nothing answers'],
    ['it is no address of Postgres', async () => 'mysql://me@127.0.0.1/x', 'address', 'postgres://'],
  ];
  it.each(causes)('is told with what to change: %s', async (_name, url, system, words) => {
    const opened = await openStore({ databaseUrl: await url() }, { busyMs: 2_000 });
    if (opened.ok) throw new Error('It was opened.');
    expect(opened.error).toMatchObject({ code: 'E_JOURNAL_UNAVAILABLE', system });
    expect(describeJournalError(opened.error)).toContain(words);
  });

  it('is refused behind a pool that shares connections, before anything is set or written there', async () => {
    const databaseUrl = await server.createDatabase();
    const shared = await sharedLine(databaseUrl, 'transaction');
    const refused = { error: { code: 'E_JOURNAL_POOL' } };
    expect(await openStore({ databaseUrl: shared })).toMatchObject({ ok: false, ...refused });
    await expect(openForVerify({ databaseUrl: shared })).rejects.toMatchObject(refused);
    await withClient(databaseUrl, async (client) => {
      const { rows } = await client.query("SELECT 1 FROM pg_class WHERE relname LIKE 'cuebook%'");
      expect(rows).toEqual([]);
    });
    await withClient(shared, async (client) => {
      const { rows } = await client.query('SHOW lock_timeout');
      expect(rows).toEqual([{ lock_timeout: '0' }]);
    });
  });

  it('is used behind a pool in session mode', async () => {
    const databaseUrl = await sharedLine(await server.createDatabase(), 'session');
    const store = await openForTest({ databaseUrl });
    expect(await store.runs()).toEqual([]);
  });
});
