import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { type JsonValue, ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { runs } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { ownerOf } from '../../test/owner.js';
import { scratchFolder } from '../../test/places.js';
import { SUMS, VOLUME } from '../../test/sums.js';
import { must } from '../../test/write.js';
import type { NewEvent, RunId, StoredEvent } from '../contract.js';
import { openOwner } from '../owner/project.js';
import { newProjectKey } from '../owner/project-key.js';
import { openPostgres } from '../postgres/driver.js';
import { schemaOf } from '../postgres/schema.js';
import { openStore } from '../store/open.js';
import { openForVerify } from '../store/open-for-verify.js';
import { verifyStore } from '../verify/verify-store.js';
import { registerProof } from './key-proof.js';
import { proved, withProof } from './proof.js';
import { openRegister } from './register.js';
import { REGISTERS, registerRun, volumeRun } from './register-run.js';
import { openRollingRegister } from './rolling.js';

const names = {
  initial: [] as readonly string[],
  project: (state: readonly string[], event: StoredEvent) => [
    ...state,
    `${event.type} ${JSON.stringify(event.data)}`,
  ],
};

describe('the proof of an event of a register', () => {
  it('holds for the register, the place and the words that it was made for, and with no other key', () => {
    const key = newProjectKey('prj_a');
    const proof = registerProof(key);
    const data = fc.dictionary(
      fc.string().filter((name) => name !== 'proof' && name !== '__proto__'),
      fc.jsonValue(),
      { maxKeys: 4 },
    );
    const register = fc.constantFrom(...REGISTERS);
    fc.assert(
      fc.property(
        data,
        register,
        register,
        fc.nat(),
        fc.nat(),
        fc.string(),
        fc.string(),
        (said, a, b, s, t, type, kind) => {
          const fields = JSON.parse(JSON.stringify(said)) as Record<string, JsonValue>;
          const event = withProof(proof, a, s, { type, data: fields });
          const isSame = a === b && s === t && type === kind;
          const read = proved(proof, b, { seq: t, type: kind, data: event.data });
          expect(read).toEqual(isSame ? { data: fields } : undefined);
          const changed = { ...(event.data as object), more: 1 };
          expect(proved(proof, a, { seq: s, type, data: changed })).toEqual(
            Object.hasOwn(fields, 'more') && fields.more === 1 ? { data: fields } : undefined,
          );
          const other = registerProof(newProjectKey('prj_a'));
          expect(proved(other, a, { seq: s, type, data: event.data })).toBeUndefined();
        },
      ),
      runs(200, 2_000),
    );
  });
});

describePart('postgres', 'what is put into the database of a project without its key', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  /** The store of a project that machines share, and what verifying it finds. */
  const shared = async () => {
    const home = join(scratchFolder(), 'home');
    const databaseUrl = await server.createDatabase();
    await ownerOf(home);
    const files = await openFolder(home);
    if (!files.ok) throw new Error(files.error.code);
    const owner = async () => {
      const opened = await openOwner(files.value, { folder: home, anchorFile: join(home, 'anchor.jsonl') });
      if (!opened.ok) throw new Error(opened.error.code);
      return opened.value;
    };
    const store = must(await openStore({ databaseUrl }, { owner: await owner(), home, pollMs: 20 }));
    onTestFinished(() => store.close());
    const { projectKey: key, project, publicKeys } = await owner();
    const look = async () => {
      const opened = await openForVerify({ databaseUrl }, { project: project.id, key });
      const verified = await verifyStore(opened, { publicKeys, anchors: [] });
      await opened.close();
      return verified.problems.map(({ message }) => message);
    };
    return { databaseUrl, store, project, look };
  };

  it('counts for nothing, and verify finds it: an event of a register, a machine', async () => {
    const { databaseUrl, store, project, look } = await shared();
    const register = openRegister(store, 'people', names);
    const add = (name: string) =>
      register.change(() => ok({ events: [{ type: 'person.added', data: { name } }], answer: true }));
    await add('ada');
    expect(await look()).toEqual([]);
    // Whoever can write to the database makes a chain that fits, and no proof.
    const run = registerRun('people');
    const [real] = await store.read(run);
    for (const [index, data] of [{ name: 'eve' }, { name: 'eve', proof: 'x' }, real?.data ?? {}].entries())
      must(
        await store.append({
          run,
          command: `forged ${index}`,
          target: 'people',
          answer: null,
          expectedSeq: index + 1,
          events: [{ type: 'person.added', data }],
        }),
      );
    await add('bob');
    expect(await register.read()).toEqual(['ada', 'bob'].map((name) => `person.added {"name":"${name}"}`));
    expect(await openRegister(store, 'people', names).read()).toEqual(await register.read());

    const driver = await openPostgres(databaseUrl, {
      pollMs: 1000,
      busyMs: 10_000,
      schema: schemaOf(project.id),
    });
    onTestFinished(() => driver.close());
    await driver.rows(
      "INSERT INTO cuebook_members (fingerprint, public_key, name, at, proof) SELECT 'f0rged', public_key, 'eve', at, proof FROM cuebook_members",
    );
    expect((await store.members()).map(({ fingerprint }) => fingerprint)).not.toContain('f0rged');
    const problems = await look();
    expect(problems).toHaveLength(4);
    for (const place of ['event 2 of the register of people', 'event 3', 'event 4', 'the key f0rged'])
      expect(problems.join('\n')).toContain(place);
  });

  it('counts for nothing in a register that rolls: an event, a volume, or one of an earlier volume again', async () => {
    const { store, look } = await shared();
    const open = () => openRollingRegister(store, 'quotas', SUMS);
    const add = async (number: number) =>
      must(
        await open().change(() => ok({ events: [{ type: 'number.added', data: { number } }], answer: null })),
      );
    const volume = (number: number) => volumeRun({ name: 'quotas', number });
    const forge = async (run: RunId, events: readonly NewEvent[]) => {
      const expectedSeq = (await store.head(run))?.seq ?? 0;
      must(await store.append({ run, command: `forged ${run}`, target: 'quotas', expectedSeq, events }));
    };
    for (let number = 1; number <= VOLUME; number += 1) await add(number);
    const firsts = await store.read(volume(1));
    const state = [999, 999];
    await forge(volume(2), [{ type: 'register.opened', data: { volume: 2, state, from: {} } }]);
    await forge(volume(3), [{ type: 'register.opened', data: { volume: 3, state, from: {} } }]);
    expect(await open().read()).toEqual({ sum: 15, count: 5 });
    await add(6);
    expect(await store.head(volume(1))).toBeUndefined();
    // What was true at a place of the first volume is not at the same place of the second.
    await forge(
      volume(2),
      firsts.slice(3).map(({ type, data }) => ({ type, data })),
    );
    await add(7);
    expect(await open().read()).toEqual({ sum: 28, count: 7 });
    for (let number = 8; number <= 3 * VOLUME; number += 1) await add(number);
    expect(await open().read()).toEqual({ sum: 120, count: 15 });
    const problems = await look();
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toContain('was written without the key of the project');
  });
});
