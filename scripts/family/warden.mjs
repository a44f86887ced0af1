// @ts-check
import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { familyIn, isMarked, readProcesses } from './process-table.mjs';

// A program that outlives the one whose number it is given, and ends whatever that one started and left: children of
// children, those in sessions of their own, and those whose parents are gone. It knows that its turn has come when
// its standard input closes, which also a process that is killed cannot keep from happening. A folder that is named to
// it goes last.

const root = Number(process.argv[2]);
const folder = process.argv[3];
const mark = `CUEBOOK_WARDEN=${process.pid}`;
const LOOK_MS = 500;
const GRACE_MS = 2_000;
const PAUSE_MS = 50;

/** @type {Map<number, string>} */
const known = new Map();
for (const { pid, start } of readProcesses()) if (pid === root) known.set(pid, start);

// A terminal that closes, or a group that is told to end, must not end this one first.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => undefined);

const looking = setInterval(look, LOOK_MS);
look();
process.stdin.on('error', () => undefined);
process.stdin.on('close', () => void endAll());
process.stdin.resume();

/** Remembers who belongs to the family, while their parents still say so. */
function look() {
  const family = familyIn(readProcesses(), known).filter(({ pid }) => pid !== process.pid && pid !== root);
  for (const { pid, start } of family) known.set(pid, start);
  return family;
}

async function endAll() {
  clearInterval(looking);
  for (const { pid, start } of readProcesses()) {
    if (pid !== process.pid && pid !== root && isMarked(pid, mark)) known.set(pid, start);
  }
  const late = performance.now() + GRACE_MS;
  for (let left = look(), isAsked = false; left.length > 0; left = look()) {
    const isLate = performance.now() > late;
    for (const { pid } of left) if (isLate || !isAsked) send(pid, isLate ? 'SIGKILL' : 'SIGTERM');
    isAsked = true;
    await wait(PAUSE_MS);
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between, which is what was wanted.
  }
}
