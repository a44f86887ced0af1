import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { ROOT } from '../root.js';
import type { Command } from './command.js';

/** A throw-away place that looks like a clone: the examples, `cuebook` to call, one commit, an empty home. */
export interface Desk {
  /** Where the clone's top would be. */
  readonly top: string;
  /** The example project in it. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clear: () => void;
}

const EXAMPLE = 'examples/review-desk';
const NOT_COPIED = ['node_modules', 'dist', '.cuebook', '.cache'];

/** Makes a desk with a command. `git` is the git program; with an empty path there is no repository. */
export function setUpDesk(git: string, command: Command): Desk {
  const top = mkdtempSync(join(tmpdir(), 'cuebook-docs-'));
  const project = join(top, EXAMPLE);
  const bin = join(top, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(top, 'home'));
  mkdirSync(project, { recursive: true });
  if (existsSync(join(ROOT, 'examples')))
    cpSync(join(ROOT, 'examples'), join(top, 'examples'), { recursive: true, filter });
  cpSync(join(ROOT, 'package.json'), join(top, 'package.json'));
  symlinkSync(command.program, join(bin, 'cuebook'));
  const env = { ...environment(top, bin), ...command.env };
  if (git !== '') commitAll(git, top, env);
  return { top, project, env, clear: () => rmSync(top, { recursive: true, force: true }) };
}

const filter = (path: string): boolean => !NOT_COPIED.includes(basename(path));

function environment(top: string, bin: string): NodeJS.ProcessEnv {
  const path = [bin, join(process.execPath, '..'), process.env.PATH].join(delimiter);
  const author = {
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  };
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
  const plain = { NO_COLOR: '1', LC_ALL: 'C.UTF-8', TZ: 'UTC', TMPDIR: process.env.TMPDIR };
  return { ...plain, ...author, ...committer, PATH: path, HOME: join(top, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
}

function commitAll(git: string, top: string, env: NodeJS.ProcessEnv): void {
  const run = (...args: readonly string[]) => execFileSync(git, args, { cwd: top, env, stdio: 'ignore' });
  run('init', '--quiet', '--initial-branch=main');
  run('add', 'examples', 'package.json');
  run('commit', '--quiet', '--message', 'The example');
}
