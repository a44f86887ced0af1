import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { itInTurn, runs as times } from '../../../../test/runs.js';
import { ownerOf, verifyPlace, withStore } from '../../test/owner.js';
import { scratchFolder } from '../../test/places.js';
import { type RawDatabase, rawDatabase } from '../../test/raw.js';
import { batch, must } from '../../test/write.js';
import type { RunId, Store } from '../contract.js';
import type { StoreOwner } from '../owner/project.js';
import { openStore } from '../store/open.js';
import { sumOf } from '../store/row/sum.js';
import { exportAnchor } from './carry.js';
import { readAnchor } from './read.js';

let home = '';
let file = '';
let owner: StoreOwner;
beforeEach(async () => {
  home = join(scratchFolder(), 'home');
  file = join(home, 'journal.db');
  owner = await ownerOf(home);
});

const nameOf = (run: number): RunId => `run_r${run}` as RunId;

/** One more commit of a run. */
async function add(store: Store, run: RunId, events = 1): Promise<void> {
  const expectedSeq = (await store.head(run))?.seq ?? 0;
  const more = Array.from({ length: events }, (_, index) => ({
    type: 'thing.done',
    data: { index, at: Math.random() },
  }));
  must(
    await store.append(
      batch({ run, expectedSeq, events: more, blobs: [Buffer.from(`${run} ${Math.random()}`)] }),
    ),
  );
}

const anchorOf = () => readFileSync(owner.anchorFile, 'utf8');

/** Cuts a run off after a seq, as somebody does who knows the layout: the run's own row and its sum fit again. */
async function cutOff(raw: RawDatabase, run: RunId, seq: number): Promise<void> {
  const [[id] = []] = await raw.run('SELECT id FROM cuebook_runs WHERE name = ?', [run]);
  await raw.run('DELETE FROM cuebook_commits WHERE run = ? AND seq > ?', [id ?? 0, seq]);
  const [last] = await raw.run(
    'SELECT seq, position, at, hash FROM cuebook_commits WHERE run = ? ORDER BY seq DESC LIMIT 1',
    [id ?? 0],
  );
  if (last === undefined) {
    await raw.run('DELETE FROM cuebook_runs WHERE id = ?', [id ?? 0]);
    return;
  }
  const [[started] = []] = await raw.run('SELECT started_at FROM cuebook_runs WHERE name = ?', [run]);
  const [at, position, lastAt, hash] = last;
  const cells = [
    id ?? 0,
    run,
    at ?? 0,
    position ?? 0,
    started ?? 0,
    lastAt ?? 0,
    null,
    hash ?? null,
  ] as const;
  await raw.run(
    'UPDATE cuebook_runs SET seq = ?, position = ?, last_at = ?, hash = ?, sum = ? WHERE id = ?',
    [...[at ?? 0, position ?? 0, lastAt ?? 0, hash ?? null, sumOf(...cells), id ?? 0]],
  );
}

async function withRaw(work: (raw: RawDatabase) => Promise<unknown>): Promise<void> {
  const raw = await rawDatabase({ file });
  await work(raw);
  await raw.close();
}

