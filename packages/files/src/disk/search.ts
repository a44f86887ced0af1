import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { guard } from '@cuebook/guard';
import { type CleanPath, isAddressable } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { isTemporaryName } from '../temporary.js';
import { NO_FOLLOW } from './directory.js';
import { withLocated } from './locate.js';
import { countFeeds, findInBytes } from './match.js';
import type { Mount } from './mount.js';
import { isIn, makeNeedle, type Needle } from './needle.js';

export interface SearchQuery {
  /** Taken literally. */
  readonly text: string;
  /** Lines around each match, none by default. */
  readonly before?: number;
  readonly after?: number;
  /** The search ends with this many; 50 by default. */
  readonly maxMatches?: number;
  /** Names that are skipped with all below them: `.git` and `node_modules` by default. */
  readonly ignore?: readonly string[];
  /** Whether names that begin with a dot are searched; they are not by default. */
  readonly hidden?: boolean;
}

export interface SearchMatch {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** The line, cut when it is long. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface SearchFound {
  readonly matches: readonly SearchMatch[];
  /** Whether the search ended early, with the most matches it may answer. */
  readonly truncated: boolean;
  readonly filesSearched: number;
  /** Files that could not be read, hold no text where they match, or lie too deep. */
  readonly filesSkipped: number;
}

/**
 * Searches all files below a directory, in order of their names. Links are not followed. Files are read with
 * synchronous calls into one buffer, which is several times as fast as a promise a file and takes the same
 * memory whatever the files' sizes; the event loop gets its turn every few milliseconds.
 */
export function searchDirectory(
  mount: Mount,
  path: CleanPath,
  query: SearchQuery,
): Promise<FileResult<SearchFound>> {
  return withLocated(mount, path, { create: false, follow: true }, async ({ parent, name, stat }) => {
    if (stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
    const names = name === '.' ? parent.names : [...parent.names, name];
    const search = startSearch(mount, query);
    const at = join(mount.real, ...names);
    if (stat.isDirectory()) await searchBelow(search, at, { text: path.text, names, depth: 0 });
    else if (stat.isFile()) searchFile(search, at, '', path.text);
    else return fail({ code: 'E_NOT_A_FILE', path: path.shown, kind: 'other' });
    const { matches, filesSearched, filesSkipped, max } = search;
    return ok({
      matches: matches.slice(0, max),
      truncated: matches.length > max,
      filesSearched,
      filesSkipped,
    });
  });
}

interface Search {
  readonly mount: Mount;
  readonly query: SearchQuery;
  readonly needle: Needle;
  readonly ignored: ReadonlySet<string>;
  readonly max: number;
  readonly buffer: Buffer;
  readonly matches: SearchMatch[];
  filesSearched: number;
  filesSkipped: number;
  /** When the event loop had its last turn. */
  turn: number;
}

function startSearch(mount: Mount, query: SearchQuery): Search {
  return {
    mount,
    query,
    needle: makeNeedle(query.text),
    ignored: new Set(query.ignore ?? ['.git', 'node_modules']),
    max: query.maxMatches ?? DEFAULT_MATCHES,
    buffer: Buffer.allocUnsafeSlow(WINDOW),
    matches: [],
    filesSearched: 0,
    filesSkipped: 0,
    turn: performance.now(),
  };
}

const DEFAULT_MATCHES = 50;
const WINDOW = 1024 * 1024;
/** Deeper than any tree that people keep. */
const MAX_DEPTH = 64;
const TURN_MS = 10;
const OPEN_FILE = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

interface Here {
  readonly text: string;
  readonly names: readonly string[];
  readonly depth: number;
}

const isDone = ({ matches, max }: Search): boolean => matches.length > max;

/** One directory: its files, and those below it. A directory that cannot be read is skipped. */
async function searchBelow(search: Search, path: string, here: Here): Promise<void> {
  if (guard('list.limit', here.depth > MAX_DEPTH)) {
    search.filesSkipped += 1;
    return;
  }
  const prefix = here.text === '.' ? '' : `${here.text}/`;
  for (const entry of readDirectory(search, path, here)) {
    if (isDone(search)) return;
    const { name } = entry;
    const next = `${path}/${name}`;
    if (entry.isFile()) searchFile(search, next, prefix, name);
    else if (entry.isDirectory()) {
      const below = { text: prefix + name, names: [...here.names, name], depth: here.depth + 1 };
      await searchBelow(search, next, below);
    }
    // Waiting, even for nothing, costs as much as a file.
    if (isDue(search)) await giveTurn(search);
  }
}

/** The names in a directory, when no part of its path has become a link. */
function readDirectory(search: Search, path: string, { names }: Here): readonly Dirent[] {
  const { mount } = search;
  try {
    if (!guard('resolve.race', realpathSync.native(path) !== join(mount.real, ...names))) {
      return mount.withheld?.folder(path) === undefined ? entriesOf(search, path, names) : [];
    }
  } catch {
    // Gone, or not ours to read: as good as not there.
  }
  search.filesSkipped += 1;
  return [];
}

function entriesOf(
  { mount, query, ignored }: Search,
  base: string,
  above: readonly string[],
): readonly Dirent[] {
  const entries = readdirSync(base, { withFileTypes: true }).filter(
    ({ name }) =>
      !ignored.has(name) &&
      mount.withheld?.place([...above, name]) === undefined &&
      (query.hidden === true || name.charCodeAt(0) !== DOT) &&
      !isTemporaryName(name) &&
      (PLAIN_NAME.test(name) || isAddressable(name, process.platform === 'win32')),
  );
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const DOT = 0x2e;
/** Most names: no need for the closer look. Device names of Windows have no dot or one of a few endings. */
const PLAIN_NAME = process.platform === 'win32' ? /^$/ : /^[\w-]{1,80}(?:\.[\w-]{1,20}){0,4}$/;

/**
 * The listing says that it is a regular file. Should it become something else before it is opened, then a link
 * is not followed, and neither a pipe nor a device is waited for. Opening by path is a third faster than through
 * the directory's descriptor; should a directory on the way be swapped meanwhile, what is found is not told,
 * since the opened file is asked where it is before anything of it is.
 */
function searchFile(search: Search, path: string, prefix: string, name: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_FILE);
    scan(search, { descriptor, path, shown: prefix + name });
  } catch {
    // Gone, or not ours to read.
    search.filesSkipped += 1;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

interface OpenFile {
  readonly descriptor: number;
  readonly path: string;
  readonly shown: string;
}

/** Reads window by window, each cut at a line's end, so that a match never stands across two of them. */
function scan(search: Search, file: OpenFile): void {
  const { buffer, needle } = search;
  search.filesSearched += 1;
  let kept = 0;
  let line = 1;
  for (;;) {
    const wanted = buffer.length - kept;
    const read = readSync(file.descriptor, buffer, kept, wanted, null);
    const filled = kept + read;
    const isLast = read < wanted;
    const end = isLast ? filled : cutAt(buffer, filled, needle.bytes.length);
    const window = buffer.subarray(0, end);
    const isFound = isIn(window, needle);
    if ((isFound || !isLast) && !isOurs(search, file)) {
      search.filesSkipped += 1;
      return;
    }
    if (isFound && !collect(search, window, line, file.shown)) return;
    if (isLast || isDone(search)) return;
    line += countFeeds(window, 0, end);
    buffer.copyWithin(0, end, filled);
    kept = filled - end;
  }
}

/** Whether an open file is a regular one, inside the root now, and not withheld. */
function isOurs({ mount }: Search, { descriptor, path }: OpenFile): boolean {
  const stat = fstatSync(descriptor, { bigint: true });
  if (guard('read.special', !stat.isFile())) return false;
  const found = mount.anchored ? readlinkSync(`/proc/self/fd/${descriptor}`) : path;
  if (mount.anchored) {
    const isInside = found.startsWith(mount.real === '/' ? '/' : `${mount.real}/`);
    if (guard('resolve.race', !isInside)) return false;
  } else {
    const named = lstatSync(path, { bigint: true });
    const isSame = named.ino === stat.ino && named.dev === stat.dev && realpathSync.native(path) === path;
    if (guard('resolve.race', !isSame)) return false;
  }
  const { withheld } = mount;
  if (withheld === undefined) return true;
  const names = relative(mount.real, found).split(sep);
  return withheld.open(names, { fd: descriptor, stat }) === undefined;
}

/** Adds the matches of a window; false when it is no text. */
function collect(search: Search, window: Buffer, line: number, path: string): boolean {
  const { needle, query, matches, max } = search;
  const found = findInBytes(window, needle.bytes, { ...query, line, limit: max + 1 - matches.length });
  if (found === undefined) {
    search.filesSkipped += 1;
    return false;
  }
  for (const match of found) {
    const last = matches[matches.length - 1];
    // A line longer than the window is looked at more than once.
    if (last?.path !== path || last.line !== match.line) matches.push({ path, ...match });
  }
  return true;
}

/** After the last line feed; in a line longer than the window, where a match could not begin any more. */
function cutAt(buffer: Buffer, filled: number, needle: number): number {
  const feed = buffer.lastIndexOf(0x0a, filled - 1);
  return feed === -1 ? Math.max(1, filled - needle + 1) : feed + 1;
}

/** Looked at once in a few files: the clock is not free either. */
const isDue = (search: Search): boolean =>
  (search.filesSearched & 31) === 0 && performance.now() - search.turn >= TURN_MS;

async function giveTurn(search: Search): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  search.turn = performance.now();
}
