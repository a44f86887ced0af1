import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { limitPattern, NO_MARK, ownMark } from './mark.js';
import type { ProcessRow } from './process-row.js';

/**
 * Every process that /proc lists, with those marked that carry `mark`; undefined when there is no /proc. A shell that
 * reads it costs several times as much, and ending a program takes several looks. The files of /proc are no files: the
 * system writes them as they are read, so nothing waits for a disk, and reading in small lots keeps nobody waiting.
 */
export async function readProc(mark: string): Promise<readonly ProcessRow[] | undefined> {
  const pids = pidsIn('/proc');
  if (pids === undefined) return undefined;
  const isMarked = marksOf(mark);
  const rows: ProcessRow[] = [];
  for (let at = 0; at < pids.length; at += LOT) {
    if (at > 0) await turn();
    for (const pid of pids.slice(at, at + LOT)) {
      const row = parseStat(textOf(pid, 'stat'));
      if (row !== undefined) rows.push({ ...row, isMarked: isMarked(row) });
    }
  }
  return rows;
}

/** The row of one process. /proc answers for the numbers of threads too, which its list leaves out. */
export function readOneOfProc(pid: number): Omit<ProcessRow, 'isMarked'> | undefined {
  const owner = /^Tgid:\s*(\d+)$/m.exec(textOf(pid, 'status'))?.[1];
  return Number(owner) === pid ? parseStat(textOf(pid, 'stat')) : undefined;
}

/** Processes that are read at a stretch: under two milliseconds. */
const LOT = 64;

/** Reads /proc/PID/stat; undefined for what is none. */
export function parseStat(line: string): Omit<ProcessRow, 'isMarked'> | undefined {
  // The name stands in parentheses and may hold anything, parentheses, spaces and line ends too.
  const close = line.lastIndexOf(')');
  const pid = Number.parseInt(line, 10);
  const fields = line.slice(close + 2).split(' ');
  const [state, parent, group, start] = [fields[0], Number(fields[1]), Number(fields[2]), fields[19]];
  if (close < 0 || !Number.isInteger(pid) || !Number.isInteger(parent) || !start) return undefined;
  return { pid, parent, group, start, isZombie: state === 'Z' || state === 'X' };
}

/** Whether a process carries the mark, in its environment or as its limit. */
function marksOf(mark: string): (row: Omit<ProcessRow, 'isMarked'>) => boolean {
  if (mark === NO_MARK) return () => false;
  const limit = new RegExp(limitPattern(mark), 'm');
  // What was there before this process is nothing that it started.
  const since = mark.startsWith(ownMark()) ? Number(parseStat(textOf('self', 'stat'))?.start ?? 0) : 0;
  return ({ pid, start, isZombie }) =>
    !isZombie &&
    Number(start) >= since &&
    (textOf(pid, 'environ').includes(mark) || limit.test(textOf(pid, 'limits')));
}

function pidsIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined; // A machine that does not show its processes.
  }
}

const buffer = Buffer.allocUnsafe(64 << 10);

/** As bytes; empty when the process has ended or may not be looked at. The system fills the buffer while there is more. */
function textOf(pid: string | number, name: 'stat' | 'status' | 'environ' | 'limits'): string {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/${name}`, 'r');
    let text = '';
    for (let size = buffer.length; size === buffer.length; ) {
      size = readSync(file, buffer, 0, buffer.length, null);
      text += buffer.toString('latin1', 0, size);
    }
    return text;
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
