import { dirname, isAbsolute, posix, relative, resolve, win32 } from 'node:path';
import { PROGRAM, shellWord } from '@cuebook/prompt/hint';

/** How command lines are told to the person who made this call. */
export interface Typing {
  /** What starts this command: `cuebook`, `npx --no-install cuebook`. */
  readonly program: string;
  /** The `--project` of the call, as it was given. */
  readonly project?: string | undefined;
}

/** What is known of how the process was started. */
export interface Started {
  /** `process.argv[1]`: as it was found, links not followed. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a person in this folder starts this command again: by its name where it is on their path, through npx where npm
 * finds it from here, and otherwise by its file.
 */
export function programOf({ script, cwd, env }: Started): string {
  const folder = dirname(script);
  const isRunByNpm = env.npm_execpath !== undefined || env.npm_lifecycle_event !== undefined;
  if (isLocalBin(folder)) {
    if (!isRunByNpm && isOnPath(folder, env)) return PROGRAM;
    if (/[\\/]_npx[\\/]/.test(folder)) return `npx ${PROGRAM}`;
    return isInside(cwd, dirname(dirname(folder))) ? LOCAL : byFile(script);
  }
  if (isOnPath(folder, env)) return PROGRAM;
  const [, owner] = INSTALLED.exec(script) ?? [];
  // On Windows a global command is a file beside the `node_modules` that has the package.
  if (owner !== undefined && isOnPath(owner, env)) return PROGRAM;
  const [, clone] = CLONED.exec(script) ?? [];
  const found = owner ?? clone;
  return found !== undefined && isInside(cwd, found) ? LOCAL : byFile(script);
}

const LOCAL = `npx --no-install ${PROGRAM}`;
const INSTALLED = /^(.+)[\\/]node_modules[\\/]cuebook[\\/]bin[\\/]cuebook\.js$/;
const CLONED = /^(.+)[\\/]apps[\\/]cli[\\/]bin[\\/]cuebook\.js$/;

const byFile = (script: string): string => `node ${shellWord(script)}`;

/** Folders that npm puts in front of the path of what it starts. */
const isLocalBin = (folder: string): boolean => /[\\/]node_modules[\\/]\.bin$/.test(folder);

function isOnPath(folder: string, { PATH, Path }: Started['env']): boolean {
  const list = PATH ?? Path ?? '';
  const { delimiter } = /^[A-Za-z]:[\\/]/.test(folder) ? win32 : posix;
  return list.split(delimiter).some((each) => each !== '' && resolve(each) === resolve(folder));
}

function isInside(folder: string, outer: string): boolean {
  const way = relative(outer, folder);
  return way === '' || (!/^\.\.(?:[\\/]|$)/.test(way) && !isAbsolute(way));
}

/** The `--project` that a command line gives, also one that cannot be read otherwise. */
export function projectIn(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--');
  const flags = argv.slice(0, end === -1 ? argv.length : end);
  const at = flags.findLastIndex((word) => word === '--project' || word.startsWith('--project='));
  const word = flags[at];
  return word === '--project' ? argv[at + 1] : word?.slice('--project='.length);
}
