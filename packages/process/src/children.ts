import { ownMark } from './mark.js';
import type { ProcessRow } from './process-row.js';
import { readProcess, readProcesses } from './process-table.js';
import { endTree } from './process-tree.js';

/** A process, told apart from a later one with the same number. */
export type ProcessName = Pick<ProcessRow, 'pid' | 'start'>;

/**
 * What has to be on disk so that a later process finds the children of one that was killed: who it was, what its
 * children carry, and the children themselves for systems that do not show it.
 */
export interface ChildrenNote {
  readonly owner: ProcessName;
  /** `NAME=value`, the beginning of it. */
  readonly mark: string;
  readonly children: readonly ProcessName[];
}

/** The note of this process, as it begins. Undefined where the system does not list processes. */
export async function noteOfThisProcess(): Promise<ChildrenNote | undefined> {
  const owner = await nameProcess(process.pid);
  return owner && { owner, mark: ownMark(), children: [] };
}

/** Names a process by its number and the time it started; undefined when it is gone. */
export async function nameProcess(pid: number): Promise<ProcessName | undefined> {
  const row = await readProcess(pid);
  return row && !row.isZombie ? { pid, start: row.start } : undefined;
}

/**
 * Ends what a process that was killed has left running, and answers how much that was. A process that only has
 * the number of one of them is not touched; neither is anything while the owner lives.
 */
export async function endLeftChildren({ owner, mark, children }: ChildrenNote): Promise<number | 'alive'> {
  const rows = await readProcesses(mark);
  if (rows === undefined) return 0;
  const isSame = (row: ProcessRow, name: ProcessName): boolean =>
    row.pid === name.pid && row.start === name.start && !row.isZombie;
  if (rows.some((row) => isSame(row, owner))) return 'alive';
  const left = rows.filter(
    (row) => !row.isZombie && (row.isMarked || children.some((child) => isSame(row, child))),
  );
  if (left.length > 0) await endTree({ pid: undefined, mark, graceMs: GRACE_MS, known: children });
  return left.length;
}

/** Hears the number of each child as it starts, until the answer is called. */
export function watchChildren(listener: (pid: number) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells the listeners of a child. */
export function announce(pid: number): void {
  for (const listener of listeners) listener(pid);
}

const listeners = new Set<(pid: number) => void>();
const GRACE_MS = 2_000;
