import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import Database from 'libsql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runs as times } from '../../../../test/runs.js';
import { ownerOf, verifyPlace, withStore } from '../../test/owner.js';
import { block, requestOf } from '../../test/turns.js';
import { batch, must } from '../../test/write.js';
import type { RunId } from '../contract.js';
import type { StoreOwner } from '../owner/project.js';
import { encodeBody } from '../store/row/body.js';
import { sumOf } from '../store/row/sum.js';
import { turnOf } from '../turn/find.js';
import { createRecorder } from '../turn/recorder.js';

const RUNS = ['run_one', 'run_two', 'run_three'] as RunId[];
let folder = '';
let file = '';
let owner: StoreOwner;
let whole: Buffer;
let columns: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cuebook-damage-'));
  file = join(folder, 'journal.db');
  owner = await ownerOf(folder);
  await withStore({ file }, owner, async (store) => {
    const recorder = createRecorder({ store, signer: owner.signer });
    for (const run of RUNS) {
      for (let turn = 0; turn < 3; turn += 1) {
        const request = requestOf([
          block('rules', `Rules of ${run}. `.repeat(40)),
          block('task', `Task ${turn}.`),
        ]);
        const sent = { channel: 'http', hash: `sha256:${'0'.repeat(64)}`, ordinal: 1 } as const;
        await recorder.record({ run, turn: `t${turn}`, lane: 'l', request, provider: 'p', sent });
        await recorder.end({ run, turn: `t${turn}`, reason: 'done', text: `Answer ${turn} of ${run}.` });
      }
      const expectedSeq = (await store.head(run))?.seq ?? 0;
      const projections = [{ name: 'view', key: run, value: { turns: 3, text: 'x'.repeat(300) } }];
      must(await store.append(batch({ run, expectedSeq, projections, blobs: [Buffer.alloc(9000, run)] })));
    }
    await store.removeRun(RUNS[2] as RunId);
  });
  const database = new Database(file);
  columns = new Map(
    TABLES.map((table) => [
      table,
      database
        .prepare(`SELECT * FROM ${table}`)
        .columns()
        .map(({ name }) => name),
    ]),
  );
  database.close();
  whole = readFileSync(file);
});
beforeEach(() => put(whole));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const verify = () => verifyPlace({ file }, owner);

/** Everything that is stored, but for what only this moment needs. */
function dump(): string {
  const database = new Database(file);
  try {
    return TABLES.flatMap((table) => {
      const cells = columns.get(table)?.map((name) => `typeof(${name}), hex(${name})`);
      const rows = database.prepare(`SELECT ${cells} FROM ${table} ORDER BY 1, 2`).raw(true).all([]);
      return (rows as unknown[][]).map((row) => row.join(' ')).sort();
    }).join('\n');
  } catch {
    return 'cannot be read';
  } finally {
    database.close();
  }
}

const TABLES = ['runs', 'commits', 'blobs', 'refs', 'projections', 'owner', 'removals', 'keys'].map(
  (name) => `cuebook_${name}`,
);

function put(bytes: Uint8Array): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  writeFileSync(file, bytes, { mode: 0o600 });
}

