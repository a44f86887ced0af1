import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn, runs } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { ownerOf, verifyPlace, withStore } from '../../test/owner.js';
import { type Cell, type RawDatabase, rawDatabase } from '../../test/raw.js';
import { block, requestOf } from '../../test/turns.js';
import { batch, must } from '../../test/write.js';
import type { RunId, Store } from '../contract.js';
import type { StoreOwner } from '../owner/project.js';
import { createRecorder } from '../turn/recorder.js';
import type { VerifyProblem } from '../verify/problem.js';

describePart('postgres', 'a journal in PostgreSQL that somebody has changed', () => {
  let server: Databases;
  let home: string;
  beforeAll(async () => {
    server = await sharedPostgres();
    home = mkdtempSync(join(tmpdir(), 'cuebook-verify-'));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const RUNS = ['run_one', 'run_two', 'run_three'] as RunId[];

  async function fill(store: Store, owner: StoreOwner, runs: readonly RunId[], turns: readonly number[]) {
    const recorder = createRecorder({ store, signer: owner.signer });
    for (const run of runs) {
      for (const turn of turns) {
        const request = requestOf([
          block('rules', `Rules of ${run}. `.repeat(40)),
          block('task', `Task ${turn}.`),
        ]);
        const sent = { channel: 'http', hash: `sha256:${'0'.repeat(64)}`, ordinal: 1 } as const;
        await recorder.record({ run, turn: `t${turn}`, lane: 'l', request, provider: 'p', sent });
        await recorder.end({ run, turn: `t${turn}`, reason: 'done', text: `Answer ${turn} of ${run}.` });
      }
      const expectedSeq = (await store.head(run))?.seq ?? 0;
      must(
        await store.append(batch({ run, expectedSeq, blobs: [Buffer.alloc(9000, `${run}${turns.join()}`)] })),
      );
    }
  }

  interface Desk {
    readonly raw: RawDatabase;
    readonly owner: StoreOwner;
    /** An anchor of before. */
    readonly early: string;
  }
  let made: { owner: StoreOwner; databaseUrl: string; early: string; anchor: string } | undefined;
  /** The same records for all, made once; each change has a copy of them. */
  async function make() {
    const owner = await ownerOf(home);
    const databaseUrl = await server.createDatabase();
    await withStore({ databaseUrl }, owner, (store) => fill(store, owner, RUNS, [1, 2]));
    const early = readFileSync(owner.anchorFile, 'utf8');
    await withStore({ databaseUrl }, owner, (store) => fill(store, owner, RUNS.slice(0, 2), [3]));
    expect(await verifyPlace({ databaseUrl }, owner)).toEqual([]);
    return { owner, databaseUrl, early, anchor: readFileSync(owner.anchorFile, 'utf8') };
  }
  async function tampered(change: (desk: Desk) => Promise<unknown>): Promise<readonly VerifyProblem[]> {
    made ??= await make();
    const { owner, early, anchor } = made;
    const databaseUrl = await copyOf(made.databaseUrl, await server.createDatabase());
    writeFileSync(owner.anchorFile, anchor);
    const raw = await rawDatabase({ databaseUrl });
    await change({ raw, owner, early });
    await raw.close();
    return verifyPlace({ databaseUrl }, owner);
  }
  /** Puts a copy of a database in the place of an empty one. */
  async function copyOf(from: string, to: string): Promise<string> {
    const [source, target] = [from, to].map((url) => new URL(url).pathname.slice(1));
    const admin = new URL(to);
    admin.pathname = '/postgres';
    const client = new pg.Client({ connectionString: admin.href });
    await client.connect();
    await client.query(`DROP DATABASE "${target}"`);
    await client.query(`CREATE DATABASE "${target}" TEMPLATE "${source}"`);
    await client.end();
    return to;
  }
  const idOf = '(SELECT id FROM cuebook_runs WHERE name = ?)';
  const TABLES = ['cuebook_projections', 'cuebook_refs', 'cuebook_commits', 'cuebook_blobs', 'cuebook_runs'];

  const CHANGES: readonly [string, string, (desk: Desk) => Promise<unknown>][] = [
    [
      'emptied',
      'run_one is not in the journal any more',
      async ({ raw }) => {
        for (const t of TABLES) await raw.run(`DELETE FROM ${t}`);
      },
    ],
    [
      'truncated',
      'run_one is not in the journal any more',
      ({ raw }) => raw.run(`TRUNCATE ${TABLES.join(', ')} CASCADE`),
    ],
    [
      'run removed',
      'run_two is not in the journal any more',
      async ({ raw }) => {
        await raw.run(`DELETE FROM cuebook_commits WHERE run = ${idOf}`, ['run_two']);
        await raw.run(`DELETE FROM cuebook_refs WHERE run = ${idOf}`, ['run_two']);
        await raw.run(`DELETE FROM cuebook_runs WHERE name = ?`, ['run_two']);
      },
    ],
    [
      'last commit gone',
      'the chain does not end where the run says',
      ({ raw }) =>
        raw.run(`DELETE FROM cuebook_commits WHERE position = (SELECT max(position) FROM cuebook_commits)`),
    ],
    [
      'middle commit gone',
      'commits are not there',
      ({ raw }) =>
        raw.run(
          `DELETE FROM cuebook_commits WHERE position = (SELECT min(position) + 3 FROM cuebook_commits)`,
        ),
    ],
    ['commit edited', 'the row is not as it was written', ({ raw }) => raw.damage('cuebook_commits', 'body')],
    ['event forged', 'does not fit its hash', ({ raw }) => raw.forgeEvent()],
    ['command forged', 'the command is not found under its id', ({ raw }) => raw.forgeCommand()],
    ['blob damaged', 'its row is not as it was written', ({ raw }) => raw.damage('cuebook_blobs', 'data')],
    ['blob emptied', 'its content is gone', ({ raw }) => raw.forgeDeletion()],
    ['blob other content', 'its content is not what its name says', ({ raw }) => raw.forgeContent()],
    [
      'blobs swapped',
      'its row is not as it was written',
      ({ raw }) =>
        raw.run(
          `UPDATE cuebook_blobs a SET data = b.data, size = b.size FROM cuebook_blobs b WHERE (a.id = (SELECT min(id) FROM cuebook_blobs) AND b.id = (SELECT max(id) FROM cuebook_blobs)) OR (b.id = (SELECT min(id) FROM cuebook_blobs) AND a.id = (SELECT max(id) FROM cuebook_blobs))`,
        ),
    ],
    [
      'blobs gone',
      'it is not there',
      ({ raw }) => raw.run('DELETE FROM cuebook_blobs WHERE id = (SELECT max(id) FROM cuebook_blobs)'),
    ],
    ['refs gone', 'there are blobs that nobody keeps', ({ raw }) => raw.run('DELETE FROM cuebook_refs')],
    [
      'run renamed',
      'run_one is not in the journal any more',
      ({ raw }) => raw.run(`UPDATE cuebook_runs SET name = 'run_five' WHERE name = ?`, ['run_one']),
    ],
    [
      'commits of runs swapped',
      'run_two does not have event',
      ({ raw }) =>
        raw.run(`UPDATE cuebook_commits SET run = ${idOf} WHERE run = ${idOf}`, ['run_three', 'run_two']),
    ],
    [
      'times changed',
      'the row is not as it was written',
      ({ raw }) => raw.run('UPDATE cuebook_commits SET at = at + 1000'),
    ],
    [
      'removal unsigned',
      'The row of run_one cannot be read',
      ({ raw }) => raw.run('UPDATE cuebook_runs SET removed_at = 5 WHERE name = ?', ['run_one']),
    ],
    [
      'anchored flag off, run gone',
      'run_two is not in the journal any more',
      async ({ raw }) => {
        await raw.run(`UPDATE cuebook_meta SET value = '0' WHERE name = 'anchored'`);
        await raw.run(`DELETE FROM cuebook_commits WHERE run = ${idOf}`, ['run_two']);
        await raw.run(`DELETE FROM cuebook_runs WHERE name = ?`, ['run_two']);
      },
    ],
    [
      'owner gone',
      'whose records these are is not said any more',
      ({ raw }) => raw.run('DELETE FROM cuebook_owner'),
    ],
    [
      'meta gone',
      'its layout is not one that this version knows',
      ({ raw }) => raw.run('DELETE FROM cuebook_meta'),
    ],
    [
      'a table dropped',
      'the table cuebook_refs cannot be read',
      ({ raw }) => raw.run('DROP TABLE cuebook_refs CASCADE'),
    ],
    [
      'all tables dropped',
      'the table cuebook_runs cannot be read',
      async ({ raw }) => {
        for (const t of TABLES) await raw.run(`DROP TABLE ${t} CASCADE`);
      },
    ],
    [
      'a column dropped',
      'the column cuebook_commits.hash is not there',
      ({ raw }) => raw.run('ALTER TABLE cuebook_commits DROP COLUMN hash CASCADE'),
    ],
    [
      'a table behind a view',
      'the rule _RETURN is none of a journal',
      async ({ raw }) => {
        await raw.run('ALTER TABLE cuebook_blobs RENAME TO kept');
        await raw.run('CREATE VIEW cuebook_blobs AS SELECT * FROM kept WHERE id > 1');
      },
    ],
    [
      'a trigger',
      'the trigger t is none of a journal',
      async ({ raw }) => {
        await raw.run(
          `CREATE FUNCTION nothing() RETURNS trigger AS 'BEGIN RETURN NULL; END' LANGUAGE plpgsql`,
        );
        await raw.run(
          'CREATE TRIGGER t BEFORE INSERT ON cuebook_commits FOR EACH ROW EXECUTE FUNCTION nothing()',
        );
      },
    ],
    [
      'a rule',
      'the rule r is none of a journal',
      ({ raw }) => raw.run('CREATE RULE r AS ON INSERT TO cuebook_refs DO INSTEAD NOTHING'),
    ],
    [
      'row security',
      'the row security of cuebook_runs',
      async ({ raw }) => {
        await raw.run('ALTER TABLE cuebook_runs ENABLE ROW LEVEL SECURITY');
        await raw.run('ALTER TABLE cuebook_runs FORCE ROW LEVEL SECURITY');
      },
    ],
    [
      'a key gone',
      'the index cuebook_commits_pkey is not there',
      ({ raw }) =>
        raw.run('ALTER TABLE cuebook_commits DROP CONSTRAINT IF EXISTS cuebook_commits_pkey CASCADE'),
    ],
    [
      'a function changed',
      'the function cuebook_now() is not as it was declared',
      ({ raw }) =>
        raw.run(
          `CREATE OR REPLACE FUNCTION cuebook_now() RETURNS bigint LANGUAGE sql VOLATILE AS $f$ SELECT 1::bigint $f$`,
        ),
    ],
    [
      'an index gone',
      'the index cuebook_commits_run is not there',
      ({ raw }) => raw.run('DROP INDEX cuebook_commits_run'),
    ],
    [
      'a table that is lost with the power',
      'the table cuebook_refs is not as it was declared',
      ({ raw }) => raw.run('ALTER TABLE cuebook_refs SET UNLOGGED'),
    ],
    [
      'a column that may be empty',
      'the column cuebook_commits.body is not as it was declared',
      ({ raw }) => raw.run('ALTER TABLE cuebook_commits ALTER COLUMN body DROP NOT NULL'),
    ],
    ['anchor gone', 'the anchor is missing', async ({ owner }) => rmSync(owner.anchorFile)],
    ['anchor emptied', 'the anchor is empty', async ({ owner }) => writeFileSync(owner.anchorFile, '')],
    [
      'anchor edited',
      'a signature that does not fit',
      async ({ owner }) =>
        writeFileSync(owner.anchorFile, readFileSync(owner.anchorFile, 'utf8').replace('run_one', 'run_onE')),
    ],
    [
      'anchor older and run cut off',
      'the chain does not end where the run says',
      async ({ owner, early, raw }) => {
        writeFileSync(owner.anchorFile, early);
        await raw.run(
          `DELETE FROM cuebook_commits WHERE position = (SELECT max(position) FROM cuebook_commits)`,
        );
      },
    ],
  ];
  const ALWAYS: ReadonlySet<string> = new Set([
    'emptied',
    'run removed',
    'event forged',
    'a trigger',
    'a key gone',
  ]);

  const told = async (_name: string, message: string, change: (desk: Desk) => Promise<unknown>) => {
    const problems = await tampered(change);
    expect(problems.map(({ message: said }) => said).join('\n')).toContain(message);
  };
  /** The tables whose every cell says something: each is in a check sum, a chain or the claim. */
  const CELLS = ['cuebook_runs', 'cuebook_commits', 'cuebook_blobs', 'cuebook_refs'];
  const wrongOf = (cell: Cell, others: readonly Cell[], at: number, how: number): Cell => {
    const other = others[at % others.length] ?? null;
    if (how === 0) return other;
    if (cell === null) return 7;
    if (typeof cell === 'number') return [cell + 1, -cell - 1, 2 ** 40][how % 3] ?? 0;
    if (typeof cell === 'string') return ['', `${cell}x`, cell.slice(1)][how % 3] ?? '';
    const bytes = Buffer.from(cell);
    if (how === 1) return Buffer.alloc(0);
    if (how === 2) return bytes.subarray(0, bytes.length >> 1);
    if (how === 3) return Buffer.alloc(bytes.length);
    const index = at % Math.max(1, bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ (1 << (how % 8));
    return bytes;
  };
  const isSame = (one: Cell, other: Cell): boolean =>
    one instanceof Uint8Array && other instanceof Uint8Array
      ? Buffer.from(one).equals(other)
      : String(one) === String(other);

  itInTurn('no cell that was changed, emptied, cut or swapped passes, and none ends the look', async () => {
    made ??= await make();
    const { owner, anchor } = made;
    const databaseUrl = await copyOf(made.databaseUrl, await server.createDatabase());
    writeFileSync(owner.anchorFile, anchor);
    const raw = await rawDatabase({ databaseUrl });
    const damage = fc.record({
      table: fc.constantFrom(...CELLS),
      row: fc.nat(),
      column: fc.nat(),
      at: fc.nat(5_000),
      how: fc.nat(12),
    });
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(damage, async ({ table, row: r, column: c, at, how }) => {
        const { columns, rows } = await raw.read(table);
        const row = rows[r % rows.length] as readonly Cell[];
        const index = c % columns.length;
        const cell = row[index] ?? null;
        const value = wrongOf(
          cell,
          rows.map((each) => each[index] ?? null),
          at,
          how,
        );
        if (isSame(cell, value)) return;
        const change = { table, columns, row, column: columns[index] as string, value };
        if (!(await raw.tryUpdate(change))) return;
        taken += 1;
        const problems = await verifyPlace({ databaseUrl }, owner);
        await raw.restoreRow(change);
        expect(problems, JSON.stringify({ ...change, row: undefined })).not.toEqual([]);
      }),
      runs(100, 2_000),
    );
    expect(await verifyPlace({ databaseUrl }, owner)).toEqual([]);
    await raw.close();
    expect(taken).toBeGreaterThan(0);
  });

  it.each(CHANGES.filter(([name]) => ALWAYS.has(name)))('is told: %s', told);
  itInTurn.each(CHANGES.filter(([name]) => !ALWAYS.has(name)))('is told of: %s', told);
});
