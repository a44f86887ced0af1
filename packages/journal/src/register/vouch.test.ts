import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { ok } from '@cuebook/prompt';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { ownerOf } from '../../test/owner.js';
import { scratchFolder } from '../../test/places.js';
import { SUMS, VOLUME } from '../../test/sums.js';
import { codeOf, must } from '../../test/write.js';
import type { Store, StoredEvent } from '../contract.js';
import { openOwner } from '../owner/project.js';
import { openPostgres } from '../postgres/driver.js';
import { schemaOf } from '../postgres/schema.js';
import { openStore, restoreStore, type StorePlace } from '../store/open.js';
import { openForVerify } from '../store/open-for-verify.js';
import { openRegister } from './register.js';
import { registerRun } from './register-run.js';
import { openRollingRegister } from './rolling.js';

const NAMES = {
  initial: [] as readonly string[],
  project: (state: readonly string[], { data }: StoredEvent) => [...state, String(Object(data).name)],
};
const people = (store: Store) => openRegister(store, 'people', NAMES);
const sums = (store: Store) => openRollingRegister(store, 'quotas', SUMS);

async function add(store: Store, name: string): Promise<void> {
  const events = [{ type: 'person.added', data: { name } }];
  must(await people(store).change(() => ok({ events, answer: null })));
}

async function count(store: Store, number: number): Promise<void> {
  const events = [{ type: 'number.added', data: { number } }];
  must(await sums(store).change(() => ok({ events, answer: null })));
}

const forge = async (store: Store, name: string): Promise<void> => {
  const run = registerRun('people');
  const { seq = 0 } = (await store.head(run)) ?? {};
  const events = [{ type: 'person.added', data: { name } }];
  must(await store.append({ run, command: `forged ${seq}`, target: 'x', expectedSeq: seq, events }));
};

describePart('postgres', 'what a project keeps about itself', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  /** A home that has the project in a file, and moves it by a backup. */
  const movingHome = async () => {
    const home = join(scratchFolder(), 'home');
    await ownerOf(home);
    const ownerNow = async () => {
      const files = await openFolder(home);
      if (!files.ok) throw new Error(files.error.code);
      const anchorFile = join(home, 'anchor.jsonl');
      const owner = await openOwner(files.value, { folder: '/srv/a-project', anchorFile });
      if (!owner.ok) throw new Error(owner.error.code);
      return owner.value;
    };
    const keep = (store: Store): Store => {
      onTestFinished(() => store.close());
      return store;
    };
    let backups = 0;
    const opened = async (place: StorePlace) => openStore(place, { owner: await ownerNow(), home });
    return {
      home,
      ownerNow,
      open: async (place: StorePlace) => keep(must(await opened(place))),
      async restore(from: Store, place: StorePlace) {
        backups += 1;
        const file = join(home, `backup${backups}.db`);
        await from.backup(file);
        const restored = await restoreStore(file, place, { owner: await ownerNow(), home });
        if (restored.ok) keep(restored.value);
        return restored;
      },
      async problems(databaseUrl: string) {
        const { project, projectKey } = await ownerNow();
        const looked = await openForVerify({ databaseUrl }, { project: project.id, key: projectKey });
        await looked.close();
        return looked.problems;
      },
    };
  };

  itInTurn('moves from a file into a database and back, and goes on there', async () => {
    const at = await movingHome();
    const file = await at.open({ file: join(at.home, 'journal.db') });
    await add(file, 'ada');
    await add(file, 'bob');
    for (let number = 1; number <= 2 * VOLUME + 1; number += 1) await count(file, number);
    const before = await sums(file).read();

    const databaseUrl = await server.createDatabase();
    const moved = must(await at.restore(file, { databaseUrl }));
    const again = await at.open({ databaseUrl });
    for (const store of [moved, again]) {
      expect(await people(store).read()).toEqual(['ada', 'bob']);
      expect(await sums(store).read()).toEqual(before);
    }
    await add(again, 'cyd');
    await count(again, 1);
    expect(await people(moved).read()).toEqual(['ada', 'bob', 'cyd']);
    expect((await sums(moved).read()).sum).toBe(before.sum + 1);
    expect(await at.problems(databaseUrl)).toEqual([]);

    const back = must(await at.restore(again, { file: join(at.home, 'back.db') }));
    await add(back, 'dan');
    expect(await people(back).read()).toEqual(['ada', 'bob', 'cyd', 'dan']);
    expect((await sums(back).read()).sum).toBe(before.sum + 1);
    const second = await server.createDatabase();
    const third = must(await at.restore(again, { databaseUrl: second }));
    expect(await people(third).read()).toEqual(['ada', 'bob', 'cyd']);
    expect(await at.problems(second)).toEqual([]);
  });

  it('does not move with what somebody put there without the key', async () => {
    const at = await movingHome();
    const file = await at.open({ file: join(at.home, 'journal.db') });
    await add(file, 'ada');
    await add(file, 'bob');
    const databaseUrl = await server.createDatabase();
    const moved = must(await at.restore(file, { databaseUrl }));
    await forge(moved, 'eve');
    expect(await people(moved).read()).toEqual(['ada', 'bob']);
    expect(await at.problems(databaseUrl)).toHaveLength(1);
    // A backup of a database is vouched for by nobody.
    const second = await server.createDatabase();
    const copied = must(await at.restore(moved, { databaseUrl: second }));
    expect(await people(copied).read()).toEqual(['ada', 'bob']);
    expect(await at.problems(second)).toHaveLength(1);
    // Where no proof is needed it would count, so it is not let in.
    expect(codeOf(await at.restore(moved, { file: join(at.home, 'back.db') }))).toBe('E_JOURNAL_CORRUPT');

    // A proof holds for its event alone, and without it the event counts for nothing.
    const schema = schemaOf((await at.ownerNow()).project.id);
    const driver = await openPostgres(second, { pollMs: 1000, busyMs: 10_000, schema });
    onTestFinished(() => driver.close());
    const [row] = await driver.rows("SELECT data FROM cuebook_files WHERE path = 'registers.proofs'");
    const proofs = JSON.parse(Buffer.from(row?.[0] as Uint8Array).toString()) as [string, number, string][];
    const swapped = proofs.map(([name], index) => [name, index + 1, proofs.at(-1 - index)?.[2]]);
    await driver.rows("UPDATE cuebook_files SET data = ? WHERE path = 'registers.proofs'", [
      Buffer.from(JSON.stringify(swapped)),
    ]);
    expect(await people(await at.open({ databaseUrl: second })).read()).toEqual([]);
    expect(await at.problems(second)).toHaveLength(3);
  });

  it('of a backup of a database is restored into a file only with the key', async () => {
    const at = await movingHome();
    const databaseUrl = await server.createDatabase();
    const store = await at.open({ databaseUrl });
    await add(store, 'ada');
    await store.share(must((await openFolder(at.home)) as never)).writeText('runs/run_a.json', '{}');
    const backup = join(at.home, 'database.db');
    await store.backup(backup);
    const other = join(scratchFolder(), 'other');
    const owner = await ownerOf(other);
    expect(await restoreStore(backup, { file: join(other, 'journal.db') }, { owner })).toMatchObject({
      ok: false,
      error: { code: 'E_JOURNAL_PROJECT_KEY' },
    });
  });
});