describe('a damaged journal', () => {
  it('is whole before it is damaged', async () => {
    expect(await verify()).toEqual([]);
  });

  it('never passes for a whole one, and never ends the look, whatever bytes of the file were changed', async () => {
    const truth = dump();
    const at = fc.nat(whole.length - 1);
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at, bit: fc.nat(7) }),
      fc.record({ kind: fc.constant('header' as const), at: fc.nat(99), bit: fc.nat(7) }),
      fc.record({
        kind: fc.constant('fill' as const),
        at,
        length: fc.integer({ min: 1, max: 9000 }),
        byte: fc.nat(255),
      }),
      fc.record({ kind: fc.constant('cut' as const), at }),
      fc.record({
        kind: fc.constant('noise' as const),
        at,
        bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (each) => {
        const bytes = Buffer.from(whole);
        if (each.kind === 'flip' || each.kind === 'header')
          bytes[each.at] = (bytes[each.at] ?? 0) ^ (1 << each.bit);
        if (each.kind === 'fill')
          bytes.fill(each.byte, each.at, Math.min(bytes.length, each.at + each.length));
        if (each.kind === 'noise') bytes.set(each.bytes.subarray(0, bytes.length - each.at), each.at);
        put(each.kind === 'cut' ? bytes.subarray(0, each.at) : bytes);
        const problems = await verify();
        // Whatever is not found has changed nothing: it hit room that nothing uses.
        if (problems.length === 0) expect(dump()).toBe(truth);
      }),
      times(60, 5_000),
    );
  });

  it('is named by turn and part, whatever row was flipped, taken away or swapped', async () => {
    const places = await placesOfRows();
    const damage = fc.record<RowDamage>({
      kind: fc.constantFrom('flip', 'remove', 'swap'),
      table: fc.constantFrom('commits', 'blobs'),
      row: fc.nat(),
      other: fc.nat(),
      byte: fc.nat(),
      bit: fc.nat(7),
    });
    await fc.assert(
      fc.asyncProperty(damage, async (each) => {
        put(whole);
        const hit = hitRows(each);
        const problems = await verify();
        for (const id of hit) {
          const place = places.get(id);
          if (place === undefined) continue; // Recorded beside the turns.
          const found = problems.filter(({ run, turn }) => run === place.run && turn === place.turn);
          expect(found, `${JSON.stringify(each)} ${id}`).not.toEqual([]);
          if (place.part !== undefined) expect(found.map(({ block: name }) => name)).toContain(place.part);
        }
        expect(problems.length).toBeGreaterThan(0);
      }),
      times(40, 1_000),
    );
  });

  const SQL: readonly (readonly [string, string | ((database: InstanceType<typeof Database>) => void)])[] = [
    ...TABLES.slice(0, 5).map((table) => [`without ${table}`, `DROP TABLE ${table}`] as const),
    ['without its layout', "DELETE FROM cuebook_meta WHERE name = 'schema'"],
    ['with a layout of the future', "UPDATE cuebook_meta SET value = 999 WHERE name = 'schema'"],
    [
      'with a declaration of another meaning',
      `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY KEY', 'PRIMART KEY')
        WHERE name = 'cuebook_owner'`,
    ],
    ['with a lower floor', "UPDATE cuebook_meta SET value = 0 WHERE name = 'floor'"],
    ['with a floor that is no number', "UPDATE cuebook_meta SET value = 'x' WHERE name = 'floor'"],
    ['without its floor', "DELETE FROM cuebook_meta WHERE name = 'floor'"],
    ['with a number of its own', "INSERT INTO cuebook_meta (name, value) VALUES ('more', 1)"],
    ['with an older layout', "UPDATE cuebook_meta SET value = 7 WHERE name = 'schema'"],
    ['with a much older layout', "UPDATE cuebook_meta SET value = 3 WHERE name = 'schema'"],
    ['that says it was never anchored', "UPDATE cuebook_meta SET value = 0 WHERE name = 'anchored'"],
    ['without its keys', 'DELETE FROM cuebook_keys'],
    ['without an index', 'DROP INDEX cuebook_commits_run'],
    ['with a removal that cannot be read', "UPDATE cuebook_removals SET signed_by = CAST(x'ff' AS TEXT)"],
    ['with an owner that cannot be read', "UPDATE cuebook_owner SET name = CAST(x'ff' AS TEXT)"],
    ['of another owner', "UPDATE cuebook_owner SET name = 'other'"],
    ['with a removal undone', 'UPDATE cuebook_runs SET removed_at = NULL'],
    ['with a removal that nobody signed for', 'UPDATE cuebook_removals SET seq = seq + 1'],
    ['without any run', 'DELETE FROM cuebook_runs'],
    ['without any commit', 'DELETE FROM cuebook_commits'],
    ['without any blob', 'DELETE FROM cuebook_blobs'],
    ['with a text for a body', "UPDATE cuebook_commits SET body = 'text' WHERE position = 2"],
    ['with a number for a hash', 'UPDATE cuebook_commits SET hash = 7 WHERE position = 2'],
    ['with a text for a number', "UPDATE cuebook_commits SET seq = 'many' WHERE position = 2"],
    ['with bytes for a name', "UPDATE cuebook_runs SET name = x'00ff' WHERE id = 1"],
    ['with a huge number', 'UPDATE cuebook_runs SET seq = 9007199254740993 WHERE id = 1'],
    ['with a negative number', 'UPDATE cuebook_runs SET seq = -5 WHERE id = 1'],
    ['with a name that is no UTF-8', "UPDATE cuebook_runs SET name = CAST(x'41ff42' AS TEXT) WHERE id = 1"],
    [
      'with a body that is no UTF-8',
      "UPDATE cuebook_commits SET body = CAST(x'41ff42' AS TEXT) WHERE position = 2",
    ],
    [
      'with a number that is no UTF-8',
      "UPDATE cuebook_commits SET seq = CAST(x'ff' AS TEXT) WHERE position = 2",
    ],
    ['with a huge body', 'UPDATE cuebook_commits SET body = zeroblob(20000000) WHERE position = 2'],
    ['with garbage for JSON and a right sum', (database) => forge(database, '{"not json')],
    ['with JSON of another form and a right sum', (database) => forge(database, '[[[[]]]]')],
  ];
  it.each(SQL)('%s is named, and so is what was not hit', async (_name, act) => {
    const database = new Database(file);
    database.exec('PRAGMA foreign_keys = OFF');
    if (typeof act === 'string') database.exec(act);
    else act(database);
    database.close();
    const problems = await verify();
    expect(problems.length).toBeGreaterThan(0);
    for (const { message } of problems) expect(message).not.toContain(folder);
  });

  it('of which nothing can be read names every run that was there', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('x'),
      Buffer.alloc(whole.length),
      Buffer.from('text '.repeat(2000)),
    ]) {
      put(bytes);
      const problems = await verify();
      expect(new Set(problems.flatMap(({ run }) => run ?? []))).toEqual(new Set(RUNS));
    }
  });

  it.each([
    [
      'a trigger',
      'CREATE TRIGGER t AFTER INSERT ON cuebook_runs BEGIN DELETE FROM cuebook_blobs; END',
      'trigger t',
    ],
    [
      'a trigger on an update',
      'CREATE TRIGGER t BEFORE UPDATE ON cuebook_runs BEGIN SELECT 1; END',
      'trigger t',
    ],
    ['a view', 'CREATE VIEW v AS SELECT * FROM cuebook_runs', 'view v'],
    ['a column more', 'ALTER TABLE cuebook_runs ADD COLUMN more TEXT', 'cuebook_runs'],
    ['no claim', 'DELETE FROM cuebook_owner', 'whose records these are'],
  ])('that has %s is not as it was made', async (_, statement, told) => {
    const database = new Database(file);
    database.exec(statement);
    database.close();
    expect(await verify()).toMatchObject([
      { code: 'E_VERIFY_STORE', message: expect.stringContaining(told) },
    ]);
  });

  it('that may not be written is verified, and left as it is to the byte', async () => {
    const place = join(folder, 'copy');
    mkdirSync(place);
    copyFileSync(file, join(place, 'journal.db'));
    chmodSync(join(place, 'journal.db'), 0o444);
    chmodSync(place, 0o555);
    const before = statSync(place).mtimeMs;
    expect(await verifyPlace({ file: join(place, 'journal.db') }, owner)).toEqual([]);
    expect(readFileSync(join(place, 'journal.db')).equals(whole)).toBe(true);
    expect(statSync(place).mtimeMs).toBe(before);
    chmodSync(place, 0o755);
  });
});

