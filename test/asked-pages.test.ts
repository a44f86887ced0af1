import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';
import { evidenceOf, problemOf, rowsOf } from './rows.js';

// The pages that say of each line of what was asked for what shows it.
const PAGES = [
  { name: 'docs/internals/machines.md', least: 50 },
  { name: 'docs/internals/moving-in.md', least: 40 },
  { name: 'docs/internals/safety.md', least: 30 },
];

describe.each(PAGES)('$name', ({ name, least }) => {
  const page = join(ROOT, name);
  const rows = rowsOf(readFileSync(page, 'utf8'));

  it('says in the last cell of every row what shows it', () => {
    expect(rows.length).toBeGreaterThan(least);
    expect(rows.filter((row) => evidenceOf(row.at(-1) ?? '') === undefined)).toEqual([]);
  });

  it.each(rows.map((row) => [row[0], row.at(-1)] as const))(
    'names what there is: %s',
    (_line, shown = '') => {
      expect((evidenceOf(shown) ?? []).flatMap((each) => problemOf(page, each) ?? [])).toEqual([]);
    },
  );
});
