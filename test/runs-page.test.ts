import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ledger from '../examples/kind-ledger/ledger.mjs';
import { evalRuns } from '../packages/host/src/eval/eval-kind.js';
import { residentRuns } from '../packages/resident/src/kind/resident-kind.js';
import { threadRuns } from '../packages/thread/src/kind/thread-kind.js';
import { profileTurns } from '../packages/turn/src/turn-kind.js';
import { workflowRuns } from '../packages/workflow/src/kind/workflow-kind.js';
import { ROOT } from './root.js';
import { evidenceOf, problemOf, rowsOf, targetOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/runs.md');
const [lines = ''] = readFileSync(PAGE, 'utf8').split('## What each kind runs');
const rows = rowsOf(lines);

/** What each kind lacks, in the order of the page. The record of a team is made with its host, and lacks nothing. */
const LACKS = {
  team: {},
  thread: threadRuns.lacks ?? {},
  workflow: workflowRuns.lacks ?? {},
  resident: residentRuns.lacks ?? {},
  turn: profileTurns({}).lacks ?? {},
  eval: evalRuns().lacks ?? {},
  ledger: ledger.lacks ?? {},
};

describe('docs/internals/runs.md', () => {
  it('says of each kind which scenarios it runs, and why not the others, as its record does', () => {
    const [, table = ''] = readFileSync(PAGE, 'utf8').split(
      /## What each kind runs|## The way of a team turn/,
    );
    const reasons = new Map([...table.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, why]) => [number, why]));
    const kinds = [...table.matchAll(/\[(\w+)\]\(([^)]+\.test\.ts)\)/g)];
    expect(kinds.map(([, name]) => name)).toEqual(Object.keys(LACKS));
    for (const [, , link = ''] of kinds)
      expect(readFileSync(join(ROOT, targetOf(PAGE, link)), 'utf8')).toContain('describeKind(');
    const parts = new Set<string>();
    for (const [scenario = '', ...cells] of rowsOf(table)) {
      const part = /^`(\w+)`/.exec(scenario)?.[1];
      if (part !== undefined) parts.add(part);
      const lacked = Object.values(LACKS).map((each) => part && (each as Record<string, string>)[part]);
      expect(cells, scenario).toHaveLength(kinds.length);
      expect(
        cells.map((cell) => (cell === 'runs' ? undefined : reasons.get(cell))),
        scenario,
      ).toEqual(lacked);
    }
    for (const each of Object.values(LACKS))
      expect([...parts]).toEqual(expect.arrayContaining(Object.keys(each)));
  });

  it('says in the last cell of every line what shows it', () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => evidenceOf(row.at(-1) ?? '') === undefined)).toEqual([]);
  });

  it.each(rows.map((row) => [row[0], row.at(-1)] as const))(
    'names what there is: %s',
    (_line, shown = '') => {
      expect((evidenceOf(shown) ?? []).flatMap((each) => problemOf(PAGE, each) ?? [])).toEqual([]);
    },
  );
});
