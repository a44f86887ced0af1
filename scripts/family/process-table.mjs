// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * A running process. Its number may go to another one when it ends; number and start together do not.
 *
 * @typedef {object} Process
 * @property {number} pid
 * @property {number} parent
 * @property {string} start
 */

/**
 * Every process of this machine that is not a zombie.
 *
 * @returns {readonly Process[]}
 */
export function readProcesses() {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

/**
 * Whether a process was started with `text` in its environment. Only Linux says so.
 *
 * @param {number} pid
 * @param {string} text
 */
export function isMarked(pid, text) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(text);
  } catch {
    return false; // It ended, or is not ours to look at.
  }
}

/**
 * The processes of a family: those of `known` that are the same still, and the descendants of all these.
 *
 * @param {readonly Process[]} now
 * @param {ReadonlyMap<number, string>} known starts by number
 * @returns {readonly Process[]}
 */
export function familyIn(now, known) {
  /** @type {Map<number, Process[]>} */
  const children = new Map();
  for (const row of now) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const open = now.filter(({ pid, start }) => known.get(pid) === start);
  /** @type {Map<number, Process>} */
  const found = new Map();
  for (let row = open.pop(); row; row = open.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    open.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

function fromProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return statRow(Number(name), readFileSync(`/proc/${name}/stat`, 'latin1'));
      } catch {
        return []; // It ended in between.
      }
    });
}

/**
 * @param {number} pid
 * @param {string} stat
 * @returns {Process[]}
 */
function statRow(pid, stat) {
  // The name of the program stands in brackets and may hold anything; the fields begin after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, start] = [fields[0], Number(fields[1]), fields[19] ?? ''];
  return state === 'Z' || state === 'X' ? [] : [{ pid, parent, start }];
}

function fromPs() {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid=,stat=,lstart='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, state, start] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    if (!pid || !parent || !start || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), start: start.trim() }];
  });
}
