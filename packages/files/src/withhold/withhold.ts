import { type BigIntStats, lstatSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { guard } from '@cuebook/guard';
import { headOf, kindByContent } from './by-content.js';
import { HEAD_BYTES, isMarkedContent } from './content.js';
import { createIdentities, type WithheldPlace } from './identities.js';
import { isIgnored } from './ignored.js';
import { foldName, isInstalledCode, isMarkedName, kindByName, type WithheldKind } from './names.js';

/** From whom files are withheld, and where CUEBOOK_HOME lies. */
export interface WithholdRules {
  /**
   * `agent`: whoever did not choose the folder: a model, an agent, a package, what a tool answers. `person`: somebody
   * who names a file of their own; only CUEBOOK_HOME is withheld from them.
   */
  readonly from: 'agent' | 'person';
  /** CUEBOOK_HOME, wherever it lies and whatever it is called. A folder of that name is withheld without it. */
  readonly home?: string;
}

/**
 * What may not be reached below one root, whatever spelling or link leads there. Every path that a model, an agent or
 * a package names is judged here, after links are followed, and once more when the file is open.
 */
export interface Withheld {
  /** By the names below the root, and what stands there: CUEBOOK_HOME, `.git`, key files, environment files. */
  place(names: readonly string[], stat?: Identity): WithheldKind | undefined;
  /** A folder that is the inside of a repository, whatever it is called. */
  folder(path: string): WithheldKind | undefined;
  /** An open regular file, where it really is: also other names of a withheld one, private keys, ignored secrets. */
  open(names: readonly string[], file: OpenFile): WithheldKind | undefined;
  /** Before a file is written: secrets that git ignores, by their name. */
  write(names: readonly string[]): WithheldKind | undefined;
}

interface OpenFile {
  readonly fd: number;
  readonly stat: BigIntStats;
}

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
  isDirectory(): boolean;
}

export function withheldBelow(root: string, { from, home }: WithholdRules): Withheld {
  const isForAgent = from === 'agent';
  const homeAt = createHome(root, home);
  const byName = (name: string, folder: string | undefined): WithheldKind | undefined => {
    const kind = kindByName(name, folder);
    return kind === 'home' || isForAgent ? kind : undefined;
  };
  const isIgnoredSecret = (names: readonly string[], marked: boolean): boolean =>
    marked && !isInstalledCode(names) && guard('withhold.ignored', isIgnored(root, names));
  const isNamed: WithheldPlace['isWithheld'] = (name, folder, path) =>
    byName(name, folder) !== undefined ||
    (isForAgent && isIgnoredSecret(relative(root, path).split(/[/\\]/), isMarkedName(name)));
  const isOtherName = createIdentities(() => places(root, homeAt.real(), isNamed));
  const place: Withheld['place'] = (names, stat) => {
    const name = names.at(-1);
    if (name === undefined) return undefined;
    if (guard('withhold.home', homeAt.isAt(names, stat))) return 'home';
    const kind = byName(name, names.at(-2));
    return guard('withhold.name', kind !== undefined) ? kind : undefined;
  };
  return {
    place,
    folder: (path) => (isForAgent && guard('withhold.repository', isRepository(path)) ? 'git' : undefined),
    open(names, { fd, stat }) {
      const above = names.map((_, at) => place(names.slice(0, at + 1)));
      const kind = above.find((each) => each !== undefined);
      if (guard('withhold.moved', kind !== undefined)) return kind;
      if (guard('withhold.other-name', stat.nlink > 1n && isOtherName(stat))) return 'home';
      if (!isForAgent) return undefined;
      const bytes = beginOf(fd);
      const isMarked = (): boolean => isMarkedName(names.at(-1) ?? '') || isMarkedContent(headOf(bytes));
      return (
        kindByContent(names.join('/'), bytes) ?? (isIgnoredSecret(names, isMarked()) ? 'ignored' : undefined)
      );
    },
    write: (names) =>
      isForAgent && isIgnoredSecret(names, isMarkedName(names.at(-1) ?? '')) ? 'ignored' : undefined,
  };
}

/** Where CUEBOOK_HOME is, seen from a root. A root inside of it was opened for its reader: what is below is its own. */
function createHome(root: string, home: string | undefined) {
  let known: string | undefined;
  const real = (): string | undefined => {
    if (home === undefined) return undefined;
    known ??= realOrUndefined(home);
    return known ?? realOfNearest(resolve(home));
  };
  const inner = (): readonly string[] | undefined => {
    const at = real();
    const path = at === undefined ? '' : relative(root, at);
    return path === '' || /^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path) ? undefined : path.split(/[/\\]/);
  };
  return {
    real,
    isAt(names: readonly string[], stat: Identity | undefined): boolean {
      const place = inner();
      const isBelow = place?.every((part, at) => foldName(names[at] ?? '') === foldName(part));
      if (isBelow === true) return true;
      if (stat?.isDirectory() !== true || home === undefined) return false;
      const own = statSync(home, { bigint: true, throwIfNoEntry: false });
      return own !== undefined && own.dev === stat.dev && own.ino === stat.ino;
    },
  };
}

function realOrUndefined(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // Not there yet.
  }
}

/** The real path of what is not there yet: that of the nearest folder above, and the rest as it is spelled. */
function realOfNearest(path: string): string {
  const above = dirname(path);
  if (above === path) return path;
  return join(realOrUndefined(above) ?? realOfNearest(above), basename(path));
}

/** A folder that holds what git keeps in `.git`: a bare repository, or one whose folder has another name. */
function isRepository(path: string): boolean {
  const is = (name: string, kind: 'isFile' | 'isDirectory'): boolean =>
    lstatSync(join(path, name), { throwIfNoEntry: false })?.[kind]() === true;
  return is('HEAD', 'isFile') && is('objects', 'isDirectory') && is('refs', 'isDirectory');
}

/** Where the other name of a file would make it a withheld one. Workspaces are agents' own, installed packages nobody's. */
function places(
  root: string,
  home: string | undefined,
  isWithheld: WithheldPlace['isWithheld'],
): readonly WithheldPlace[] {
  return [
    ...(home === undefined
      ? []
      : [{ folder: home, isWithheld: all, isWithheldFolder: all, skips: isWorkspaces }]),
    {
      folder: root,
      isWithheld,
      isWithheldFolder: isRepository,
      skips: (name: string, folder: string | undefined) =>
        name === 'node_modules' || (folder === '.git' && (name === 'objects' || name === 'lfs')),
    },
  ];
}

const all = (): true => true;
const isWorkspaces = (name: string): boolean => name === 'workspaces';

function beginOf(fd: number): Uint8Array {
  const buffer = Buffer.allocUnsafe(HEAD_BYTES);
  return buffer.subarray(0, readSync(fd, buffer, 0, HEAD_BYTES, 0));
}
