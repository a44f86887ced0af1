import { existsSync, linkSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { makeBench, must, own, photograph, place, plant, RUN, rightsBut, shared } from '../../test/bench.js';
import type { WorkCall } from '../contract.js';

const TREE = { 'src/a.ts': 'a\n', 'docs/x.md': 'hunter2\n' };
const call = (tool: string, input: WorkCall['input'], rights = rightsBut()): WorkCall => ({
  ...{ tool, input, rights },
});
const DOCS_ONLY = rightsBut('code', 'command');

async function ready(node: ReturnType<typeof own> | ReturnType<typeof shared> = own()) {
  const bench = makeBench({ tree: TREE, limits: { commandMs: 60_000, outputBytes: 2_000 } });
  const at = place(node);
  const { folder } = must(await bench.workspaces.prepare({ ...at, turn: 1 }));
  symlinkSync(bench.top, join(folder, 'out'));
  symlinkSync('../src', join(folder, 'docs/link'));
  plant(bench.top, { 'secret.txt': 'outside\n' });
  return { ...bench, at, folder };
}

/** One that has ended and that nobody has asked after is not alive. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const REFUSED: readonly (readonly [string, WorkCall])[] = [
  ['a path that climbs out', call('read_file', { path: '../../x' })],
  ['an absolute path', call('read_file', { path: '/etc/passwd' })],
  ['a link that leads out', call('read_file', { path: 'out/secret.txt' })],
  ['a write through a link that leads out', call('write_file', { path: 'out/w.txt', content: 'x' })],
  ['a command somewhere else', call('command', { cmd: 'ls', cwd: 'out' })],
  ['a write into .git', call('write_file', { path: '.git/hooks/x', content: 'x' })],
  ['code, documents only', call('write_file', { path: 'src/a.ts', content: 'x' }, DOCS_ONLY)],
  ['code through docs/..', call('write_file', { path: 'docs/../src/a.ts', content: 'x' }, DOCS_ONLY)],
  ['code through a link in docs', call('write_file', { path: 'docs/link/a.ts', content: 'x' }, DOCS_ONLY)],
  ['a deletion through that link', call('delete_file', { path: 'docs/link/a.ts' }, DOCS_ONLY)],
  ['a command, documents only', call('command', { cmd: 'true' }, DOCS_ONLY)],
  ['documents without the right', call('write_file', { path: 'docs/y.md', content: 'x' }, rightsBut('docs'))],
  ['code without the right', call('write_file', { path: 'src/a.ts', content: 'x' }, rightsBut('code'))],
  ['a command without the right', call('command', { cmd: 'true' }, rightsBut('command'))],
  ['a file that is not there', call('read_file', { path: 'nope' })],
  ['a tool of another kind', call('spawn_node', {})],
];

describe('a work tool', () => {
  it('reads, lists, writes and deletes in the node’s own folder, and hides secrets', async () => {
    const { workspaces, at, folder, project } = await ready();
    const use = async (tool: string, input: WorkCall['input']) =>
      must(await workspaces.callTool(at, call(tool, input)));
    expect(await use('read_file', { path: 'docs/x.md' })).toBe('***\n');
    expect(await use('list_files', {})).toBe('docs/\nout@\nsrc/');
    expect(await use('write_file', { path: 'src/new/b.ts', content: 'b\n' })).toBe('src/new/b.ts written');
    expect(await use('delete_file', { path: './src/a.ts' })).toBe('src/a.ts deleted');
    expect(await use('command', { cmd: 'cat new/b.ts; pwd; exit 3', cwd: 'src' })).toBe(
      '(exit code 3)\nb\n@workspace/src',
    );
    expect(Object.keys(photograph(folder)).filter((path) => path.startsWith('src'))).toEqual([
      'src/new/b.ts',
    ]);
    expect(photograph(project)['src/a.ts']).toBe('  a\n');
  });

  it('refuses what leads out and what the node may not do, and changes nothing', async () => {
    const { workspaces, folder, top } = await ready();
    const before = [photograph(folder), photograph(top)];
    for (const [title, refused] of REFUSED) {
      const answer = await workspaces.callTool(place(own()), refused);
      expect(answer, title).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_TOOL' } });
      expect(JSON.stringify(answer)).not.toContain(top);
    }
    expect([photograph(folder), photograph(top)]).toEqual(before);
  });

  it('writes documents where it may write nothing else, also the first', async () => {
    const { workspaces, at, folder } = await ready();
    const answer = await workspaces.callTool(
      at,
      call('write_file', { path: 'docs/p/y.md', content: 'y' }, DOCS_ONLY),
    );
    expect(must(answer)).toBe('docs/p/y.md written');
    expect(photograph(folder)['docs/p/y.md']).toBe('  y');
  });

  it('does not show the state of Cuebook to who works in the project’s folder', async () => {
    const { workspaces, at, home } = await ready(shared());
    plant(home, { 'key.pem': 'private' });
    for (const path of ['.cuebook/key.pem', '.CUEBOOK/key.pem', 'src/../.cuebook']) {
      expect(await workspaces.callTool(at, call('read_file', { path }))).toMatchObject({ ok: false });
    }
    expect(must(await workspaces.callTool(at, call('list_files', {})))).not.toContain('cuebook');
    const facts = await workspaces.pathFacts(RUN, at.node, [
      'src/a.ts',
      `${home}/key.pem`,
      join(home, '../docs/x.md'),
      'docs/link/z',
      'out/secret.txt',
    ]);
    expect(facts).toEqual([
      { kind: 'code', path: 'src/a.ts' },
      { kind: 'outside', withheld: true },
      { kind: 'docs', path: 'docs/x.md' },
      { kind: 'code', path: 'src/z' },
      { kind: 'outside' },
    ]);
  });

  it.each([
    ['its own', own()],
    ['the project’s', shared()],
  ])(
    'reaches nothing that is withheld from agents, in %s folder, by whatever path or link',
    async (_, node) => {
      const { workspaces, at, folder } = await ready(node);
      const files = ['.env', 'src/.env.local', 'server.pem', 'docs/id_ed25519', '.npmrc', '.aws/credentials'];
      plant(folder, Object.fromEntries(files.map((path) => [path, 'MARK-7f3a'])));
      const said = files.flatMap((path, nth) => {
        symlinkSync(join(folder, path), join(folder, `link-${nth}`));
        linkSync(join(folder, path), join(folder, `other-${nth}`));
        return [path, `./src/../${path}`, path.toUpperCase(), `${folder}/${path}`, `link-${nth}`];
      });
      const reads = [...said, ...files.map((__, nth) => `other-${nth}`)];
      for (const path of reads)
        expect([path, await workspaces.callTool(at, call('read_file', { path }))]).toMatchObject([
          path,
          { ok: false },
        ]);
      for (const path of [...said, '.git/hooks/x', '.cuebook/x', 'docs/.cuebook/x'])
        for (const tool of ['write_file', 'delete_file'])
          expect([path, await workspaces.callTool(at, call(tool, { path, content: 'x' }))]).toMatchObject([
            path,
            { ok: false },
          ]);
      for (const path of files) expect(readFileSync(join(folder, path), 'utf8')).toBe('MARK-7f3a');
      const listed = must(await workspaces.callTool(at, call('list_files', {})));
      expect(listed.split('\n')).not.toEqual(expect.arrayContaining(['server.pem']));
      expect(await workspaces.pathFacts(RUN, at.node, ['.env', '/somewhere/.ssh/id_rsa'])).toEqual([
        { kind: 'outside', withheld: true },
        { kind: 'outside', withheld: true },
      ]);
    },
  );

  it('tells the beginning and the end of a long output, in whole lines', async () => {
    const { workspaces, at } = await ready();
    const text = must(
      await workspaces.callTool(
        at,
        call('command', { cmd: 'i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done' }),
      ),
    );
    expect(text.length).toBeLessThan(2_200);
    expect(text).toMatch(
      /^\(exit code 0\)\nline 0\nline 1\n[\s\S]*lines left out[\s\S]*\nline 2998\nline 2999$/,
    );
    const flood = must(
      await workspaces.callTool(at, call('command', { cmd: 'head -c 300000 /dev/zero | tr "\\0" x' })),
    );
    expect(flood).toBe('(exit code 0)\n[a line of 300000 characters]');
  });

  it('ends a command with all that it started, after its time and when it is interrupted', async () => {
    const { again, at, folder } = await ready();
    const short = again({ limits: { commandMs: 300 } });
    const cmd = 'sleep 300 & echo $! > child.pid; echo begun; wait';
    const late = must(await short.callTool(at, call('command', { cmd })));
    expect(late).toContain('it was ended after');
    expect(late).toContain('begun');
    const pid = Number((photograph(folder)['child.pid'] ?? '').trim());
    expect(isAlive(pid)).toBe(false);
    const stop = new AbortController();
    const running = again().callTool(at, call('command', { cmd: 'sleep 300' }), { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_ABORTED' } });
  });
});

describe('checks', () => {
  it('run in the folder of the node; the first that fails is told, without secrets and real paths', async () => {
    const { workspaces, at, folder } = await ready();
    const turn = { ...at, turn: 1 };
    expect(must(await workspaces.verify(turn, ['test -f src/a.ts', 'true']))).toEqual({ failure: null });
    const { failure } = must(
      await workspaces.verify(turn, ['true', 'echo hunter2 $PWD >&2; false', 'echo > never']),
    );
    expect(failure).toBe('$ echo *** $PWD >&2; false\n(exit code 1)\n*** @workspace');
    expect(photograph(folder).never).toBeUndefined();
  });

  it('a set-up command makes a fresh folder ready once; what it makes is nobody’s change; its failure is told', async () => {
    const bench = makeBench({ tree: TREE });
    const at = { run: RUN, node: own(), turn: 1 };
    const broken = await bench.workspaces.prepare(at, { setup: 'echo broken; exit 2' });
    expect(broken).toMatchObject({ ok: false, error: { code: 'E_WORKSPACE_SETUP' } });
    expect(JSON.stringify(broken)).toContain('(exit code 2)\\nbroken');
    const setup = 'echo ready >> made.txt';
    must(await bench.workspaces.prepare(at, { setup }));
    const { folder } = must(await bench.workspaces.prepare({ ...at, turn: 2 }, { setup }));
    expect(photograph(folder)['made.txt']).toBe('  ready\n');
    expect(must(await bench.workspaces.take(at)).files).toEqual([]);
    expect(must(await bench.workspaces.apply({ run: RUN }))).toMatchObject({ files: [], conflicts: [] });
  });
});
