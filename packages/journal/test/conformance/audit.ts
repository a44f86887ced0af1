import { expect, it } from 'vitest';
import { itInTurn, share } from '../../../../test/runs.js';
import type { StorePlace } from '../../src/store/open.js';
import { openForTest, type Places } from '../places.js';
import { type Cell, rawDatabase } from '../raw.js';
import { batch, eventsOf, must, OTHER, problemsOf, RUN, rejection } from '../write.js';

const TABLES = ['cuebook_runs', 'cuebook_commits', 'cuebook_blobs', 'cuebook_refs', 'cuebook_projections'];

/** Changes behind the store's back that also fix the check sums: only the chain can tell. */
const EDITS: readonly (readonly [string, string, RegExp])[] = [
  ['a commit is taken out', 'DELETE FROM cuebook_commits WHERE seq = 2', /commit/],
  [
    'the last commit is taken out',
    'DELETE FROM cuebook_commits WHERE position = (SELECT max(position) FROM cuebook_commits)',
    /run/,
  ],
  ['a projection is taken out', "DELETE FROM cuebook_projections WHERE key = 'a'", /projection/],
  ['a blob is taken out', 'DELETE FROM cuebook_blobs WHERE id = 1', /blob|commit/],
  ['the keeping of a blob is taken out', 'DELETE FROM cuebook_refs WHERE blob = 1', /blob/],
];

export function auditCases(places: Places): void {
  itInTurn('finds every flipped byte of every stored value, and names the run', async () => {
    const { place } = await filledPlace(places);
    const raw = await rawDatabase(place);
    let tried = 0;
    const unseen: string[] = [];
    const isCautious = places.kind === 'postgres';
    for (const table of TABLES) {
      const { columns, rows } = await raw.read(table);
      for (const row of rows) {
        for (const [index, column] of columns.entries()) {
          for (const flipped of flips(row[index] ?? null, share(2, isCautious ? 3 : 8))) {
            if (!(await raw.tryUpdate({ table, columns, row, column, value: flipped }))) continue;
            tried += 1;
            const checked = await openForTest(place);
            const problems = await problemsOf(checked);
            await checked.close();
            if (problems.length === 0)
              unseen.push(`${table}.${column} ${show(row[index] ?? null)} -> ${show(flipped)}`);
            await raw.restoreRow({ table, columns, row, column, value: flipped });
          }
        }
      }
    }
    expect(unseen).toEqual([]);
    expect(tried).toBeGreaterThan(share(50, isCautious ? 60 : 150));
    const healed = await openForTest(place);
    expect(await problemsOf(healed)).toEqual([]);
    await raw.close();
  });

  it.each(EDITS)('finds that %s', async (_name, sql, kind) => {
    const { place } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.run(sql);
    await raw.close();
    const problems = await problemsOf(await openForTest(place));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.some((problem) => kind.test(problem.kind))).toBe(true);
  });

  it('accepts missing content only with a recorded deletion', async () => {
    const { place, hash } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.forgeDeletion();
    await raw.close();
    const problems = await problemsOf(await openForTest(place), RUN);
    expect(problems).toMatchObject([{ kind: 'blob', run: RUN, blob: hash }]);
  });

  it('finds an event that was rewritten together with its check sum, and names its commit', async () => {
    const { place } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.forgeEvent();
    await raw.close();
    const reopened = await openForTest(place);
    const problems = await problemsOf(reopened, RUN);
    expect(problems).toMatchObject([
      { kind: 'commit', run: RUN, firstSeq: 1, lastSeq: 1, command: 'cmd_1st' },
    ]);
    expect(await problemsOf(reopened, OTHER)).toEqual([]);
  });

  it('finds a command that its id does not lead to', async () => {
    const { place } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.forgeCommand();
    await raw.close();
    const problems = await problemsOf(await openForTest(place), RUN);
    expect(problems).toMatchObject([{ kind: 'command', run: RUN, firstSeq: 1, command: 'cmd_1st' }]);
  });

  it('a blob whose content was swapped together with its check sum is not handed out', async () => {
    const { place, hash } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.forgeContent();
    await raw.close();
    const store = await openForTest(place);
    expect(await rejection(store.getBlob(hash))).toMatchObject({ error: { code: 'E_JOURNAL_CORRUPT' } });
    expect(await problemsOf(store, RUN)).toMatchObject([{ kind: 'blob', run: RUN, blob: hash }]);
  });

  it('reading a damaged value fails instead of answering something else', async () => {
    const { place, hash } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.damage('cuebook_commits', 'body');
    await raw.damage('cuebook_blobs', 'data');
    await raw.damage('cuebook_projections', 'value');
    await raw.close();
    const damaged = await openForTest(place);
    const readings = [
      () => damaged.read(RUN),
      () => damaged.getBlob(hash),
      () => damaged.projection('view', 'a'),
    ];
    for (const reading of readings) {
      expect(await rejection(reading())).toMatchObject({ error: { code: 'E_JOURNAL_CORRUPT' } });
    }
  });

  it('reading a row in which only a number was changed fails', async () => {
    const { place } = await filledPlace(places);
    const raw = await rawDatabase(place);
    await raw.run('UPDATE cuebook_commits SET at = at + 1');
    await raw.close();
    const damaged = await openForTest(place);
    expect(await rejection(damaged.read(RUN))).toMatchObject({ error: { code: 'E_JOURNAL_CORRUPT' } });
  });

  it('says of an unknown run that it is not there', async () => {
    const store = await openForTest(await places.fresh());
    expect(await problemsOf(store, RUN)).toMatchObject([{ kind: 'run', run: RUN }]);
  });
}

/** A closed store with something in it, and the name of its first blob. */
async function filledPlace(places: Places): Promise<{ readonly place: StorePlace; readonly hash: string }> {
  const place = await places.fresh();
  const store = await openForTest(place);
  await fill(store);
  const [hash = ''] = (await store.commits(RUN))[0]?.blobs ?? [];
  await store.close();
  return { place, hash };
}

async function fill(store: Awaited<ReturnType<typeof openForTest>>): Promise<void> {
  must(
    await store.append(
      batch({
        command: 'cmd_1st',
        events: [{ type: 'thing.done', data: { text: 'the first words '.repeat(8), number: 1 } }],
        answer: { told: true },
        blobs: [Buffer.from('content of a block '.repeat(12))],
        projections: [{ name: 'view', key: 'a', value: { state: 'a value that is stored '.repeat(4) } }],
      }),
    ),
  );
  must(await store.append(batch({ command: 'cmd_2nd', expectedSeq: 1, events: eventsOf(1) })));
  must(await store.append(batch({ command: 'cmd_3rd', run: OTHER, events: eventsOf(2) })));
  must(
    await store.append(
      batch({ command: 'cmd_4th', expectedSeq: 2, events: eventsOf(1), blobs: [Buffer.from('b')] }),
    ),
  );
}

/** Some values that differ from this one in one byte, spread over it. */
function flips(cell: Cell, count: number): readonly Cell[] {
  if (cell === null) return [1];
  if (typeof cell === 'number') return [cell + 1, cell ^ 64];
  const bytes = Buffer.from(typeof cell === 'string' ? Buffer.from(cell) : cell);
  if (bytes.length === 0) return [];
  const places = Array.from({ length: count }, (_, index) =>
    Math.floor((index * (bytes.length - 1)) / (count - 1)),
  );
  return [...new Set(places)].map((at) => {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    return typeof cell === 'string' ? flipped.toString('latin1') : flipped;
  });
}

const show = (cell: Cell): string =>
  cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : String(cell);
