import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';
import { evidenceOf, problemOf, rowsOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/evals.md');
const rows = rowsOf(readFileSync(PAGE, 'utf8'));
/** The rows of the first table have a number, and those of the second a claim. */
const numbered = rows.filter((cells) => cells.length === 5);

describe('docs/internals/evals.md', () => {
  it('has every row, with its limit and its rounds', () => {
    const numbers = numbered.flatMap(([row = '']) => row.split(', ').map(Number));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, at) => at + 1));
    expect(rows.every((cells) => cells.every((cell) => cell !== ''))).toBe(true);
  });

  it.each(
    rows.map((cells) => [cells[cells.length === 5 ? 1 : 0] ?? '', cells[cells.length === 5 ? 2 : 1] ?? '']),
  )('names tests that exist: %s', (_claim, shown) => {
    const evidence = evidenceOf(shown) ?? [];
    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.flatMap((each) => problemOf(PAGE, each) ?? [])).toEqual([]);
  });
});
