import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';
import { evidenceOf, problemOf, rowsOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/runs.md');
const [lines = ''] = readFileSync(PAGE, 'utf8').split('## The way of a team turn');
const rows = rowsOf(lines);

describe('docs/internals/runs.md', () => {
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
