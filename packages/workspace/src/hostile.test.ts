import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../test/runs.js';
import { gitIn, makeBench, must, own, photograph, plant, RUN, shared, type Tree } from '../test/bench.js';

const at = (turn = 1, node = own()) => ({ run: RUN, node, turn });

/** Names that break a careless parser, as parts of paths; no two of them collide as file and folder. */
const name = fc.constantFrom(
  ...[
    'a',
    'b.txt',
    '-dash',
    '--help',
    ' space ',
    '"quote"',
    "it's",
    'new\nline',
    'tab\t',
    'ünï',
    '日本',
    '*?[x]',
  ],
  ...[':(top)x', '!not', '#hash', 'back\\slash', '~', '.hidden', '.gitattributes', 'HEAD', '%s%n'],
);
const content = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ maxLength: 12 }).map((text) => ({ link: text.replaceAll('\0', '') || 'x' })),
  fc.string({ maxLength: 20 }).map((text) => ({ exec: text })),
);
/** Folders have names that no file has. */
const path = fc
  .tuple(fc.array(name, { maxLength: 2 }), name)
  .map(([above, last]) => [...above.map((part) => `${part}.d`), last].join('/'));
const tree = fc.dictionary(path, content, { maxKeys: 6 }) as fc.Arbitrary<Tree>;

describe('any tree and any change', () => {
  itInTurn(
    'the patch of a turn makes what the turn left from what it found, and applying brings it into the project',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('commit', 'none'),
          tree,
          tree,
          fc.nat(),
          async (git, first, second, gone) => {
            const bench = makeBench({ git: git as 'commit' | 'none', tree: first });
            const { folder } = must(await bench.workspaces.prepare(at()));
            const before = photograph(bench.project);
            expect(photograph(folder)).toEqual(before);
            for (const each of Object.keys(before).filter((_, n) => (gone >> n) % 2 === 1))
              rmSync(join(folder, each));
            plant(folder, second);
            const wanted = photograph(folder);
            const diff = must(await bench.workspaces.take(at()));
            const names = new Set([...Object.keys(before), ...Object.keys(wanted)]);
            const changed = [...names].filter((each) => before[each] !== wanted[each]).sort();
            expect([...diff.files].sort()).toEqual(changed);

            const other = join(bench.top, 'other');
            mkdirSync(other);
            plant(other, first);
            gitIn(other, 'init', '--quiet');
            const patch = bench.artifacts.get(diff.hash ?? '') ?? '';
            writeFileSync(join(bench.top, 'patch'), patch);
            if (patch !== '') gitIn(other, 'apply', '--whitespace=nowarn', join(bench.top, 'patch'));
            expect(photograph(other)).toEqual(wanted);

            const applied = must(await bench.workspaces.apply({ run: RUN }));
            expect(applied.conflicts).toEqual([]);
            expect(photograph(bench.project)).toEqual(wanted);
          },
        ),
        {
          ...runs(6, 300),
          // What becomes another kind of thing is two sections of the patch, and others stand behind it.
          examples: [
            ['commit', { '.gitattributes': { link: 'x' } }, { '.gitattributes': Uint8Array.from([128]) }, 0],
            [
              'none',
              { a: { link: 'x' }, b: 'b\n', c: Uint8Array.from([129]) },
              { a: Uint8Array.from([128]), b: Uint8Array.from([130]), c: { link: 'y' }, d: 'd\n' },
              0,
            ],
          ] as never,
        },
      );
    },
  );
});

