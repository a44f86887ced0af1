import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { makeBench, must, own, photograph, plant, RUN, shared } from '../../test/bench.js';

const TREE = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'docs/x.md': 'x\n' };

describe.each([
  ['own', own()],
  ['shared', shared()],
])('changes that are set aside (%s folder)', (_title, node) => {
  const at = { run: RUN, node, turn: 1 };

  it('are out of the folder, in the artifact, and everything else stays', async () => {
    const bench = makeBench({ tree: TREE });
    const { folder } = must(await bench.workspaces.prepare(at));
    plant(folder, { 'src/a.ts': 'changed\n', 'src/new.ts': 'new\n', 'docs/x.md': 'better\n', 'd/e': 'x' });
    rmSync(join(folder, 'src/b.ts'));
    const { files } = must(await bench.workspaces.take(at));
    const outside = files.filter((file) => !file.startsWith('docs/'));
    expect(must(await bench.workspaces.findAside(at))).toBeUndefined();
    const moved = must(await bench.workspaces.setAside(at, outside));
    expect(moved.files).toEqual(['d/e', 'src/a.ts', 'src/b.ts', 'src/new.ts']);
    expect(photograph(folder)).toEqual({
      'docs/x.md': '  better\n',
      'src/a.ts': '  a\n',
      'src/b.ts': '  b\n',
    });
    const patch = bench.artifacts.get(moved.artifact) ?? '';
    expect(patch).toContain('+changed');
    expect(patch).toContain('+new');
    expect(patch).toContain('-b');
    expect(patch).not.toContain('better');
    const again = bench.again();
    expect(must(await again.findAside(at))).toEqual(moved);
    expect(must(await again.setAside(at, outside))).toEqual(moved);
  });

  it('are kept twice when they were changed once more in between', async () => {
    const bench = makeBench({ tree: TREE });
    const { folder } = must(await bench.workspaces.prepare(at));
    plant(folder, { 'src/a.ts': 'by the node\n' });
    must(await bench.workspaces.take(at));
    plant(folder, { 'src/a.ts': 'by a person\n' });
    const moved = must(await bench.workspaces.setAside(at, ['src/a.ts']));
    const patch = bench.artifacts.get(moved.artifact) ?? '';
    expect(patch).toContain('+by the node');
    expect(patch).toContain('+by a person');
    expect(photograph(folder)['src/a.ts']).toBe('  a\n');
  });
});
