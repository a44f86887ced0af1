import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { guard, guarded } from '@cuebook/guard';
import type { ProcessRow } from './process-row.js';
import { readProcesses } from './process-table.js';

export interface TreeOptions {
  /** The root; undefined once it has ended, because its number may be another's by then. */
  readonly pid: number | undefined;
  /** The group that the root leads: its own number, which no other process gets while somebody is in the group. */
  readonly group?: number | undefined;
  /** `NAME=value` in the environment of the root, which its descendants inherit; and its limit. */
  readonly mark: string;
  /** How long a process may take to end by itself after it was asked to. */
  readonly graceMs: number;
  /** Processes that are known to be ours, where the mark may not be seen. */
  readonly known?: readonly Pick<ProcessRow, 'pid' | 'start'>[];
}

/**
 * Ends a process and everything that it started: asks all with SIGTERM, waits, and ends with SIGKILL what is
 * left, until nothing is. Killing the group is not enough: agents run commands in sessions of their own, and a
 * command in the background outlives the shell that was its parent.
 */
export async function endTree(options: TreeOptions): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(options.pid);
  const first = await readProcesses(options.mark);
  if (!first) return endGroup(options);
  let known = treeOf(first, options.known ?? [], options.pid);
  const groups = new Set(groupsOf(known, first));
  if (options.group !== undefined) groups.add(options.group);
  if (known.length === 0) return killGroups(groups);
  for (const { pid } of known) send(pid, 'SIGTERM');
  const deadline = performance.now() + options.graceMs;
  const polls = Math.ceil(options.graceMs / MAX_POLL_MS) + MORE_POLLS;
  for (let poll = 0, quiet = 0; poll < polls && quiet < QUIET_LOOKS; poll += 1) {
    await wait(Math.min(FIRST_POLL_MS * 2 ** poll, MAX_POLL_MS));
    const now = await readProcesses(options.mark);
    if (!now) return endGroup(options);
    known = treeOf(now, known, options.pid);
    for (const group of groupsOf(known, now)) groups.add(group);
    quiet = known.length === 0 ? quiet + 1 : 0;
    const isLate = guard('process.survivors', performance.now() >= deadline);
    if (isLate) for (const { pid } of known) send(pid, 'SIGKILL');
    if (isLate || quiet > 0) killGroups(groups);
  }
}

/**
 * Ends what is in the groups, in one step: also what their members start while they are looked for. A process that
 * starts another and ends, again and again, is seen by no look, but it stays in its group.
 */
function killGroups(groups: ReadonlySet<number>): void {
  for (const group of groups) guarded('process.group', () => send(-group, 'SIGKILL'));
}

/** The process groups of a tree, all of which it made itself; never the one that this process is in. */
function groupsOf(tree: readonly ProcessRow[], now: readonly ProcessRow[]): ReadonlySet<number> {
  const own = now.find(({ pid }) => pid === process.pid)?.group;
  const groups = tree.map(({ group }) => group).filter((group) => group > 1 && group !== own);
  return new Set(groups);
}

/**
 * Who still lives of a tree: those of `before` that are the same process still, the marked ones, the root if it
 * is new to us, and the descendants of all these. A number that went to another process is not among them.
 */
export function treeOf(
  now: readonly ProcessRow[],
  before: readonly Pick<ProcessRow, 'pid' | 'start'>[],
  root: number | undefined,
): readonly ProcessRow[] {
  const starts = new Map(before.map(({ pid, start }) => [pid, start]));
  const isStranger = (row: ProcessRow) => {
    const start = starts.get(row.pid);
    return guard('process.reused', start !== undefined && start !== row.start);
  };
  const isOurs = (row: ProcessRow) =>
    row.isMarked || ((starts.has(row.pid) || (before.length === 0 && row.pid === root)) && !isStranger(row));
  const children = groupByParent(now);
  const found = new Map<number, ProcessRow>();
  const ours = now.filter(isOurs);
  const pids = new Set(ours.map(({ pid }) => pid));
  // Parents before their children: a shell that is told first ends by the signal, not by what became of its child.
  const open = [...ours.filter(({ parent }) => !pids.has(parent)), ...ours];
  for (const row of open) {
    if (found.has(row.pid) || row.pid === process.pid) continue;
    found.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()].filter(({ isZombie }) => !isZombie);
}

function groupByParent(rows: readonly ProcessRow[]): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const group = groups.get(row.parent);
    if (group) group.push(row);
    else groups.set(row.parent, [row]);
  }
  return groups;
}

/** So many looks in a row find nothing: a look is not taken at one moment. */
const QUIET_LOOKS = 2;
const FIRST_POLL_MS = 10;
const MAX_POLL_MS = 100;
/** Looks after the grace: more than one, because a process may start another while it is being looked for. */
const MORE_POLLS = 40;

/** Signals a process or, by a negative number, a group. False when it is gone or not ours. */
export function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // It ended in between, which is what was wanted.
  }
}

/** When the system does not list its processes, the group that our child leads is all we know. */
async function endGroup({ pid, graceMs }: TreeOptions): Promise<void> {
  if (pid === undefined || !send(-pid, 'SIGTERM')) return;
  await wait(graceMs);
  send(-pid, 'SIGKILL');
}

function endOnWindows(pid: number | undefined): Promise<void> {
  if (pid === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => resolve());
  });
}
