import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eraseSealed, exportRun, type RunId, type Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { runs } from '../../../../test/runs.js';
import { sharedPostgres, withClient } from '../../../../test/shared-postgres.js';
import { anyToken } from '../../../../test/tokens.js';
import { bytesOf, RUN, type Word, wordsOn } from '../../test/sealing.js';
import { requireStore, type SqliteFolder, sqliteFolder } from '../../test/sqlite.js';

let folder: SqliteFolder;
beforeEach(() => {
  folder = sqliteFolder();
});
afterEach(() => folder.remove());

let count = 0;
const say = (said: JsonValue, type: Word['type'] = 'word.say') => {
  count += 1;
  return { type, said, id: `c${count}` };
};

const exported = async (store: Store, run: RunId): Promise<string> => {
  let text = '';
  for await (const line of exportRun(store, run, { publicKeys: new Map() })) text += line;
  return text;
};

const firstSaid = async (store: Store): Promise<string> => {
  const [first] = (await store.read(RUN)).map(({ data }) => data as { readonly said: string });
  return first?.said ?? '';
};

/** A token in the middle of whatever people and models write. */
const worded = fc
  .tuple(
    anyToken,
    fc.constantFrom(
      (token: string): JsonValue => `Deploy with ${token} please.`,
      (token: string): JsonValue => ({ headers: { Authorization: `Bearer ${token}` } }),
      (token: string): JsonValue => [`/home/ada/${token}/x`, { [token]: 1 }],
      (token: string): JsonValue =>
        JSON.stringify({ body: `key ${token}\n`, deep: JSON.stringify({ token }) }),
      (token: string): JsonValue => `https://ada:${token}@example.com/a?b=c`,
      (token: string): JsonValue => `x\n${token}\n\n"${token}" and ${token}, twice`,
    ),
  )
  .map(([token, write]) => ({ token, said: write(token) }));

describe('credentials at rest', () => {
  it('no byte of a token is in the journal, in a state, a list or an answer, and the driver gets the real words', async () => {
    const store = await folder.open();
    const { engine, given } = wordsOn(store);
    await engine.start();
    const shown: unknown[] = [];
    const tokens: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(worded, { minLength: 1, maxLength: 4 }), async (words) => {
        const run = `run_${tokens.length}` as RunId;
        given.length = 0;
        for (const { said, token } of words) {
          shown.push(await engine.submit(run, say(said)));
          tokens.push(token);
        }
        await engine.drain();
        expect(given).toEqual(words.map(({ said }) => said));
        const { state } = await engine.read(run);
        expect(state.done).toHaveLength(words.length);
        // The rows of the database are compressed: the export has all of them in the clear, blobs included.
        shown.push(state, await store.read(run), await exported(store, run));
      }),
      runs(6, 500),
    );
    shown.push([...(await store.projections('approvals'))], [...(await store.projections('engine.state'))]);
    await engine.stop();
    const everything = JSON.stringify(shown) + bytesOf(folder.file);
    for (const token of tokens) {
      const encoded = Buffer.from(token).toString('base64');
      for (const part of [token, token.slice(0, 16), token.slice(-10), encoded.slice(0, 20)]) {
        expect(everything.includes(part)).toBe(false);
      }
    }
  });

  it('known credentials are sealed like those that look like one', async () => {
    const store = await folder.open();
    const { engine, given } = wordsOn(store, ['plain-looking words']);
    await engine.start();
    await engine.submit(RUN, say('use plain-looking words here'));
    await engine.drain();
    expect(given).toEqual(['use plain-looking words here']);
    expect(JSON.stringify(await store.read(RUN))).not.toContain('plain-looking');
    await engine.stop();
  });

  const TOKEN = 'ghp_Kq81z6WvT39bYxR5mD2nLf7cHs4JgPa0Qe';

  it('another process opens what was sealed, and the log rebuilds the same state without it', async () => {
    const store = await folder.open();
    const first = wordsOn(store);
    await first.engine.submit(RUN, say(`run with ${TOKEN}`));
    await first.engine.stop();
    const later = wordsOn(await folder.open());
    await later.engine.start();
    await later.engine.drain();
    expect(later.given).toEqual([`run with ${TOKEN}`]);
    expect((await later.engine.read(RUN)).state.said).toEqual(['run with [removed:credential]']);
    const seen = await later.engine.open(RUN, ({ said }) => said);
    expect(seen).toEqual([`run with ${TOKEN}`]);
    await later.engine.stop();
    const problems = [];
    for await (const problem of store.audit(RUN)) problems.push(problem);
    expect(problems).toEqual([]);
  });

  it('one text of a run has one mark, so that the same call again is seen as the same', async () => {
    const store = await folder.open();
    const { engine } = wordsOn(store);
    await engine.submit(RUN, say(TOKEN));
    await engine.submit(RUN, say(TOKEN));
    const said = (await store.read(RUN)).filter(({ type }) => type === 'word.said').map(({ data }) => data);
    expect(said[0]).toEqual(said[1]);
    expect(said[0]).toEqual({ said: expect.stringMatching(/^\[removed:credential:[0-9a-f]{32}\]$/) });
    await engine.stop();
  });

  it('erasing makes it unreadable for good, in the file and in copies of it, and everything still verifies', async () => {
    const store = await folder.open();
    const { engine, given } = wordsOn(store);
    await engine.submit(RUN, say(`run with ${TOKEN}`));
    const copies = mkdtempSync(join(tmpdir(), 'copies-'));
    await store.backup(join(copies, 'backup.db'));
    copyFileSync(folder.file, join(copies, 'copy.db'));
    const [entry] = (await store.vault?.entries(RUN)) ?? [];
    const sealed = Buffer.from((await store.getBlob(entry?.blob ?? '')) as Uint8Array).toString('latin1');
    expect(bytesOf(folder.file)).toContain(sealed);
    const erased = await eraseSealed(store, { run: RUN, by: 'Ada', reason: `it was ${TOKEN}` });
    expect(erased).toMatchObject({ ok: true, value: { ids: [entry?.id] } });
    expect(bytesOf(folder.file)).not.toContain(sealed);
    expect(bytesOf(folder.file)).not.toContain(TOKEN);
    expect(await store.vault?.open(RUN, entry?.id ?? '')).toBeUndefined();
    await engine.start();
    await engine.drain();
    expect(given).toEqual([]);
    expect((await engine.read(RUN)).state.done).toEqual(['E_EFFECT_SEALED']);
    await engine.stop();
    for await (const problem of store.audit()) expect(problem).toBeUndefined();
    for (const name of ['backup.db', 'copy.db']) {
      const copy = await requireStore(
        { file: join(copies, name) },
        { home: folder.file.replace('/journal.db', '') },
      );
      expect(await copy.vault?.open(RUN, entry?.id ?? '')).toBeUndefined();
      await copy.close();
    }
    rmSync(copies, { recursive: true });
  });

  it('what is sealed for a run goes with the run', async () => {
    const store = await folder.open();
    const { engine } = wordsOn(store);
    await engine.submit(RUN, say(TOKEN));
    await engine.stop();
    expect(await store.vault?.entries(RUN)).toHaveLength(1);
    await store.removeRun(RUN);
    expect(await store.vault?.entries(RUN)).toEqual([]);
  });

  it('a mark in words from outside opens nothing, whoever writes it, and a person who answers may leave it where it is', async () => {
    const store = await folder.open();
    const { engine, given } = wordsOn(store);
    await engine.start();
    await engine.submit(RUN, say(TOKEN));
    await engine.drain();
    const mark = await firstSaid(store);
    await engine.submit(RUN, say(`send ${mark}`));
    await engine.submit(RUN, say({ said: [mark] }, 'approval.resolve'));
    await engine.drain();
    expect(given).toEqual([TOKEN, 'send [removed:credential]', { said: [TOKEN] }]);
    // The driver answered with the words it was given: what it says is from outside as well.
    const texts = JSON.stringify((await store.read(RUN)).filter(({ type }) => type === 'effect.settled'));
    expect(texts).not.toContain(TOKEN);
    await engine.stop();
  });

  it('a mark that a driver answers with opens nothing either', async () => {
    const store = await folder.open();
    const { engine } = wordsOn(store);
    await engine.start();
    await engine.submit(RUN, say(TOKEN));
    const mark = await firstSaid(store);
    await engine.submit(RUN, say([mark.slice(0, 9), mark.slice(9)]));
    await engine.drain();
    const done = await engine.open(RUN, (state) => state.done);
    expect(done).toEqual([{ did: TOKEN }, { did: '[removed:credential]' }]);
    await engine.stop();
  });

  it('the same command again is a repeat, and its id tells nothing of what it held', async () => {
    const store = await folder.open();
    const { engine } = wordsOn(store);
    const command = say(`password = "Tr0ub4dor&3-horse"`);
    const first = await engine.submit(RUN, command);
    const again = await engine.submit(RUN, command);
    expect(first).toMatchObject({ ok: true, value: { repeated: false } });
    expect(again).toMatchObject({ ok: true, value: { repeated: true } });
    await engine.stop();
  });
});