interface RowPlace {
  readonly run: string;
  readonly turn: string;
  /** The block, for a row that holds the text of one. */
  readonly part?: string;
}

/** By table and row number: what a row holds of which turn. Rows that hold nothing of a turn are left out. */
async function placesOfRows(): Promise<ReadonlyMap<string, RowPlace>> {
  const places = new Map<string, RowPlace>();
  const database = new Database(file);
  const ids = new Map(
    (database.prepare('SELECT id, name FROM cuebook_blobs').raw(true).all([]) as [number, Buffer][]).map(
      ([id, name]) => [`sha256:${Buffer.from(name).toString('hex')}`, id],
    ),
  );
  database.close();
  await withStore({ file }, owner, async (store) => {
    for (const run of RUNS.slice(0, 2)) {
      for (const { position, events, blobs } of await store.commits(run)) {
        const turn = events.map(turnOf).find((each) => each !== undefined);
        if (turn === undefined) continue;
        places.set(`commits ${position}`, { run, turn });
        for (const blob of blobs) {
          const id = `blobs ${ids.get(blob)}`;
          const text = Buffer.from((await store.getBlob(blob)) as Uint8Array).toString();
          const part = /^Rules/.test(text) ? 'rules' : /^Task/.test(text) ? 'task' : undefined;
          // Content of several runs is named in each; here the first counts.
          if (!places.has(id)) places.set(id, { run, turn, ...(part && { part }) });
        }
      }
    }
  });
  put(whole);
  return places;
}

