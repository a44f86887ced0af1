import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { parseStat } from './proc.js';
import type { ProcessRow } from './process-row.js';
import { parsePs, readProcesses } from './process-table.js';
import { treeOf } from './process-tree.js';

const row = (pid: number, parent: number, more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid,
  parent,
  group: parent,
  start: `s${pid}`,
  isZombie: false,
  isMarked: false,
  ...more,
});
const pids = (rows: readonly ProcessRow[]) => rows.map(({ pid }) => pid).sort((a, b) => a - b);

describe('the tree of a process', () => {
  const now = [row(10, 1), row(11, 10), row(12, 11), row(20, 1), row(21, 20), row(30, 1, { isMarked: true })];

  it('holds the root, its descendants and those that carry its mark', () => {
    expect(pids(treeOf(now, [], 10))).toEqual([10, 11, 12, 30]);
  });

  it('still holds those seen before whose parents have ended', () => {
    const before = treeOf(now, [], 10);
    const later = [row(12, 1), row(13, 12), row(20, 1), row(21, 20)];
    expect(pids(treeOf(later, before, 10))).toEqual([12, 13]);
  });

  it('leaves alone a process that was given the number of one that ended', () => {
    const before = treeOf(now, [], 10);
    const later = [row(10, 1, { start: 'later' }), row(11, 10, { start: 'later' }), row(12, 1)];
    expect(pids(treeOf(later, before, 10))).toEqual([12]);
    expect(treeOf([row(10, 1, { start: 'later' })], before, 10)).toEqual([]);
  });

  it('counts a zombie as ended, and its children as its own', () => {
    const rows = [row(10, 1, { isZombie: true }), row(11, 10)];
    expect(pids(treeOf(rows, [], 10))).toEqual([11]);
  });

  it('ends and never holds this process, for any table, circles included', () => {
    const any = fc.record({
      pid: fc.integer({ min: 1, max: 12 }).map((n) => (n === 12 ? process.pid : n)),
      parent: fc.integer({ min: 0, max: 12 }),
      group: fc.integer({ min: 0, max: 12 }),
      start: fc.constantFrom('a', 'b'),
      isZombie: fc.boolean(),
      isMarked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any), fc.array(any), (first, second) => {
        const found = treeOf(second, treeOf(first, [], 3), 3);
        expect(pids(found)).not.toContain(process.pid);
        expect(found.every(({ isZombie }) => !isZombie)).toBe(true);
      }),
      runs(300, 20_000),
    );
  });
});

describe('the table of processes', () => {
  it('reads /proc, whatever a program calls itself', () => {
    const line = (pid: number, name: string, state: string, parent: number, start: number) =>
      `${pid} (${name}) ${state} ${parent} 7 7 0 -1 4194560 1 0 0 0 5 3 0 0 20 0 1 0 ${start} 100 10`;
    const texts = [line(7, 'x) R 1', 'S', 3, 500), line(8, 'y\n9 (z', 'Z', 7, 600), 'rubbish', ''];
    expect(texts.map(parseStat)).toEqual([
      { pid: 7, parent: 3, group: 7, start: '500', isZombie: false },
      { pid: 8, parent: 7, group: 7, start: '600', isZombie: true },
      undefined,
      undefined,
    ]);
  });

  it('reads ps', () => {
    expect(
      parsePs(
        '    1     0     1 Ss   Mon Feb  2 10:00:00 2026\n  17     1    17 Z+   Mon Feb  2 10:00:01 2026\n',
      ),
    ).toEqual([
      { pid: 1, parent: 0, group: 1, start: 'Mon Feb  2 10:00:00 2026', isZombie: false, isMarked: false },
      { pid: 17, parent: 1, group: 17, start: 'Mon Feb  2 10:00:01 2026', isZombie: true, isMarked: false },
    ]);
  });

  it.skipIf(process.platform === 'win32')('holds this process on this machine', async () => {
    const rows = await readProcesses('no-such-mark-anywhere=');
    expect(rows?.find(({ pid }) => pid === process.pid)?.parent).toBe(process.ppid);
  });
});