describe('an anchor', () => {
  it('finds and names what is gone, whatever was written and however it was taken away', async () => {
    type Act = { readonly do: 'add' | 'remove'; readonly run: number; readonly events: number };
    const acts = fc.array(
      fc.record<Act>({
        do: fc.constantFrom('add', 'add', 'add', 'add', 'remove'),
        run: fc.nat(3),
        events: fc.integer({ min: 1, max: 4 }),
      }),
      { minLength: 3, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(acts, fc.nat(), fc.nat(), async (history, where, how) => {
        rmSync(home, { recursive: true, force: true });
        owner = await ownerOf(home);
        const gone = new Set<RunId>();
        const heads: Map<RunId, number>[] = [];
        const removed: Set<RunId>[] = [];
        const copies: string[] = [];
        await withStore({ file }, owner, (store) => add(store, nameOf(0), 2));
        for (const [index, act] of history.entries()) {
          const run = nameOf(act.run);
          await withStore({ file }, owner, async (store) => {
            if (act.do === 'remove' && (await store.removeRun(run))) gone.add(run);
            else if (!gone.has(run)) await add(store, run, act.events);
            removed.push(new Set(gone));
            heads.push(new Map((await store.runs()).map(({ run: id, seq }) => [id, seq])));
          });
          copies.push(join(home, `copy-${index}.db`));
          copyFileSync(file, copies.at(-1) ?? '');
        }
        // Nothing was done: nothing is found.
        expect(await verifyPlace({ file }, owner, { runs: [] })).toEqual([]);
        const now = heads.at(-1) ?? new Map<RunId, number>();
        const back = where % history.length;
        const kind = how % 4;
        if (kind === 0) rmSync(file);
        if (kind === 1) copyFileSync(copies[back] ?? '', file);
        const [victim] = [...now.keys()].slice(where % Math.max(1, now.size));
        if (kind === 2 && victim) {
          await withRaw((raw) => raw.run('DELETE FROM cuebook_runs WHERE name = ?', [victim]));
        }
        if (kind === 3 && victim) await withRaw((raw) => cutOff(raw, victim, (now.get(victim) ?? 1) - 1));
        if (kind < 2) for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });

        const before = heads[back] ?? new Map<RunId, number>();
        // A copy from before a removal has no note of it, also where it is from before the run.
        const isNoted = (run: RunId) => removed[back]?.has(run) === true;
        const expected = new Set<string>(
          kind === 0
            ? [...now.keys(), ...gone]
            : kind === 1
              ? [...new Set([...now.keys(), ...gone])].filter((run) =>
                  gone.has(run) ? !isNoted(run) : before.get(run) !== now.get(run),
                )
              : victim
                ? [victim]
                : [],
        );
        const problems = await verifyPlace({ file }, owner, { runs: [] });
        const named = problems
          .filter(({ code }) => /REMOVED|ROLLBACK/.test(code))
          .map(({ run }) => run ?? '');
        expect(new Set(named)).toEqual(expected);
        // Going on with what is left hides nothing, and neither does opening it again.
        await withStore({ file }, owner, (store) => add(store, 'run_later' as RunId));
        const later = await verifyPlace({ file }, owner, { runs: [] });
        expect(
          new Set(later.filter(({ code }) => /REMOVED|ROLLBACK/.test(code)).map(({ run }) => run)),
        ).toEqual(expected);
      }),
      times(6, 400),
    );
  });

  it('that stayed behind when the process was killed is brought forward by proof', async () => {
    await withStore({ file }, owner, (store) => add(store, nameOf(1)));
    const behind = anchorOf();
    await withStore({ file }, owner, async (store) => {
      await add(store, nameOf(1), 3);
      await add(store, nameOf(2));
    });
    writeFileSync(owner.anchorFile, behind);
    expect(await verifyPlace({ file }, owner, { runs: [] })).toEqual([]);
    await withStore({ file }, owner, async () => undefined);
    const { heads } = readAnchor(anchorOf(), owner.publicKeys);
    expect([...heads.values()].map(({ run, seq }) => `${run} ${seq}`).sort()).toEqual([
      'run_r1 4',
      'run_r2 1',
    ]);
    await withRaw((raw) => cutOff(raw, nameOf(1), 1));
    expect(await verifyPlace({ file }, owner, { runs: [] })).toMatchObject([
      { code: 'E_VERIFY_ROLLBACK', run: 'run_r1', seq: 2, message: expect.stringContaining('events 2 to 4') },
    ]);
  });

  it('has every commit that was answered, also of several processes at once', async () => {
    const stores = [must(await openStore({ file }, { owner })), must(await openStore({ file }, { owner }))];
    await Promise.all(
      stores.map(async (store, index) => {
        for (let round = 0; round < 5; round += 1) await add(store, nameOf(index));
      }),
    );
    const { heads } = readAnchor(anchorOf(), owner.publicKeys);
    expect([...heads.values()].map(({ run, seq }) => `${run} ${seq}`).sort()).toEqual([
      'run_r0 5',
      'run_r1 5',
    ]);
    for (const store of stores) await store.close();
    expect(await verifyPlace({ file }, owner)).toEqual([]);
  });

  it('accepts a removal that was signed for, and no other', async () => {
    await withStore({ file }, owner, async (store) => {
      await add(store, nameOf(1));
      await add(store, nameOf(2));
    });
    const exported = exportAnchor(anchorOf(), owner, 1);
    await withStore({ file }, owner, (store) => store.removeRun(nameOf(1)));
    expect(await verifyPlace({ file }, owner)).toEqual([]);
    expect(await verifyPlace({ file }, owner, { anchor: exported })).toEqual([]);
    const stranger = must(await openStore({ file }));
    await stranger.removeRun(nameOf(2));
    await stranger.close();
    expect(await verifyPlace({ file }, owner)).toMatchObject([{ code: 'E_VERIFY_REMOVED', run: 'run_r2' }]);
    await withStore({ file }, owner, async () => undefined);
    expect(await verifyPlace({ file }, owner)).toMatchObject([{ code: 'E_VERIFY_REMOVED', run: 'run_r2' }]);
  });

  itInTurn(
    'says so when a byte of it was changed, a line taken away in its middle, or all of it',
    async () => {
      await withStore({ file }, owner, async (store) => {
        await add(store, nameOf(1));
        await add(store, nameOf(2), 2);
      });
      const text = anchorOf();
      for (let at = 0; at < text.length; at += 1) {
        const flipped = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`;
        expect(readAnchor(flipped, owner.publicKeys).bad.length, `byte ${at}`).toBeGreaterThan(0);
      }
      expect(readAnchor(text.slice(0, -1), owner.publicKeys).bad).toHaveLength(1);
      rmSync(owner.anchorFile);
      await withStore({ file }, owner, async () => undefined);
      expect(await verifyPlace({ file }, owner)).toMatchObject([
        { code: 'E_VERIFY_ANCHOR', message: expect.stringContaining('was missing') },
      ]);
    },
  );

  it('says so when it was emptied, or when its beginning is gone, also after more was written', async () => {
    await withStore({ file }, owner, (store) => add(store, nameOf(1)));
    const text = anchorOf();
    writeFileSync(owner.anchorFile, text.slice(text.indexOf('\n') + 1));
    expect(await verifyPlace({ file }, owner)).toMatchObject([
      { code: 'E_VERIFY_ANCHOR', message: expect.stringContaining('Line 1') },
    ]);
    writeFileSync(owner.anchorFile, '');
    expect(await verifyPlace({ file }, owner)).toMatchObject([
      { code: 'E_VERIFY_ANCHOR', message: expect.stringContaining('empty') },
    ]);
    await withStore({ file }, owner, (store) => add(store, nameOf(2)));
    expect(await verifyPlace({ file }, owner)).toMatchObject([
      { code: 'E_VERIFY_ANCHOR', message: expect.stringContaining('was missing') },
    ]);
    expect(readAnchor(anchorOf(), owner.publicKeys)).toMatchObject({ bad: [] });
  });

  itInTurn('is written anew when it is long, and when a loss of power has cut its last line', async () => {
    await withStore({ file }, owner, async (store) => {
      for (let round = 0; round < 201; round += 1) await add(store, nameOf(1));
    });
    await withStore({ file }, owner, async () => undefined);
    expect(anchorOf().trim().split('\n')).toHaveLength(1);
    await withStore({ file }, owner, (store) => add(store, nameOf(2)));
    writeFileSync(owner.anchorFile, anchorOf().slice(0, -20));
    expect(await verifyPlace({ file }, owner, { runs: [] })).toMatchObject([{ code: 'E_VERIFY_ANCHOR' }]);
    await withStore({ file }, owner, async () => undefined);
    expect(await verifyPlace({ file }, owner)).toEqual([]);
    expect(readAnchor(anchorOf(), owner.publicKeys).heads.size).toBe(2);
    expect(existsSync(owner.anchorFile)).toBe(true);
  });
});
