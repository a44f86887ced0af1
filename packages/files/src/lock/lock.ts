import { setTimeout as wait } from 'node:timers/promises';
import { guard } from '@cuebook/guard';
import type { Files } from '../contract.js';
import { type FileResult, fail, ok } from '../result.js';
import { livingState, ownMark, readMark } from './process-mark.js';

export interface LockOptions {
  /**
   * How long to wait for one holder that lives, in milliseconds; 10 seconds by default. The next holder is waited for
   * as long again. Only pauses between two looks count: a machine that is too busy to look uses up no patience.
   */
  readonly patienceMs?: number;
}

/** How long a holder on another machine is believed to live. */
const FOREIGN_MS = 60_000;
const FREE = 'free';

/**
 * Does some work while no other process, and nobody else in this one, does work under the same lock. `folder` is
 * a directory of its own for the lock. A holder that was killed is replaced at once; one that lives is waited for
 * and never pushed aside, so a paused process wakes up with the lock still its own. `E_FILE_CHANGED`: one and the same
 * holder had the lock for all that time.
 *
 * The lock is a row of numbered files, of which the highest one counts. Taking it means to make the next number,
 * which a file system lets exactly one do; letting go means to write `free` into one's own. The highest number is
 * never removed, so whoever looked too early finds a higher one than its own and steps back.
 */
export async function withLock<Value>(
  files: Files,
  folder: string,
  work: () => Promise<Value>,
  { patienceMs = 10_000 }: LockOptions = {},
): Promise<FileResult<Value>> {
  let waited = { ms: 0, behind: 0 };
  for (let tries = 0; ; tries += 1) {
    const taken = await tryToTake(files, folder);
    // A number that is made too late is tidied up by who is ahead, perhaps while it is being written.
    if (!taken.ok && taken.error.code !== 'E_FILE_NOT_FOUND') return taken;
    if (taken.ok && 'own' in taken.value) return hold(files, folder, taken.value.own, work);
    const behind = taken.ok && 'behind' in taken.value ? taken.value.behind : waited.behind;
    if (guard('lock.progress', behind !== waited.behind)) waited = { ms: 0, behind };
    if (waited.ms >= patienceMs) return taken.ok ? fail({ code: 'E_FILE_CHANGED', path: folder }) : taken;
    // A little luck, so that those who wait do not all come back at once.
    const pauseMs = Math.min(50, 2 + tries * 2) * (0.5 + Math.random());
    await wait(pauseMs);
    waited.ms += pauseMs;
  }
}

/** The number that is ours now, or that of somebody who holds the lock. */
type Look = { readonly own: number } | { readonly behind: number };

/** Whether somebody who lives holds the lock of a folder at this moment. Nothing is made or changed. */
export async function isLocked(files: Files, folder: string): Promise<FileResult<boolean>> {
  const numbers = await numbersIn(files, folder);
  if (!numbers.ok) return numbers;
  const last = Math.max(0, ...numbers.value);
  return ok(last > 0 && !(await isFree(files, `${folder}/${last}`)));
}

async function hold<Value>(
  files: Files,
  folder: string,
  number: number,
  work: () => Promise<Value>,
): Promise<FileResult<Value>> {
  try {
    return ok(await work());
  } finally {
    // A lock that cannot be let go of is free when this process ends.
    await files.writeText(`${folder}/${number}`, FREE);
    await files.remove(`${folder}/${number - 1}`);
  }
}

async function tryToTake(files: Files, folder: string): Promise<FileResult<Look>> {
  const before = await numbersIn(files, folder);
  if (!before.ok) return before;
  const last = Math.max(0, ...before.value);
  if (last > 0 && guard('lock.held', !(await isFree(files, `${folder}/${last}`))))
    return ok({ behind: last });
  const own = `${folder}/${last + 1}`;
  const made = await files.writeText(own, JSON.stringify(ownMark()), { ifMatch: 'absent' });
  if (!made.ok) return made.error.code === 'E_FILE_CHANGED' ? ok({ behind: last + 1 }) : made;
  // Others may have come and gone since the look, and tidied up this very number. The highest is never removed.
  const after = await numbersIn(files, folder);
  if (after.ok && Math.max(...after.value) === last + 1) {
    for (const old of after.value) if (old < last) await files.remove(`${folder}/${old}`);
    return ok({ own: last + 1 });
  }
  await files.remove(own);
  return after.ok ? ok({ behind: Math.max(...after.value) }) : after;
}

async function numbersIn(files: Files, folder: string): Promise<FileResult<readonly number[]>> {
  const listed = await files.list(folder);
  if (!listed.ok) return listed.error.code === 'E_FILE_NOT_FOUND' ? ok([]) : listed;
  return ok(listed.value.entries.map(({ name }) => Number(name)).filter(Number.isSafeInteger));
}

async function isFree(files: Files, path: string): Promise<boolean> {
  const text = await files.readText(path, { limit: 10_000 });
  // It was tidied up by the next holder: somebody is at work.
  if (!text.ok) return false;
  if (text.value === FREE) return true;
  const mark = readMark(text.value);
  const state = mark === undefined ? 'unknown' : livingState(mark);
  if (state !== 'unknown') return state === 'ended';
  const found = await files.stat(path);
  return found.ok && Date.now() - found.value.modifiedMs > FOREIGN_MS;
}
