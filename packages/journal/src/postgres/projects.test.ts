import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { runs, sampled } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { ownerOf, withStore } from '../../test/owner.js';
import { scratchFolder } from '../../test/places.js';
import { block, requestOf } from '../../test/turns.js';
import { batch, codeOf, must, photograph, problemsOf, RUN } from '../../test/write.js';
import type { RunId, Store } from '../contract.js';
import { knownKeys } from '../owner/members.js';
import { openOwner, type StoreOwner } from '../owner/project.js';
import { newProjectKey, parseProjectKey, printProjectKey } from '../owner/project-key.js';
import { migrate, setLayout } from '../schema/migrate.js';
import { SCHEMA_VERSION, STEPS } from '../schema/steps.js';
import { openStore } from '../store/open.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { createRecorder } from '../turn/recorder.js';
import { verifyRun } from '../verify/verify-run.js';
import { openPostgres, postgresTables } from './driver.js';
import { schemaOf } from './schema.js';

describePart('postgres', 'projects in one database', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  const openAs = async (databaseUrl: string, owner: StoreOwner, home: string): Promise<Store> => {
    const store = must(await openStore({ databaseUrl }, { owner, home, pollMs: 20 }));
    onTestFinished(() => store.close());
    return store;
  };
  const homeOf = async (home: string, env: Readonly<Record<string, string>> = {}): Promise<StoreOwner> => {
    await ownerOf(home);
    const files = await openFolder(home);
    if (!files.ok) throw new Error(files.error.code);
    const owner = await openOwner(files.value, { folder: home, anchorFile: join(home, 'anchor.jsonl'), env });
    if (!owner.ok) throw new Error(owner.error.code);
    return owner.value;
  };
  /** A project in a home of its own, and the line that other machines need. */
  const firstMachine = async (databaseUrl: string, home: string) => {
    const store = await openAs(databaseUrl, await ownerOf(home), home);
    const { projectKey } = await homeOf(home);
    if (projectKey === undefined) throw new Error('no key was kept');
    return { store, line: printProjectKey(projectKey) };
  };

  it('share nothing: for the same runs, commands, leases, read models and files, each has its own', async () => {
    const root = scratchFolder();
    const databaseUrl = await server.createDatabase();
    const homes = [join(root, 'mine'), join(root, 'yours')];
    const owners = [await ownerOf(homes[0] ?? '', 'mine'), await ownerOf(homes[1] ?? '', 'yours')];
    // At the same moment: neither keeps the other out.
    const [mine, yours] = await Promise.all(
      owners.map((owner, index) => openAs(databaseUrl, owner, homes[index] ?? '')),
    );
    if (mine === undefined || yours === undefined) throw new Error('two were opened');
    const act = fc.record({ at: fc.nat({ max: 1 }), run: fc.nat({ max: 2 }), text: fc.string() });
    const expected = [new Map<string, string[]>(), new Map<string, string[]>()];
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 6 }), async (acts) => {
        for (const { at, run, text } of acts) {
          const store = [mine, yours][at] as Store;
          const name = `run_r${run}` as RunId;
          const log = expected[at]?.get(name) ?? [];
          expected[at]?.set(name, [...log, text]);
          const events = [{ type: 'thing.said', data: { text } }];
          const command = `same_${log.length}`;
          const projections = [{ name: 'view', key: name, value: { text } }];
          const write = { run: name, command, expectedSeq: log.length, events, projections };
          must(await store.append(batch({ ...write, blobs: [Buffer.from(`${text} in full`)] })));
        }
        for (const [index, store] of [mine, yours].entries()) {
          const found = await photograph(store, []);
          expect(found.all.length).toBe([...(expected[index]?.values() ?? [])].flat().length);
          for (const [name, log] of expected[index] ?? []) {
            const events = await store.read(name as RunId);
            expect(events.map(({ data }) => (data as { text: string }).text)).toEqual(log);
            expect(await store.projection('view', name)).toEqual({ text: log.at(-1) });
          }
        }
      }),
      runs(60, 300),
    );
    for (const store of [mine, yours]) {
      expect(await store.acquireLease('work', 'the same name', 60_000)).toMatchObject({ token: 1 });
      expect(await problemsOf(store)).toEqual([]);
      expect((await store.members()).length).toBe(1);
    }
    const [one, other] = await Promise.all(homes.map((home) => openFolder(home)));
    if (!one?.ok || !other?.ok) throw new Error('no home');
    await mine.share(one.value).writeText('runs/run_one.json', 'mine');
    expect(await yours.share(other.value).readText('runs/run_one.json')).toMatchObject({ ok: false });
    const only = must(await openStore({ databaseUrl }));
    expect(await only.runs()).toEqual([]);
    await only.close();
  });

  it('a commit of one neither wakes nor waits for the other', async () => {
    const root = scratchFolder();
    const databaseUrl = await server.createDatabase();
    const owners = [await ownerOf(join(root, 'mine')), await ownerOf(join(root, 'yours'))];
    const [mine] = await Promise.all(
      owners.map((owner, index) => openAs(databaseUrl, owner, join(root, `${index}`))),
    );
    const [first, second] = owners.map(({ project }) => schemaOf(project.id));
    const driver = await openPostgres(databaseUrl, { pollMs: 1_000_000, busyMs: 10_000, schema: second });
    onTestFinished(() => driver.close());
    const held = await openPostgres(databaseUrl, { pollMs: 1000, busyMs: 10_000, schema: second });
    onTestFinished(() => held.close());
    const { signal } = new AbortController();
    await driver.changed(driver.seen(), signal); // It listens now.
    const seen = driver.seen();
    await held.write(async () => {
      // The other one's lock is held: mine is written all the same.
      must(await (mine as Store).append(batch()));
      return { keep: false, value: undefined };
    });
    expect(first).not.toBe(second);
    expect(driver.seen()).toBe(seen);
  });

  it('another machine joins with the line that the first one prints, and both sign for the project', async () => {
    const root = scratchFolder();
    const databaseUrl = await server.createDatabase();
    const { store: first, line } = await firstMachine(databaseUrl, join(root, 'first'));
    const CUEBOOK_PROJECT_KEY = line;
    const owner = await homeOf(join(root, 'second'), { CUEBOOK_PROJECT_KEY });
    const second = await openAs(databaseUrl, owner, join(root, 'second'));
    const sent = { channel: 'http', hash: `sha256:${'0'.repeat(64)}`, ordinal: 1 } as const;
    const request = requestOf([block('task', 'Plan.')]);
    const recorder = createRecorder({ store: second, signer: owner.signer });
    const recorded = await recorder.record({ run: RUN, turn: 't', lane: 'l', request, provider: 'p', sent });
    expect(recorded.ok).toBe(true);
    const mine = await homeOf(join(root, 'first'));
    const publicKeys = await knownKeys(first, mine.publicKeys);
    expect((await verifyRun(first, RUN, { publicKeys })).problems).toEqual([]);
    // Without the proof of the project's key nobody would believe it.
    const alone = await verifyRun(first, RUN, { publicKeys: mine.publicKeys });
    expect(alone.problems.map(({ code }) => code)).toEqual(['E_VERIFY_KEY']);
    expect((await first.members()).length).toBe(2);
    // What one sealed the other opens.
    const sealed = await first.vault?.seal(RUN, 'a secret of the run');
    if (!sealed?.ok) throw new Error('not sealed');
    await first.putBlob(sealed.value.blob);
    expect(await second.vault?.open(RUN, sealed.value.id)).toBe('a secret of the run');
  });

  it.each([
    ['with the key of another project', (id: string) => printProjectKey({ ...newProjectKey(id) })],
    ['with the id alone', () => undefined],
  ])('a machine is refused %s, and nothing is made', async (_name, lineFor) => {
    const root = scratchFolder();
    const databaseUrl = await server.createDatabase();
    const { line, store } = await firstMachine(databaseUrl, join(root, 'first'));
    const id = parseProjectKey(line)?.project ?? '';
    const other = lineFor(id);
    const owner = await homeOf(join(root, 'second'), other ? { CUEBOOK_PROJECT_KEY: other } : {});
    const named = { ...owner, project: { ...owner.project, id }, isNew: false };
    expect(codeOf(await openStore({ databaseUrl }, { owner: named }))).toBe('E_JOURNAL_PROJECT_KEY');
    expect((await store.members()).length).toBe(1);
  });

  it('a home with the key of another project is refused', async () => {
    const home = join(scratchFolder(), 'home');
    await withStore(
      { databaseUrl: await server.createDatabase() },
      await ownerOf(home),
      async () => undefined,
    );
    const CUEBOOK_PROJECT_KEY = printProjectKey(newProjectKey('prj_another'));
    await expect(homeOf(home, { CUEBOOK_PROJECT_KEY })).rejects.toThrow('E_JOURNAL_PROJECT_KEY');
    await expect(homeOf(home, { CUEBOOK_PROJECT_KEY: 'no key' })).rejects.toThrow('E_JOURNAL_PROJECT_KEY');
  });

  it('a member whose row was changed is none', async () => {
    const root = scratchFolder();
    const databaseUrl = await server.createDatabase();
    const { store, line } = await firstMachine(databaseUrl, join(root, 'first'));
    const owner = await homeOf(join(root, 'second'), { CUEBOOK_PROJECT_KEY: line });
    await openAs(databaseUrl, owner, join(root, 'second'));
    const schema = schemaOf(owner.project.id);
    const driver = await openPostgres(databaseUrl, { pollMs: 1000, busyMs: 10_000, schema });
    onTestFinished(() => driver.close());
    const { fingerprint } = owner.signer;
    for (const change of ["name = 'x'", 'at = at + 1', "proof = 'x'"]) {
      await driver.rows(`UPDATE cuebook_members SET ${change} WHERE fingerprint = ?`, [fingerprint]);
      expect((await store.members()).map((each) => each.fingerprint)).not.toContain(fingerprint);
    }
  });

  it('a worker that only joins makes no project', async () => {
    const root = scratchFolder();
    const databaseUrl = await server.createDatabase();
    const owner = await ownerOf(join(root, 'home'));
    const opened = await openStore({ databaseUrl }, { owner, isJoining: true });
    expect(opened).toEqual({ ok: false, error: { code: 'E_JOURNAL_PROJECT_KEY', reason: 'missing' } });
    await withStore({ databaseUrl }, owner, async () => undefined);
    await must(
      await openStore({ databaseUrl }, { owner: await ownerOf(join(root, 'home')), isJoining: true }),
    ).close();
  });

  const LAYOUTS = Array.from({ length: SCHEMA_VERSION - 1 }, (_, index) => index + 1);

  describe.each(sampled(LAYOUTS, 3))('a store of layout %i that lies in the database itself', (layout) => {
    it('goes on where it is for its project, and another project gets tables of its own', async () => {
      const root = scratchFolder();
      const databaseUrl = await server.createDatabase();
      await layOut(databaseUrl, layout);
      const mine = await ownerOf(join(root, 'mine'));
      await withStore({ databaseUrl }, mine, async (store) => {
        expect(store.schemaVersion).toBe(SCHEMA_VERSION);
        must(await store.append(batch()));
      });
      await withStore({ databaseUrl }, await ownerOf(join(root, 'yours')), async (store) => {
        expect(await store.runs()).toEqual([]);
        must(await store.append(batch({ run: RUN })));
      });
      await withStore({ databaseUrl }, await ownerOf(join(root, 'mine')), async (store) => {
        expect((await store.runs()).length).toBe(1);
        expect(await problemsOf(store)).toEqual([]);
      });
      const raw = await openPostgres(databaseUrl, { pollMs: 1000, busyMs: 10_000 });
      onTestFinished(() => raw.close());
      expect(await raw.rows('SELECT project FROM cuebook_owner')).toEqual([[mine.project.id]]);
    });
  });

  it('a migration that is killed at any statement is done whole by the next who opens', async () => {
    const tables = postgresTables(undefined);
    const points = LAYOUTS.flatMap((layout) => {
      const count = STEPS.slice(layout).flatMap((step) => step(tables.types)).length;
      return Array.from({ length: count + 1 }, (_, statement) => ({ layout, statement }));
    });
    for (const { layout, statement } of sampled(points, 5)) {
      const databaseUrl = await server.createDatabase();
      await layOut(databaseUrl, layout);
      const driver = await openPostgres(databaseUrl, { pollMs: 1000, busyMs: 10_000 });
      await expect(migrate(dyingAt(driver, statement), tables)).rejects.toThrow();
      await driver.close();
      const store = must(await openStore({ databaseUrl }));
      must(await store.append(batch()));
      expect(await problemsOf(store)).toEqual([]);
      await store.close();
    }
  });

  async function layOut(databaseUrl: string, layout: number): Promise<void> {
    const driver = await openPostgres(databaseUrl, { pollMs: 1000, busyMs: 10_000 });
    await driver.write(async (session) => {
      await setLayout(session, postgresTables(undefined), layout);
      return { keep: true, value: undefined };
    });
    await driver.close();
  }
});

/** The connection dies before a statement of the transaction, as it does with its process. */
function dyingAt(driver: SqlDriver, statement: number): SqlDriver {
  let left = statement;
  const dying = (session: SqlSession): SqlSession => ({
    async rows(sql, values) {
      if (!sql.startsWith('SELECT') || sql.includes('cuebook_align')) {
        if (left === 0) await session.rows('SELECT pg_terminate_backend(pg_backend_pid())');
        left -= 1;
      }
      return session.rows(sql, values);
    },
  });
  return { ...driver, write: (use, steps) => driver.write((session) => use(dying(session)), steps) };
}
