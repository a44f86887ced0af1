import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it, runs } from '../../../../test/runs.js';
import { gitIn, plant } from '../../test/bench.js';
import type { VersionArchive } from './archive.js';
import { archiveKey } from './archive.js';
import { createVersions, type VersionOptions } from './versions.js';

let top: string;
let count = 0;
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-archive-')));
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent' };

/** A machine whose clone has no commit. */
function machine(archive: VersionArchive, more: Partial<VersionOptions> = {}): VersionOptions {
  count += 1;
  const root = join(top, String(count));
  for (const name of ['project', 'home']) mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
  return { folder: join(root, 'project'), home: join(root, 'home'), env, project: 'prj_1', archive, ...more };
}

function commitOf(folder: string, files: Readonly<Record<string, string>>): string {
  plant(folder, files);
  gitIn(folder, 'add', '--all');
  gitIn(folder, 'commit', '--quiet', '--message', 'x');
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
}

/** A machine with a repository of two commits, both published, and what the archive has then. */
async function published() {
  const held = new Map<string, Uint8Array>();
  const puts: string[] = [];
  const archive: VersionArchive = {
    get: async (key, limit) => {
      const bytes = held.get(key);
      return bytes !== undefined && bytes.length <= limit ? bytes : undefined;
    },
    has: async (key) => held.has(key),
    put: async (key, bytes) => {
      puts.push(key);
      if (!held.has(key)) held.set(key, Uint8Array.from(bytes));
      return true;
    },
  };
  const options = machine(archive);
  gitIn(options.folder, 'init', '--quiet');
  const first = commitOf(options.folder, {
    'a.txt': 'one',
    'sub/b.txt': 'one below',
    'old.txt': 'gone later',
  });
  rmSync(join(options.folder, 'old.txt'));
  const second = commitOf(options.folder, { 'a.txt': 'two' });
  const versions = createVersions(options);
  for (const commit of [first, second]) expect(await versions.publish(commit)).toMatchObject({ ok: true });
  return { archive, held, puts, options, first, second };
}

describe('the archive of versions', () => {
  it('hands each version to a machine that has nothing else, whole, and is written once', async () => {
    const { archive, held, puts, options, first, second } = await published();
    const other = createVersions(machine(archive));
    for (const [commit, text] of [
      [first, 'one'],
      [second, 'two'],
    ] as const) {
      const found = await other.find({ commit });
      if (!found.ok) throw new Error(JSON.stringify(found.error));
      expect(readFileSync(join(found.value, 'a.txt'), 'utf8')).toBe(text);
      expect(readFileSync(join(found.value, 'sub/b.txt'), 'utf8')).toBe('one below');
      expect(readdirSync(found.value).includes('old.txt')).toBe(commit === first);
    }
    const inside = await other.find({ commit: first, within: 'sub' });
    expect(inside.ok && readdirSync(inside.value)).toEqual(['b.txt']);
    expect([...held.keys()].sort()).toEqual([first, second].map((each) => archiveKey('prj_1', each)).sort());
    const again = createVersions(options);
    expect(await again.publish(first)).toMatchObject({ ok: true });
    expect(puts).toHaveLength(2);
  });

  it('whatever is in it: a version has exactly the files of its commit, or is refused and leaves nothing', async () => {
    const { archive, held, first, second } = await published();
    const [one, two] = [first, second].map((commit) => held.get(archiveKey('prj_1', commit)) as Uint8Array);
    const damaged = fc.oneof(
      fc.constant(two as Uint8Array),
      fc.uint8Array({ maxLength: 200 }),
      fc.nat({ max: (one as Uint8Array).length - 1 }).map((end) => (one as Uint8Array).slice(0, end)),
      fc
        .tuple(fc.nat({ max: (one as Uint8Array).length - 1 }), fc.integer({ min: 1, max: 255 }))
        .map(([at, by]) => (one as Uint8Array).map((byte, index) => (index === at ? byte ^ by : byte))),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        held.set(archiveKey('prj_1', first), bytes);
        const options = machine(archive);
        const found = await createVersions(options).find({ commit: first });
        expect(found).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_VERSION' } });
        expect(JSON.stringify(found)).toContain('the archive');
        expect(readdirSync(join(options.home, 'workspaces/.versions'))).toEqual([]);
      }),
      runs(20, 200),
    );
  });

  it('a version that would fill the disk, or has names that lead out, is refused before a file is written', async () => {
    const { archive, options, held } = await published();
    const large = commitOf(options.folder, { 'zeros.txt': '0'.repeat(8 << 20) });
    expect(await createVersions(options).publish(large)).toMatchObject({ ok: true });
    expect((held.get(archiveKey('prj_1', large)) as Uint8Array).length).toBeLessThan(1 << 20);
    const small = machine(archive, { maxBytes: 1 << 20 });
    expect(await createVersions(small).find({ commit: large })).toMatchObject({
      error: { code: 'E_WORKSPACE_VERSION', message: expect.stringContaining('too large') },
    });
    const git = (args: readonly string[], input = ''): string =>
      execFileSync('git', args, { cwd: options.folder, input, encoding: 'utf8' }).trim();
    const blob = git(['hash-object', '-w', '--stdin'], 'x');
    for (const name of ['.git', '..', '.GIT', 'git~1']) {
      const inner = git(['mktree'], `100644 blob ${blob}\tconfig\n`);
      const tree = git(['mktree'], `040000 tree ${inner}\t${name}\n`);
      const commit = git(['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit-tree', '-m', 'x', tree]);
      expect(await createVersions(options).publish(commit)).toMatchObject({ ok: true });
      const other = machine(archive);
      expect(await createVersions(other).find({ commit })).toMatchObject({ ok: false });
      expect(readdirSync(join(other.home, 'workspaces/.versions'))).toEqual([]);
    }
  });
});
