import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NodePlace, WorkRights, WorkspaceOptions, Workspaces } from '../src/contract.js';
import { createWorkspaces } from '../src/workspaces.js';

/** A project with workspaces, in a scratch folder of the test. */
export interface Bench {
  readonly top: string;
  readonly project: string;
  readonly home: string;
  readonly workspaces: Workspaces;
  /** What was kept, by its hash. */
  readonly artifacts: Map<string, string>;
  /** The same project opened once more, as by another process. */
  again(more?: Partial<WorkspaceOptions>): Workspaces;
}

export type Tree = Readonly<
  Record<string, string | Uint8Array | { readonly link: string } | { readonly exec: string }>
>;

export interface BenchOptions extends Partial<WorkspaceOptions> {
  /** `commit`: a repository with all of the tree committed. `empty`: one without a commit. */
  readonly git?: 'commit' | 'empty' | 'none';
  readonly tree?: Tree;
}

export const RUN = 'run_1';
export const own = (id = 'node_a') => ({ id, workspace: 'own' as const });
export const shared = (id = 'node_s') => ({ id, workspace: 'shared' as const });
export const place = (node: { id: string; workspace: 'own' | 'shared' }): NodePlace => ({ run: RUN, node });

/** The rights of a call: everything but what is named as closed. */
export const rightsBut = (...closed: readonly ('docs' | 'code' | 'command')[]): WorkRights => {
  const against = (kind: (typeof closed)[number]) => (closed.includes(kind) ? `no ${kind}` : undefined);
  return {
    againstWrite: ({ kind }) => against(kind === 'docs' ? 'docs' : 'code'),
    againstCommand: () => against('command'),
  };
};

export function makeBench({
  git = 'commit',
  tree = { 'a.txt': 'one\n' },
  ...more
}: BenchOptions = {}): Bench {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-workspace-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const project = join(top, 'project');
  const home = join(project, '.cuebook');
  mkdirSync(home, { recursive: true });
  plant(project, tree);
  if (git !== 'none') {
    gitIn(project, 'init', '--quiet', '--initial-branch=main');
    writeFileSync(join(project, '.git/info/exclude'), '.cuebook/\n');
  }
  if (git === 'commit') {
    gitIn(project, 'add', '--all', '--force');
    gitIn(project, 'commit', '--quiet', '--allow-empty', '--message', 'Start');
  }
  const artifacts = new Map<string, string>();
  const again: Bench['again'] = (other = {}) =>
    createWorkspaces({
      project,
      home,
      env: environment(),
      redact: (text) => text.replaceAll('hunter2', '***'),
      keep: async (_run, text) => {
        const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
        artifacts.set(hash, text);
        return hash;
      },
      ...more,
      ...other,
    });
  return { top, project, home, workspaces: again(), artifacts, again };
}

/** The value, or the test fails with what went wrong. */
export function must<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: object },
): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}

export function plant(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { force: true, recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(target, content);
    else if ('link' in content) symlinkSync(content.link, target);
    else {
      writeFileSync(target, content.exec);
      chmodSync(target, 0o755);
    }
  }
}

/** All files below a folder: content, links and the right to run them; without `.git` and `.cuebook` at its top. */
export function photograph(root: string, below = ''): Record<string, string> {
  const seen: Record<string, string> = {};
  if (!existsSync(join(root, below))) return seen;
  for (const name of readdirSync(join(root, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (path === '.git' || path === '.cuebook') continue;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) Object.assign(seen, photograph(root, path));
    else if (stat.isSymbolicLink()) seen[path] = `-> ${readlinkSync(join(root, path))}`;
    else seen[path] = `${stat.mode & 0o100 ? 'x' : ' '} ${readFileSync(join(root, path), 'latin1')}`;
  }
  return seen;
}

export function gitIn(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  GIT_AUTHOR_NAME: 'nobody',
});
