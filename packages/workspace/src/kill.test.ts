import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itInTurn as it, share } from '../../../test/runs.js';
import { gitIn, photograph, plant } from '../test/bench.js';
import type { KillTask } from '../test/kill-program.js';
import type { WorkspacePoint } from './contract.js';

const POINTS: readonly WorkspacePoint[] = [
  ...(['prepare.snapshot', 'prepare.folder', 'prepare.filled', 'prepare.setup', 'prepare.before'] as const),
  ...(['take.after', 'take.kept', 'aside.kept', 'aside.restored'] as const),
  ...(['apply.merged', 'apply.written', 'clean.folder', 'tidy.known', 'tidy.pruned'] as const),
];

let top: string;
let program: string;

beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-workspace-kill-')));
  const outDir = fileURLToPath(
    new URL(`../../node_modules/.cache/workspace-${process.pid}`, import.meta.url),
  );
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@cuebook/source', 'node'] },
    ssr: { noExternal: [/^@cuebook\//], resolve: { conditions: ['@cuebook/source', 'node'] } },
    build: {
      ssr: fileURLToPath(new URL('../test/kill-program.ts', import.meta.url)),
      ...{ outDir, emptyOutDir: true, target: 'node20' },
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  program = join(outDir, 'program.mjs');
});

afterAll(() => {
  rmSync(top, { recursive: true, force: true });
  rmSync(join(program, '..'), { recursive: true, force: true });
});

/** A project and a log, and the child that works on them until it is through. */
function play(name: string, git: boolean, kills: readonly WorkspacePoint[]) {
  const project = join(top, name, 'project');
  const log = join(top, name, 'log');
  mkdirSync(log, { recursive: true });
  plant(project, { 'a.txt': 'a\n', 'gone.txt': 'x\n', 'dirty.txt': 'clean\n' });
  if (git) {
    gitIn(project, 'init', '--quiet');
    gitIn(project, 'add', '--all');
    gitIn(project, 'commit', '--quiet', '--message', 'Start');
  }
  plant(project, { 'dirty.txt': 'dirty\n', 'mine.txt': 'untracked\n' });
  for (const kill of kills) {
    const task: KillTask = { project, log, kill };
    expect(spawnSync(process.execPath, [program, JSON.stringify(task)]).signal, kill).toBe('SIGKILL');
  }
  execFileSync(process.execPath, [program, JSON.stringify({ project, log, kill: null } satisfies KillTask)]);
  return { project: photograph(project), log: photograph(log), contents: contentsOf(project) };
}

/** The contents that workspaces leave behind, and what else stands in their folder. */
function contentsOf(project: string): readonly string[] {
  const folder = join(project, '.cuebook/workspaces');
  const objects = Object.keys(photograph(join(folder, '.store/objects')));
  return [...objects, ...readdirSync(folder).filter((name) => name !== '.store')];
}

describe.each([
  ['a worktree', true],
  ['a copy', false],
])('%s that is worked on by a process which is killed', (title, git) => {
  it('between any two steps ends like one that nobody killed', () => {
    const whole = play(`${title}-whole`, git, []);
    expect(whole.project).toEqual({
      'a.txt': '  by the node\n',
      'dirty.txt': '  dirty\n',
      'gone.txt': '  x\n',
      'mine.txt': '  untracked\n',
      'new.txt': '  new\n',
    });
    expect(whole.contents).toEqual([]);
    // A copy differs from a worktree only in how it is made.
    const points = git ? POINTS : POINTS.slice(0, share(3, POINTS.length));
    expect(play(`${title}-killed`, git, points)).toEqual(whole);
  });
});
