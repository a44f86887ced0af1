import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';
import { evidenceOf, problemOf, rowsOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/machines.md');
const rows = rowsOf(readFileSync(PAGE, 'utf8'));

describe('docs/internals/machines.md', () => {
  it('says in the last cell of every row what shows it', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => evidenceOf(row.at(-1) ?? '') === undefined)).toEqual([]);
  });

  it.each(rows.map((row) => [row[0], row.at(-1)] as const))(
    'names what there is: %s',
    (_line, shown = '') => {
      expect((evidenceOf(shown) ?? []).flatMap((each) => problemOf(PAGE, each) ?? [])).toEqual([]);
    },
  );
});
