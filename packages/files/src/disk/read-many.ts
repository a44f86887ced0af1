import { fromSystem } from '../error.js';
import type { Fault } from '../fault.js';
import { type CleanPath, cleanPath, type PathRules } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { closeDirectory, type Directory, openChild } from './directory.js';
import { lookAt, withLocated } from './locate.js';
import type { Mount } from './mount.js';
import { decodeText, readBytes, readLocated } from './read.js';
import { withRoom } from './room.js';

/** A file of a mount to read. */
export interface WantedFile {
  readonly mount: Mount;
  readonly path: CleanPath;
}

/**
 * Reads texts, each as if it was read alone and in the order given, but walks to the directory of neighbours once.
 * A link, and whatever else is not plainly a file in that directory, is read alone.
 */
export async function readTexts(
  wanted: readonly WantedFile[],
  rules: PathRules,
  fault: Fault,
): Promise<readonly FileResult<string>[]> {
  const results = new Map<WantedFile, FileResult<string>>();
  for (const neighbours of byDirectory(wanted)) {
    const read = await readNeighbours(neighbours, rules, fault);
    for (const [index, file] of neighbours.entries()) {
      results.set(file, read?.[index] ?? (await readAlone(file, fault)));
    }
  }
  return wanted.map((file) => results.get(file) as FileResult<string>);
}

function byDirectory(wanted: readonly WantedFile[]): Iterable<readonly WantedFile[]> {
  const groups = new Map<string, WantedFile[]>();
  for (const file of wanted) {
    const { alias, segments } = file.path;
    const key = JSON.stringify([alias, ...segments.slice(0, -1)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return groups.values();
}

const readAlone = ({ mount, path }: WantedFile, fault: Fault): Promise<FileResult<string>> =>
  withRoom(async () => textOf(path, await readBytes(mount, path, fault)));

/** The files of one directory; undefined for each that has to be read alone, and for all where it cannot be opened. */
async function readNeighbours(
  files: readonly WantedFile[],
  rules: PathRules,
  fault: Fault,
): Promise<readonly (FileResult<string> | undefined)[] | undefined> {
  const [first] = files;
  if (first === undefined || files.length === 1 || first.path.segments.length === 0) return undefined;
  const { mount } = first;
  const { alias, segments } = first.path;
  const above = cleanPath(alias, segments.slice(0, -1), rules);
  const read = await withLocated(mount, above, { create: false, follow: true }, async (located) => {
    const { parent, name, stat } = located;
    if (stat?.isDirectory() !== true) return ok(undefined);
    const directory = name === '.' ? parent : await openChild(parent, name);
    try {
      return ok(await Promise.all(files.map((file) => withRoom(() => readIn(directory, file, fault)))));
    } finally {
      if (directory !== parent) await closeDirectory(directory);
    }
  });
  return read.ok ? read.value : undefined;
}

async function readIn(
  directory: Directory,
  { mount, path }: WantedFile,
  fault: Fault,
): Promise<FileResult<string> | undefined> {
  const name = path.segments.at(-1) ?? '';
  if (mount.withheld?.place([...directory.names, name]) !== undefined) return undefined;
  try {
    const stat = await lookAt(directory, name);
    if (stat?.isFile() !== true) return undefined;
    await fault('located');
    return textOf(path, await readLocated({ parent: directory, name, stat }, path));
  } catch (thrown) {
    return fail(fromSystem(path.shown, thrown));
  }
}

function textOf(path: CleanPath, bytes: FileResult<Uint8Array>): FileResult<string> {
  if (!bytes.ok) return bytes;
  const decoded = decodeText(path, bytes.value);
  return decoded.ok ? ok(decoded.value.text) : decoded;
}
