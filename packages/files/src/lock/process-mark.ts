import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names a process so that another one of the same number, or of another machine, is not taken for it. */
export interface ProcessMark {
  readonly pid: number;
  /** When it began, as the system counts; empty where the system does not say. */
  readonly start: string;
  /** Since when the machine runs; empty where the system does not say. */
  readonly boot: string;
  /** A digest of the machine's name and of the space that process numbers are counted in. */
  readonly host: string;
}

/** The mark of this process. */
export const ownMark = (): ProcessMark => ({
  pid: process.pid,
  start: statOf(process.pid).start,
  boot: BOOT,
  host: HOST,
});

/** The mark that a text holds as JSON; undefined for any other text. */
export function readMark(text: string): ProcessMark | undefined {
  try {
    const { pid, start, boot, host } = JSON.parse(text) as Partial<Record<keyof ProcessMark, unknown>>;
    const isMark =
      Number.isSafeInteger(pid) &&
      typeof start === 'string' &&
      typeof boot === 'string' &&
      typeof host === 'string';
    return isMark ? ({ pid, start, boot, host } as ProcessMark) : undefined;
  } catch {
    // No process of ours wrote this.
    return undefined;
  }
}

/** `unknown`: the process belongs to another machine, and nobody here can say. */
export function livingState({ pid, start, boot, host }: ProcessMark): 'alive' | 'ended' | 'unknown' {
  if (host !== HOST) return 'unknown';
  if (boot !== BOOT || !isRunning(pid)) return 'ended';
  const { start: found, isZombie } = statOf(pid);
  if (isZombie) return 'ended';
  return start !== '' && found !== '' && found !== start ? 'ended' : 'alive';
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // Somebody else's process is a process too.
    return (thrown as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The 22nd and the third field of /proc/PID/stat. The name before them stands in parentheses and may hold anything. */
function statOf(pid: number): { readonly start: string; readonly isZombie: boolean } {
  const stat = ofSystem(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // One that ended and whose parent has not looked yet still has its number.
  return { start: fields[19] ?? '', isZombie: fields[0] === 'Z' || fields[0] === 'X' };
}

/** What only Linux says, and not to everybody; empty where it is not said. */
function ofSystem(read: () => string): string {
  if (process.platform !== 'linux') return '';
  try {
    return read().trim();
  } catch {
    return '';
  }
}

const BOOT = ofSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
/** Containers count processes each for themselves. */
const SPACE = ofSystem(() => readlinkSync('/proc/self/ns/pid'));
const HOST = createHash('sha256').update(`${hostname()}\n${SPACE}`).digest('hex').slice(0, 16);
