import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readlink } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import { type FileError, fromSystem, systemCode, type ViolationReason } from '../error.js';
import type { CleanPath } from '../path.js';
import { type FileResult, fail } from '../result.js';
import {
  childPath,
  closeDirectory,
  type Directory,
  openChild,
  openRoot,
  syncDirectory,
} from './directory.js';
import { isProtected, type Mount } from './mount.js';

/** Where a path leads: a name in an open directory, and what stands there. */
export interface Located {
  readonly parent: Directory;
  /** `.` for the root itself. */
  readonly name: string;
  readonly stat: BigIntStats | undefined;
}

export interface LocateOptions {
  /** Creates missing directories on the way, durably. Parts that come from a link are never created. */
  readonly create: boolean;
  /** Whether a link as the last part is followed. A link that is not followed is answered as it stands. */
  readonly follow: boolean;
}

/**
 * Walks from the root one name at a time and hands what it finds to `use`, whose directory stays open until
 * `use` is done. Links are expanded here, by name, so that one which leads out is seen before anything of it
 * is opened. Turns every system error into a value.
 */
export async function withLocated<Value>(
  mount: Mount,
  path: CleanPath,
  options: LocateOptions,
  use: (located: Located) => Promise<FileResult<Value>>,
): Promise<FileResult<Value>> {
  const walk: Walk = { mount, todo: given(path.segments), directory: undefined, links: 0, steps: 0 };
  try {
    const found = await locate(walk, options);
    if ('reason' in found) {
      return fail({ code: 'E_SANDBOX_VIOLATION', path: path.shown, reason: found.reason });
    }
    return 'code' in found ? fail({ ...found, path: path.shown }) : await use(found);
  } catch (thrown) {
    return fail(fromSystem(path.shown, thrown));
  } finally {
    if (walk.directory !== undefined) await closeDirectory(walk.directory);
  }
}

/** As many links as Linux itself follows. */
const MAX_LINKS = 40;
/** Bounds the work that `..` inside link targets can cause, since each one walks again from the root. */
const MAX_STEPS = 2048;

interface Step {
  readonly name: string;
  readonly fromLink: boolean;
}

interface Walk {
  readonly mount: Mount;
  /** Last first. */
  todo: Step[];
  directory: Directory | undefined;
  links: number;
  steps: number;
}

type Refusal = { readonly reason: ViolationReason };
type Missing = Extract<FileError, { code: 'E_FILE_NOT_FOUND' | 'E_NOT_A_DIRECTORY' | 'E_READ_ONLY' }>;

async function locate(walk: Walk, options: LocateOptions): Promise<Located | Refusal | Missing> {
  for (;;) {
    walk.steps += 1;
    if (guard('resolve.steps', walk.steps > MAX_STEPS)) return { reason: 'symlink-loop' };

    const here = walk.directory ?? (await openRoot(walk.mount));
    if (here === undefined) return { reason: 'root-moved' };
    walk.directory = here;

    const step = walk.todo.pop();
    if (step === undefined) return { parent: here, name: '.', stat: await lookAt(here, '.') };

    if (step.name === '..') {
      if (guard('resolve.symlink', here.names.length === 0)) return { reason: 'symlink' };
      await restart(walk, here.names.slice(0, -1));
      continue;
    }

    const stat = await lookAt(here, step.name);
    // Asked of every name on the way, those that links lead to included.
    if (isWithheld(here, step.name, stat)) return { reason: 'withheld' };

    const last = walk.todo.length === 0;
    if (stat?.isSymbolicLink() === true && (options.follow || !last)) {
      const refusal = await expandLink(walk, here, step.name);
      if (refusal !== undefined) return refusal;
      continue;
    }
    if (last) return { parent: here, name: step.name, stat };
    if (stat === undefined) {
      if (!options.create || step.fromLink) return { code: 'E_FILE_NOT_FOUND', path: '' };
      if (guard('write.protected', isProtected(walk.mount, [...here.names, step.name]))) {
        return { code: 'E_READ_ONLY', path: '' };
      }
      await makeChild(here, step.name);
    } else if (!stat.isDirectory()) return { code: 'E_NOT_A_DIRECTORY', path: '' };

    walk.directory = await openChild(here, step.name);
    await closeDirectory(here);
  }
}

/** Whether what stands at a name is kept from those who use the mount. */
function isWithheld(here: Directory, name: string, stat: BigIntStats | undefined): boolean {
  const { withheld } = here.mount;
  if (withheld === undefined) return false;
  if (withheld.place([...here.names, name], stat) !== undefined) return true;
  return stat?.isDirectory() === true && withheld.folder(childPath(here, name)) !== undefined;
}

/** Creates a directory durably; one that another process has just made is as good. */
export async function makeChild(parent: Directory, name: string): Promise<void> {
  try {
    await mkdir(childPath(parent, name));
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
  }
  await syncDirectory(parent);
}

/** What stands at a name, links not followed; `undefined` for nothing. */
export async function lookAt(parent: Directory, name: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(childPath(parent, name), { bigint: true });
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

async function expandLink(walk: Walk, here: Directory, name: string): Promise<Refusal | undefined> {
  walk.links += 1;
  if (guard('resolve.loop', walk.links > MAX_LINKS)) return { reason: 'symlink-loop' };

  const target = toSlashes(await readlink(childPath(here, name)));
  const absolute = /^(?:\/|[A-Za-z]:\/)/.test(target);
  const below = absolute ? belowRoot(walk.mount, target) : target;
  if (guard('resolve.symlink', below === undefined)) return { reason: 'symlink' };

  if (absolute) await restart(walk, []);
  const parts = (below ?? '').split('/').filter((part) => part !== '' && part !== '.');
  walk.todo.push(...parts.map((part) => ({ name: part, fromLink: true })).reverse());
  return undefined;
}

/** The part of an absolute target below the root, in either spelling of the root; never asks the disk. */
function belowRoot(mount: Mount, target: string): string | undefined {
  for (const spelled of [mount.real, mount.given]) {
    const root = toSlashes(spelled).replace(/\/$/, '');
    if (foldCase(`${target}/`).startsWith(foldCase(`${root}/`))) return target.slice(root.length);
  }
  return undefined;
}

const onWindows = process.platform === 'win32';
const toSlashes = (path: string): string => (onWindows ? path.replaceAll('\\', '/') : path);
/** The letter case of a drive and of names means nothing on Windows. */
const foldCase = (path: string): string => (onWindows ? path.toLowerCase() : path);

/** Begins again at the root, with these parts before those that are left. */
async function restart(walk: Walk, names: readonly string[]): Promise<void> {
  if (walk.directory !== undefined) await closeDirectory(walk.directory);
  walk.directory = undefined;
  walk.todo.push(...names.map((name) => ({ name, fromLink: true })).reverse());
}

const given = (segments: readonly string[]): Step[] =>
  segments.map((name) => ({ name, fromLink: false })).reverse();
