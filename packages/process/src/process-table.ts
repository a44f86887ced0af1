import { execFile } from 'node:child_process';
import { limitPattern } from './mark.js';

/** One process of this machine. `start` tells two processes apart that had the same number at different times. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** The number of its process group; 0 where the system does not say. */
  readonly group: number;
  readonly start: string;
  /** Ended, and only waiting for its parent to notice. */
  readonly isZombie: boolean;
  /** Carries the mark asked for: started by our child, however far down. */
  readonly isMarked: boolean;
}

/**
 * Every process, with those marked that carry `mark`. Undefined when the system does not say.
 * Linux is asked through /proc, since `ps` is not part of every image; others through `ps`, which does not
 * show marks, so that a process whose parents have all ended is not found there.
 */
export async function readProcesses(mark: string): Promise<readonly ProcessRow[] | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') {
    const listing = await output('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']);
    return listing === undefined ? undefined : parsePs(listing);
  }
  const listing = await output('sh', ['-c', PROC_SCRIPT, 'sh', mark, limitPattern(mark)]);
  return listing === undefined ? undefined : parseProc(listing);
}

/** Reads what `PROC_SCRIPT` prints: lines of /proc/PID/stat, then the files by name that show a mark. */
export function parseProc(listing: string): readonly ProcessRow[] {
  const [stats = '', marks = ''] = listing.split(DIVIDER);
  const marked = new Set(
    [...marks.matchAll(/\/proc\/(\d+)\/(?:environ|limits)/g)].map((match) => Number(match[1])),
  );
  return stats.split('\n').flatMap((line) => {
    // The name stands in parentheses and may hold anything, parentheses and spaces too.
    const close = line.lastIndexOf(')');
    const pid = Number.parseInt(line, 10);
    const fields = line.slice(close + 2).split(' ');
    const [state, parent, group, start] = [fields[0], Number(fields[1]), Number(fields[2]), fields[19]];
    if (close < 0 || !Number.isInteger(pid) || !Number.isInteger(parent) || !start) return [];
    const isZombie = state === 'Z' || state === 'X';
    return [{ pid, parent, group, start, isZombie, isMarked: marked.has(pid) }];
  });
}

/** Reads `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(listing: string): readonly ProcessRow[] {
  return listing.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (!match) return [];
    const [pid = 0, parent = 0, group = 0] = match.slice(1, 4).map(Number);
    const [state = '', start = ''] = match.slice(4);
    return [{ pid, parent, group, start, isZombie: state.startsWith('Z'), isMarked: false }];
  });
}

const DIVIDER = '\n=marked=\n';

// Processes come and go while this runs: files that vanish are no failure. The shell and its `cat` are in the
// listing too; they are children of ours, not of the child that is asked about, and carry no mark.
const PROC_SCRIPT = `cat /proc/[0-9]*/stat 2>/dev/null
printf '\\n=marked=\\n'
grep -l -a -s -F -e "$1" /proc/[0-9]*/environ 2>/dev/null
grep -l -s -E -e "$2" /proc/[0-9]*/limits 2>/dev/null
exit 0`;

const LISTING_BYTES = 16 << 20;
const LISTING_MS = 5000;

function output(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
    const options = { env, maxBuffer: LISTING_BYTES, timeout: LISTING_MS, encoding: 'utf8' } as const;
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
