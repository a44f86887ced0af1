import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, openFolder } from '@cuebook/files';
import fc from 'fast-check';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { runs } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { ownerOf } from '../../test/owner.js';
import { batch, must } from '../../test/write.js';
import type { RunId, Store } from '../contract.js';
import { openPostgres } from '../postgres/driver.js';
import { schemaOf } from '../postgres/schema.js';
import { openStore } from '../store/open.js';

const PATHS = [
  'runs/a.json',
  'runs/b.json',
  'templates/a.json',
  'vault/run_a/x',
  'vault/run_a/y',
  'vault/run_b/x',
];
const FOLDERS = ['runs', 'templates', 'vault', 'vault/run_a'];

describePart('postgres', 'the home that machines share', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  async function folder(name: string): Promise<{ readonly path: string; readonly files: Files }> {
    const root = mkdtempSync(join(tmpdir(), 'cuebook-shared-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const path = join(root, name);
    mkdirSync(path, { mode: 0o700 });
    const files = await openFolder(path);
    if (!files.ok) throw new Error(files.error.code);
    return { path, files: files.value };
  }
  async function open() {
    const home = await folder('home');
    const owner = await ownerOf(home.path);
    const databaseUrl = await server.createDatabase();
    const store = must(await openStore({ databaseUrl }, { owner, home: home.path }));
    onTestFinished(() => store.close());
    const driver = await openPostgres(databaseUrl, {
      ...{ pollMs: 1000, busyMs: 10_000, schema: schemaOf(owner.project.id) },
    });
    onTestFinished(() => driver.close());
    return { store, home, rows: driver.rows };
  }

  it('answers as a folder on a disk does, whatever is written, listed and removed', async () => {
    const { store, home, rows } = await open();
    const act = fc.oneof(
      fc.record({ do: fc.constant('write'), path: fc.constantFrom(...PATHS), text: fc.string() }),
      fc.record({ do: fc.constant('make'), path: fc.constantFrom(...PATHS), text: fc.string() }),
      fc.record({ do: fc.constant('replace'), path: fc.constantFrom(...PATHS), text: fc.string() }),
      fc.record({ do: fc.constant('remove'), path: fc.constantFrom(...PATHS), text: fc.constant('') }),
      fc.record({ do: fc.constant('removeTree'), path: fc.constantFrom(...FOLDERS), text: fc.constant('') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const disk = (await folder('disk')).files;
        const shared = store.share(home.files);
        await rows('DELETE FROM cuebook_files', []);
        for (const { do: verb, path, text } of acts) {
          const answers = [];
          for (const files of [disk, shared]) answers.push(await perform(files, verb, path, text));
          expect(answers[1], `${verb} ${path}`).toEqual(answers[0]);
          for (const each of PATHS) {
            const [one, other] = [await disk.readText(each), await shared.readText(each)];
            expect(other.ok ? other.value : other.error.code).toBe(one.ok ? one.value : one.error.code);
          }
          for (const each of FOLDERS) {
            const [one, other] = [await disk.list(each), await shared.list(each)];
            const filled = (found: typeof one) =>
              found.ok ? found.value.entries.filter(({ kind }) => kind === 'file') : [];
            expect(filled(other)).toEqual(filled(one));
          }
        }
      }),
      runs(60, 600),
    );
  });

  it('holds nothing in clear, and nothing that was moved to another path opens', async () => {
    const { store, home, rows } = await open();
    const shared = store.share(home.files);
    await shared.writeText('runs/a.json', 'words that nobody may read');
    const [[data] = []] = await rows("SELECT data FROM cuebook_files WHERE path = 'runs/a.json'", []);
    expect((data as Buffer).includes('words that nobody')).toBe(false);
    await rows("UPDATE cuebook_files SET path = 'runs/b.json' WHERE path = 'runs/a.json'", []);
    expect(await shared.readText('runs/b.json')).toMatchObject({
      ok: false,
      error: { code: 'E_FILE_DENIED' },
    });
  });

  it('loses the files of a run with the run, and those of no other', async () => {
    const { store, home, rows } = await open();
    const shared = store.share(home.files);
    const [one, other] = ['run_a', 'run_ab'] as RunId[];
    for (const run of [one, other] as RunId[]) {
      must(await store.append(batch({ run })));
      for (const path of [
        `runs/${run}.json`,
        `runs/${run}.machine`,
        `workflows/${run}/state.md`,
        `vault/${run}/x`,
      ])
        expect((await shared.writeText(path, run)).ok).toBe(true);
    }
    await store.removeRun(one as RunId);
    const left = (await rows('SELECT path FROM cuebook_files', [])).map(([path]) => String(path));
    expect(left.filter((path) => path.includes('run_')).every((path) => path.includes('run_ab'))).toBe(true);
    expect(left.filter((path) => path.includes('run_ab')).length).toBe(4);
  });

  it('a folder of a run is on every machine as the last one left it', async () => {
    const { store } = await open();
    const mirror = async (at: Files, of: Store) => {
      const mirrored = await of.mirror(at, 'workflows/run_a');
      if (!mirrored.ok) throw new Error(mirrored.error.code);
      return mirrored.value;
    };
    const [one, two] = [(await folder('one')).files, (await folder('two')).files];
    // A folder of before is taken up.
    await one.writeText('workflow.md', 'begun');
    const first = await mirror(one, store);
    await first.makeDirectory('logs');
    await first.writeText('logs/calls.json', 'one call');
    const known = await first.readDocument('workflow.md');
    const ifMatch = known.ok ? known.value.sha256 : '';
    expect((await first.writeText('workflow.md', 'gone on', { ifMatch })).ok).toBe(true);
    const second = await mirror(two, store);
    expect(await second.readText('workflow.md')).toEqual({ ok: true, value: 'gone on' });
    expect(await second.readText('logs/calls.json')).toEqual({ ok: true, value: 'one call' });
    // Whoever still holds what was there before changes nothing.
    expect((await first.writeText('workflow.md', 'late', { ifMatch })).ok).toBe(false);
    await second.remove('logs/calls.json');
    const third = await mirror((await folder('three')).files, store);
    expect((await third.readText('logs/calls.json')).ok).toBe(false);
  });

  it('a folder comes whole while whoever works on it removes files', async () => {
    const { store } = await open();
    const names = Array.from({ length: 20 }, (_, at) => `logs/call-${at}.json`);
    const [one, two] = [(await folder('one')).files, (await folder('two')).files];
    await one.writeText('workflow.md', 'begun');
    const first = await store.mirror(one, 'workflows/run_b');
    if (!first.ok) throw new Error(first.error.code);
    for (const round of [1, 2]) {
      for (const name of names) expect((await first.value.writeText(name, `round ${round}`)).ok).toBe(true);
      const removing = (async () => {
        for (const name of names.toReversed()) await first.value.remove(name);
      })();
      const second = await store.mirror(two, 'workflows/run_b');
      await removing;
      expect(second.ok, JSON.stringify(second)).toBe(true);
      expect(second.ok && (await second.value.readText('workflow.md'))).toEqual({ ok: true, value: 'begun' });
    }
  });
});

async function perform(files: Files, verb: string, path: string, text: string): Promise<string> {
  const parent = path.slice(0, path.lastIndexOf('/'));
  if (verb === 'removeTree') return codeOf(await files.removeTree(path));
  if (verb === 'remove') return codeOf(await files.remove(path));
  await files.makeDirectory(parent);
  if (verb === 'write') return codeOf(await files.writeText(path, text));
  if (verb === 'make') return codeOf(await files.writeText(path, text, { ifMatch: 'absent' }));
  const known = await files.readDocument(path);
  const sha256 = known.ok ? known.value.sha256 : '0'.repeat(64);
  return codeOf(await files.writeText(path, text, { ifMatch: sha256 }));
}

const codeOf = (done: { readonly ok: boolean; readonly error?: { readonly code: string } }): string =>
  done.ok ? 'ok' : (done.error?.code ?? '');
