import type { BigIntStats } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import { guard } from '@cuebook/guard';
import type { Precondition, WriteOptions, Written } from '../contract.js';
import type { Fault } from '../fault.js';
import type { CleanPath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { childPath, syncDirectory } from './directory.js';
import { type Located, lookAt, makeChild, withLocated } from './locate.js';
import { isProtected, type Mount } from './mount.js';
import { hashFile, kindOf, sha256Of, withOpenFile } from './read.js';
import { replaceFile } from './replace.js';
import { inTurn } from './turn.js';

/** Replaces or creates a file, whole or not at all, durable when it answers. Creates missing directories. */
export function writeBytes(
  mount: Mount,
  path: CleanPath,
  bytes: Uint8Array,
  fault: Fault,
  options: WriteOptions = {},
): Promise<FileResult<Written>> {
  return change(mount, path, { create: true }, async (located) => {
    const refused = await refuseTarget(located, path, options);
    if (refused !== undefined) return refused;
    await fault('located');
    const replaced = await replaceFile(located, path, bytes, {
      fault,
      mode: options.mode,
      exclusive: options.ifMatch === ABSENT,
      // Once more, as late as possible: hashing takes no time against writing and syncing.
      stillWanted: async () => refuseTarget(await lookAgain(located), path, options),
    });
    return replaced.ok ? ok({ path: path.text, sha256: sha256Of(bytes), size: bytes.length }) : replaced;
  });
}

/** Removes a regular file, durably. A directory or a link stays. */
export function removeFile(
  mount: Mount,
  path: CleanPath,
  fault: Fault,
  options: Precondition = {},
): Promise<FileResult<void>> {
  return change(mount, path, { create: false }, async (located) => {
    const refused = await refuseTarget(located, path, options);
    if (refused !== undefined) return refused;
    if (located.stat === undefined) return fail({ code: 'E_FILE_NOT_FOUND', path: path.shown });
    await fault('located');
    const again = await lookAgain(located);
    return withOpenFile(again, path, async () => {
      await unlink(childPath(located.parent, located.name));
      await syncDirectory(located.parent);
      return ok(undefined);
    });
  });
}

/** Creates a directory and those above it; one that exists is as good. */
export function makeDirectory(mount: Mount, path: CleanPath): Promise<FileResult<void>> {
  const refused = refuseMount(mount, path, path.segments);
  if (refused !== undefined) return Promise.resolve(refused);
  return withLocated(mount, path, { create: true, follow: true }, async ({ parent, name, stat }) => {
    const kept = refuseMount(mount, path, [...parent.names, name]);
    if (kept !== undefined) return kept;
    if (stat === undefined) await makeChild(parent, name);
    const made = stat ?? (await lookAt(parent, name));
    return made?.isDirectory() === true
      ? ok(undefined)
      : fail({ code: 'E_NOT_A_DIRECTORY', path: path.shown });
  });
}

const ABSENT = 'absent';

async function change<Value>(
  mount: Mount,
  path: CleanPath,
  { create }: { readonly create: boolean },
  task: (located: Located) => Promise<FileResult<Value>>,
): Promise<FileResult<Value>> {
  const refused = refuseMount(mount, path, path.segments);
  if (refused !== undefined) return refused;
  return withLocated(mount, path, { create, follow: false }, async (located) => {
    const kept = refuseMount(mount, path, [...located.parent.names, located.name]);
    if (kept !== undefined) return kept;
    const { dev, ino } = await lstat(childPath(located.parent, '.'), { bigint: true });
    const key = `${dev}:${ino}:${located.name.normalize('NFC').toLowerCase()}`;
    return inTurn(key, async () => task(await lookAgain(located)));
  });
}

/** Why nothing may be written there, whatever stands there. */
export function refuseMount(
  mount: Mount,
  path: CleanPath,
  segments: readonly string[],
): FileResult<never> | undefined {
  const readOnly = fail({ code: 'E_READ_ONLY', path: path.shown });
  if (guard('write.read-only', mount.access !== 'rw')) return readOnly;
  if (guard('write.protected', isProtected(mount, segments))) return readOnly;
  const isWithheld = (mount.withheld?.place(segments) ?? mount.withheld?.write(segments)) !== undefined;
  return isWithheld ? fail({ code: 'E_SANDBOX_VIOLATION', path: path.shown, reason: 'withheld' }) : undefined;
}

const lookAgain = async (located: Located): Promise<Located> => ({
  ...located,
  stat: await lookAt(located.parent, located.name),
});

/** Why what stands there is not written over. */
export async function refuseTarget(
  located: Located,
  path: CleanPath,
  { ifMatch }: Precondition,
): Promise<FileResult<never> | undefined> {
  const { stat } = located;
  if (guard('write.symlink', stat?.isSymbolicLink() === true)) {
    return fail({ code: 'E_SANDBOX_VIOLATION', path: path.shown, reason: 'symlink-write' });
  }
  if (stat !== undefined && guard('write.special', !stat.isFile())) {
    return fail({ code: 'E_NOT_A_FILE', path: path.shown, kind: kindOf(stat) });
  }
  return ifMatch === undefined ? refuseWithheld(located, path) : refuseVersion(located, stat, path, ifMatch);
}

/** What is withheld by its words, or is another name of what is, is not written over. */
async function refuseWithheld(located: Located, path: CleanPath): Promise<FileResult<never> | undefined> {
  if (located.stat === undefined || located.parent.mount.withheld === undefined) return undefined;
  const opened = await withOpenFile(located, path, async () => ok(undefined));
  const isWithheld =
    !opened.ok && opened.error.code === 'E_SANDBOX_VIOLATION' && opened.error.reason === 'withheld';
  return guard('write.withheld', isWithheld) && !opened.ok ? opened : undefined;
}

async function refuseVersion(
  located: Located,
  stat: BigIntStats | undefined,
  path: CleanPath,
  ifMatch: string,
): Promise<FileResult<never> | undefined> {
  const found = stat === undefined ? ok(ABSENT) : await withOpenFile(located, path, hashOf);
  if (!found.ok) return found;
  const differs = found.value !== (ifMatch === ABSENT ? ABSENT : ifMatch.toLowerCase());
  return guard('write.if-match', differs)
    ? fail({ code: 'E_FILE_CHANGED', path: path.shown, found: found.value })
    : undefined;
}

const hashOf = async (handle: Parameters<typeof hashFile>[0]): Promise<FileResult<string>> =>
  ok(await hashFile(handle));
