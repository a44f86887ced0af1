import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openForTest, scratchFolder, sqlitePlaces } from '../../test/places.js';
import { batch, codeOf, must, problemsOf, RUN } from '../../test/write.js';
import { openStore } from '../store/open.js';
import { APPLICATION_ID } from './mark.js';

const fileOf = async (): Promise<string> => {
  const place = await sqlitePlaces.fresh();
  return 'file' in place ? place.file : '';
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the file of a store', () => {
  it('is private from the first byte on, with all that stands beside it, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      const file = await fileOf();
      const store = await openForTest({ file });
      must(await store.append(batch({ blobs: [Buffer.alloc(100_000, 7)] })));
      expect(modeOf(dirname(file))).toBe('700');
      for (const suffix of ['', '-wal', '-shm']) expect(modeOf(`${file}${suffix}`)).toBe('600');
    } finally {
      process.umask(umask);
    }
  });

  it('is refused when others may read it', async () => {
    const file = await fileOf();
    await (await openForTest({ file })).close();
    chmodSync(file, 0o644);
    expect(codeOf(await openStore({ file }))).toBe('E_JOURNAL_INVALID');
  });

  it.each([
    ['a text', 'not a database '.repeat(100)],
    ['a few bytes', 'x'],
  ])('%s is refused and left as it is', async (_name, text) => {
    const file = join(scratchFolder(), 'x.db');
    writeFileSync(file, text, { mode: 0o600 });
    expect(codeOf(await openStore({ file }))).toBe('E_JOURNAL_FOREIGN');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('a database of something else is refused and left as it is', async () => {
    const file = join(scratchFolder(), 'x.db');
    writeFileSync(file, '', { mode: 0o600 });
    const database = new Database(file);
    database.exec('CREATE TABLE notes (text TEXT)');
    database.close();
    const before = readFileSync(file);
    expect(codeOf(await openStore({ file }))).toBe('E_JOURNAL_FOREIGN');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('a database with our mark and tables of something else is refused', async () => {
    const file = join(scratchFolder(), 'x.db');
    writeFileSync(file, '', { mode: 0o600 });
    const database = new Database(file);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec('CREATE TABLE notes (text TEXT)');
    database.close();
    expect(codeOf(await openStore({ file }))).toBe('E_JOURNAL_FOREIGN');
  });

  it('an error never shows where the file is', async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, 'secret-place.db'));
    for (const file of [
      join(folder, 'secret-place.db'),
      join(folder, 'secret-place.db', 'no', 'x'.repeat(300)),
    ]) {
      const opened = await openStore({ file });
      expect(opened.ok).toBe(false);
      expect(JSON.stringify(opened)).not.toContain(folder);
    }
  });

  it('waits for another process that writes, and says so when that takes too long', async () => {
    const file = await fileOf();
    const store = await openForTest({ file }, { busyMs: 50 });
    must(await store.append(batch()));
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const refused = await store.append(batch({ expectedSeq: 1 }));
    expect(refused).toMatchObject({ ok: false, error: { code: 'E_JOURNAL_UNAVAILABLE', reason: 'busy' } });
    expect((await store.read(RUN)).length).toBe(1);
    other.exec('COMMIT');
    other.close();
    expect(codeOf(await store.append(batch({ expectedSeq: 1 })))).toBe('ok');
  });

  it('waits as long as others go on writing, however long that is', async () => {
    const file = await fileOf();
    const busyMs = 60;
    const store = await openForTest({ file }, { busyMs });
    must(await store.append(batch()));
    const other = new Database(file);
    other.exec('CREATE TABLE theirs (x); BEGIN IMMEDIATE; INSERT INTO theirs VALUES (0)');
    const written = store.append(batch({ expectedSeq: 1 }));
    // One transaction after the other: no moment is left in between.
    for (let round = 0; round < 60; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      other.exec('COMMIT; BEGIN IMMEDIATE; INSERT INTO theirs VALUES (1)');
    }
    other.exec('DELETE FROM theirs; COMMIT; DROP TABLE theirs');
    other.close();
    expect(codeOf(await written)).toBe('ok');
  });

  it('deleted content is on the disk no more', async () => {
    const file = await fileOf();
    const store = await openForTest({ file });
    const marker = 'Zq7-marker-that-must-go';
    must(await store.append(batch({ blobs: [Buffer.from(marker)] })));
    const onDisk = (): boolean =>
      ['', '-wal'].some((suffix) => readFileSync(`${file}${suffix}`).includes(marker));
    expect(onDisk()).toBe(true);
    const [hash = ''] = (await store.commits(RUN))[0]?.blobs ?? [];
    await store.deleteBlob(hash);
    expect(onDisk()).toBe(false);
    expect(await problemsOf(store)).toEqual([]);
  });

  it('shows a page that was overwritten', async () => {
    const file = await fileOf();
    const store = await openForTest({ file });
    for (let seq = 0; seq < 40; seq += 1) {
      must(
        await store.append(batch({ expectedSeq: seq, blobs: [Buffer.from(`${seq} `.repeat(400 + seq))] })),
      );
    }
    await store.close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 8 * 4096, 9 * 4096);
    writeFileSync(file, bytes);
    const problems = await problemsOf(await openForTest({ file }));
    expect(problems.length).toBeGreaterThan(0);
  });
});