interface RowDamage {
  readonly kind: 'flip' | 'remove' | 'swap';
  readonly table: 'commits' | 'blobs';
  readonly row: number;
  readonly other: number;
  readonly byte: number;
  readonly bit: number;
}

/** Does the damage and answers the rows that it hit. */
function hitRows({ kind, table, row, other, byte, bit }: RowDamage): readonly string[] {
  const key = table === 'commits' ? 'position' : 'id';
  const content = table === 'commits' ? 'body' : 'data';
  const database = new Database(file);
  try {
    database.exec('PRAGMA foreign_keys = OFF');
    const rows = database
      .prepare(`SELECT ${key}, ${content} FROM cuebook_${table} WHERE ${content} IS NOT NULL ORDER BY 1`)
      .raw(true)
      .all([]) as [number, Buffer][];
    const [id, bytes] = rows[row % rows.length] as [number, Buffer];
    if (kind === 'remove') {
      database.prepare(`DELETE FROM cuebook_${table} WHERE ${key} = ?`).run([id]);
      return [`${table} ${id}`];
    }
    const update = database.prepare(`UPDATE cuebook_${table} SET ${content} = ? WHERE ${key} = ?`);
    const [swapped, theirs] = rows[other % rows.length] as [number, Buffer];
    if (kind === 'swap' && swapped !== id && !Buffer.from(theirs).equals(Buffer.from(bytes))) {
      update.run([Buffer.from(theirs), id]);
      update.run([Buffer.from(bytes), swapped]);
      return [`${table} ${id}`, `${table} ${swapped}`];
    }
    const flipped = Buffer.from(bytes);
    const at = byte % flipped.length;
    flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
    update.run([flipped, id]);
    return [`${table} ${id}`];
  } finally {
    database.close();
  }
}

/** Puts other data into an event of the first commit and makes its check sum fit. */
function forge(database: InstanceType<typeof Database>, data: string): void {
  const [row = []] = database
    .prepare(
      'SELECT position, run, seq, at, command_key, body, hash FROM cuebook_commits ORDER BY position LIMIT 1',
    )
    .raw(true)
    .all([]) as never as (number | Buffer)[][];
  const events = [{ type: 'turn.recorded', data }];
  const body = encodeBody({ command: 'c', target: 't', answer: 'null', projections: [], blobs: [], events });
  const cells = [...row.slice(0, 5), body, row[6] ?? null];
  database
    .prepare('UPDATE cuebook_commits SET body = ?, sum = ? WHERE position = ?')
    .run([body, sumOf(...cells), row[0]]);
}
