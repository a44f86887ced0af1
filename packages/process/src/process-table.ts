import { execFile } from 'node:child_process';
import { readOneOfProc, readProc } from './proc.js';
import type { ProcessRow } from './process-row.js';

/**
 * Every process, with those marked that carry `mark`. Undefined when the system does not say.
 * Linux is asked through /proc, since `ps` is not part of every image; others through `ps`, which does not
 * show marks, so that a process whose parents have all ended is not found there.
 */
export async function readProcesses(mark: string): Promise<readonly ProcessRow[] | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform === 'linux') return readProc(mark);
  const listing = await output('ps', ['-A', '-o', COLUMNS]);
  return listing === undefined ? undefined : parsePs(listing);
}

/** One process, without reading all of them. Undefined when it is gone, or the system does not say. */
export async function readProcess(pid: number): Promise<Omit<ProcessRow, 'isMarked'> | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform === 'linux') return readOneOfProc(pid);
  const listing = await output('ps', ['-p', String(pid), '-o', COLUMNS]);
  return listing === undefined ? undefined : parsePs(listing).find((row) => row.pid === pid);
}

const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/** Reads what `ps` tells of processes. */
export function parsePs(listing: string): readonly ProcessRow[] {
  return listing.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (!match) return [];
    const [pid = 0, parent = 0, group = 0] = match.slice(1, 4).map(Number);
    const [state = '', start = ''] = match.slice(4);
    return [{ pid, parent, group, start, isZombie: state.startsWith('Z'), isMarked: false }];
  });
}

const LISTING_BYTES = 16 << 20;
const LISTING_MS = 5000;

function output(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
    const options = { env, maxBuffer: LISTING_BYTES, timeout: LISTING_MS, encoding: 'utf8' } as const;
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