describePart('postgres', 'credentials at rest in PostgreSQL', () => {
  /** Every row of every table, as text and as the bytes that it holds. */
  const rowsOf = (url: string): Promise<string> =>
    withClient(url, async (client) => {
      const tables = await client.query<{ name: string }>(
        "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
      );
      let text = '';
      for (const { name } of tables.rows) {
        for (const row of (await client.query(`SELECT * FROM ${name}`)).rows as Record<string, unknown>[]) {
          for (const value of Object.values(row))
            text += Buffer.isBuffer(value) ? `\n${value.toString('latin1')}` : `\n${JSON.stringify(value)}`;
        }
      }
      return text;
    });

  it('no byte of a token is in the database; the driver of another process gets the real words, and erasing is for good', async () => {
    const databaseUrl = await (await sharedPostgres()).createDatabase();
    const home = mkdtempSync(join(tmpdir(), 'sealed-'));
    const words = fc.sample(worded, 8);
    const open = () => requireStore({ databaseUrl }, { home });
    const store = await open();
    const first = wordsOn(store);
    for (const { said } of words) await first.engine.submit(RUN, say(said));
    await first.engine.stop();
    const other = await open();
    const later = wordsOn(other);
    await later.engine.start();
    await later.engine.drain();
    expect(later.given).toEqual(words.map(({ said }) => said));
    await later.engine.stop();
    const shown = (await rowsOf(databaseUrl)) + (await exported(store, RUN)) + bytesOf(join(home, 'x'));
    expect(shown).toContain('[removed:credential');
    for (const { token } of words) {
      for (const part of [token, token.slice(0, 16), token.slice(-10)]) expect(shown).not.toContain(part);
    }
    const entries = (await store.vault?.entries(RUN)) ?? [];
    expect(entries.length).toBeGreaterThan(0);
    const erased = await eraseSealed(store, { run: RUN, by: 'Ada', reason: 'no more needed' });
    expect(erased.ok).toBe(true);
    for (const { id, blob } of entries) {
      expect(await other.vault?.open(RUN, id)).toBeUndefined();
      expect(await other.getBlob(blob)).toBe('deleted');
    }
    for await (const problem of other.audit()) expect(problem).toBeUndefined();
    await store.close();
    await other.close();
    rmSync(home, { recursive: true });
  });
});
