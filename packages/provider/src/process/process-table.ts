import { execFile } from 'node:child_process';

/** One process of this machine. `start` tells two processes apart that had the same number at different times. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  /** Ended, and only waiting for its parent to notice. */
  readonly isZombie: boolean;
  /** Carries the mark asked for in its environment: started by our child, however far down. */
  readonly isMarked: boolean;
}

/**
 * Every process, with those marked whose environment holds `mark`. Undefined when the system does not say.
 * Linux is asked through /proc, since `ps` is not part of every image; others through `ps`, which does not
 * show environments, so that a process whose parents have all ended is not found there.
 */
export async function readProcesses(mark: string): Promise<readonly ProcessRow[] | undefined> {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') {
    const listing = await output('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart=']);
    return listing === undefined ? undefined : parsePs(listing);
  }
  const listing = await output('sh', ['-c', PROC_SCRIPT, 'sh', mark]);
  return listing === undefined ? undefined : parseProc(listing);
}

/** Reads what `PROC_SCRIPT` prints: lines of /proc/PID/stat, then the marked environment files by name. */
export function parseProc(listing: string): readonly ProcessRow[] {
  const [stats = '', marks = ''] = listing.split(DIVIDER);
  const marked = new Set([...marks.matchAll(/\/proc\/(\d+)\/environ/g)].map((match) => Number(match[1])));
  return stats.split('\n').flatMap((line) => {
    // The name stands in parentheses and may hold anything, parentheses and spaces too.
    const close = line.lastIndexOf(')');
    const pid = Number.parseInt(line, 10);
    const fields = line.slice(close + 2).split(' ');
    const [state, parent, start] = [fields[0], Number(fields[1]), fields[19]];
    if (close < 0 || !Number.isInteger(pid) || !Number.isInteger(parent) || !start) return [];
    return [{ pid, parent, start, isZombie: state === 'Z' || state === 'X', isMarked: marked.has(pid) }];
  });
}

/** Reads `ps -o pid=,ppid=,stat=,lstart=`. */
export function parsePs(listing: string): readonly ProcessRow[] {
  return listing.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (!match) return [];
    const [, pid, parent, state = '', start = ''] = match;
    return [
      { pid: Number(pid), parent: Number(parent), start, isZombie: state.startsWith('Z'), isMarked: false },
    ];
  });
}

const DIVIDER = '\n=marked=\n';

// Processes come and go while this runs: files that vanish are no failure. The shell and its `cat` are in the
// listing too; they are children of ours, not of the child that is asked about, and carry no mark.
const PROC_SCRIPT = `cat /proc/[0-9]*/stat 2>/dev/null
printf '\\n=marked=\\n'
grep -l -a -s -F -e "$1" /proc/[0-9]*/environ 2>/dev/null
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
