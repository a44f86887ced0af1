import { homedir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import { gitEnvironment, runGit } from '../git/git.js';
import { reachOf } from '../git/reach.js';
import { type ContentStore, STORE } from '../git/store.js';
import { splitZ } from '../git/zero.js';

/** What the project's own repository says. It is asked, and never changed but for the list of its worktrees. */
export interface ProjectRepository {
  readonly folder: string;
  /** Runs git in the project's repository, with the person's settings and no program that they name. */
  git(
    args: readonly string[],
    options?: {
      readonly cwd?: string;
      readonly input?: Buffer;
      readonly signal?: AbortSignal | undefined;
      /** It may reach other machines, as the person does. */
      readonly reaches?: boolean;
    },
  ): ReturnType<typeof runGit>;
  /** Whether the folder is the top of a repository that has a commit: then a worktree of it can be made. */
  hasCommit(): Promise<boolean>;
  /** Files that the repository holds although a rule says to ignore them. */
  ignoredButKept(): Promise<readonly Buffer[]>;
  /** Takes over the rules of what to ignore that are not in the folder itself. */
  copyRules(store: ContentStore): Promise<void>;
}

export function openProject(folder: string, env: Readonly<Record<string, string>>): ProjectRepository {
  const git: ProjectRepository['git'] = (args, { cwd = folder, input, signal, reaches = false } = {}) =>
    runGit({
      cwd,
      args,
      signal,
      env: gitEnvironment(env, reaches ? reachOf(env) : {}),
      ...(input && { input }),
    });
  const line = async (args: readonly string[]) => {
    const { code, stdout } = await git(args);
    return code === 0 ? stdout.toString().replace(/\n$/, '') : undefined;
  };
  let copiedUntil = 0;
  return {
    folder,
    git,
    async hasCommit() {
      // `--show-cdup` is empty at the top of a work tree, and nowhere else.
      const { code, stdout } = await git([
        'rev-parse',
        '--show-cdup',
        '--verify',
        '--quiet',
        'HEAD^{commit}',
      ]);
      return code === 0 && stdout.toString().startsWith('\n');
    },
    async ignoredButKept() {
      const answer = await git(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard']);
      return answer.code === 0 ? splitZ(answer.stdout) : [];
    },
    async copyRules(store) {
      if (performance.now() < copiedUntil) return;
      copiedUntil = performance.now() + RULES_MS;
      const own = await line(['rev-parse', '--git-path', 'info/exclude']);
      const named = await line(['config', '--type=path', '--get', 'core.excludesFile']);
      const home = env.HOME ?? homedir();
      const global = named ?? join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'ignore');
      const isPlain = own === undefined;
      const texts = await Promise.all([
        ...(isPlain ? [] : [readRules(join(folder, own), own)]),
        readRules(global, global),
      ]);
      const text = ['.cuebook/', ...texts, isPlain ? NO_SOURCE : '', ''].join('\n');
      const before = await store.files.readText(`${STORE}/info/exclude`);
      // Workspaces of one project share it, so it is written only when it says something else.
      if (!before.ok || before.value !== text) await store.files.writeText(`${STORE}/info/exclude`, text);
    },
  };
}

/** How long rules outside the folder are taken as known: they hardly ever change. */
const RULES_MS = 5_000;

/** In a folder without a repository nobody has named them. */
const NO_SOURCE = 'node_modules/\n.venv/\n__pycache__/';

/** A file of rules, wherever it lies; one that cannot be read has none. */
async function readRules(path: string, spelled: string): Promise<string> {
  const real = spelled.startsWith('/') ? spelled : path;
  const at = real.lastIndexOf('/');
  const opened = await openFolder(real.slice(0, at) || '/', { access: 'ro' });
  const text = opened.ok ? await opened.value.readText(real.slice(at + 1), { limit: 1 << 20 }) : opened;
  return text.ok ? text.value : '';
}