describe('hostile folders', () => {
  itInTurn('settings of the project’s repository run nothing', async () => {
    const bench = makeBench({
      tree: { 'a.txt': 'a\n', '.gitattributes': '* filter=evil diff=evil merge=evil text eol=crlf ident\n' },
    });
    const evil = `touch ${join(bench.top, 'ran')}; cat`;
    for (const [key, value] of [
      ...['filter.evil.clean', 'filter.evil.smudge', 'diff.evil.textconv', 'diff.evil.command'].map((k) => [
        k,
        evil,
      ]),
      ...[
        ['merge.evil.driver', evil],
        ['core.fsmonitor', evil],
        ['core.pager', evil],
        ['diff.external', evil],
      ],
      ...[
        ['core.hooksPath', join(bench.project, 'hooks')],
        ['filter.evil.required', 'true'],
      ],
      ...[
        ['commit.gpgSign', 'true'],
        ['gpg.program', evil],
      ],
    ] as const)
      gitIn(bench.project, 'config', key ?? '', value ?? '');
    plant(bench.project, { 'hooks/post-checkout': { exec: `#!/bin/sh\ntouch ${join(bench.top, 'ran')}\n` } });
    const { folder } = must(await bench.workspaces.prepare(at()));
    plant(folder, { 'a.txt': 'b\r\n$Id$\n' });
    const diff = must(await bench.workspaces.take(at()));
    expect(bench.artifacts.get(diff.hash ?? '')).toContain('+b\r\n+$Id$\n');
    must(await bench.workspaces.apply({ run: RUN }));
    must(await bench.workspaces.clean({ run: RUN }));
    expect(photograph(bench.project)['a.txt']).toBe('  b\r\n$Id$\n');
    expect(photograph(bench.top).ran).toBeUndefined();
  });

  it('a repository inside, an ignored folder and files that git refuses are seen for what they are', async () => {
    const { workspaces, project, artifacts } = makeBench({
      tree: { '.gitignore': 'ignored/\n', 'inner/old.txt': 'o\n' },
    });
    const node = shared() as never;
    must(await workspaces.prepare(at(1, node)));
    gitIn(join(project, 'inner'), 'init', '--quiet');
    mkdirSync(join(project, 'fresh'));
    gitIn(join(project, 'fresh'), 'init', '--quiet');
    plant(project, {
      'inner/new.txt': 'n\n',
      'fresh/hidden.ts': 'h\n',
      'ignored/x': 'x',
      '.GIT/odd': 'odd\n',
    });
    const diff = must(await workspaces.take(at(1, node)));
    expect(diff.files).toEqual(['.GIT/odd', 'fresh/hidden.ts', 'inner/new.txt']);
    expect(artifacts.get(diff.hash ?? '')).toContain('# cannot be read: ".GIT/odd"');
    must(await workspaces.prepare(at(2, node)));
    plant(project, { 'fresh/hidden.ts': 'changed\n' });
    expect(must(await workspaces.take(at(2, node))).files).toEqual(['fresh/hidden.ts']);
  });

  it('a worktree of the person, with a .git file, is a project like any other', async () => {
    const { again, project, top } = makeBench();
    const side = join(top, 'side');
    gitIn(project, 'worktree', 'add', '--quiet', '--detach', side);
    const workspaces = again({ project: side, home: join(side, '.cuebook') });
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'a.txt': 'two\n' });
    must(await workspaces.apply({ run: RUN }));
    expect(photograph(side)).toEqual({ 'a.txt': '  two\n' });
    expect(photograph(project)).toEqual({ 'a.txt': '  one\n' });
  });

  it('what stands around the git of the caller leads nowhere', async () => {
    const other = makeBench();
    const bench = makeBench({
      env: {
        PATH: process.env.PATH ?? '',
        HOME: other.top,
        GIT_DIR: join(other.project, '.git'),
        GIT_WORK_TREE: other.project,
        GIT_INDEX_FILE: join(other.project, '.git/index'),
      },
    });
    const before = photograph(other.project);
    const { folder } = must(await bench.workspaces.prepare(at()));
    plant(folder, { 'a.txt': 'two\n' });
    expect(must(await bench.workspaces.take(at())).files).toEqual(['a.txt']);
    expect(photograph(other.project)).toEqual(before);
    expect(gitIn(other.project, 'status', '--porcelain')).toBe('');
  });

  it('without git on the path, and past the limits, it says so', async () => {
    const bench = makeBench({ tree: { a: 'a', b: 'b', c: 'c' } });
    const without = bench.again({ env: { PATH: join(bench.top, 'nowhere') } });
    expect(await without.prepare(at())).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_GIT' } });
    const few = bench.again({ limits: { files: 2 } });
    expect(await few.prepare(at())).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_LARGE' } });
    const { folder } = must(await bench.workspaces.prepare(at()));
    plant(folder, { 'big.txt': 'x\n'.repeat(5_000) });
    const small = bench.again({ limits: { patchBytes: 1_000 } });
    const diff = must(await small.take(at()));
    expect(diff.files).toEqual(['big.txt']);
    expect(bench.artifacts.get(diff.hash ?? '')).toBe(
      '# The patch is larger than 1000 bytes. These are its files; the workspace holds their contents.\n# A "big.txt"\n',
    );
  });

  itInTurn('2,000 files take no time to speak of', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, n) => [`d${n % 40}/f${n}.txt`, `file ${n}\n`]),
    );
    const { workspaces } = makeBench({ git: 'none', tree: many });
    const { folder } = must(await workspaces.prepare(at()));
    plant(folder, { 'd0/f0.txt': 'changed\n' });
    expect(must(await workspaces.take(at())).files).toEqual(['d0/f0.txt']);
    must(await workspaces.prepare(at(2)));
    expect(must(await workspaces.take(at(2))).files).toEqual([]);
  });
});
