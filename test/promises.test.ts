import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';
import { evidenceOf, problemOf, rowsOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/promises.md');
const rows = rowsOf(readFileSync(PAGE, 'utf8'));

describe('docs/internals/promises.md', () => {
  it('has rows, each with a promise, a file and a title', () => {
    expect(rows.length).toBeGreaterThan(0);
    const bad = rows.filter(
      ([promise = '', shown = '', ...more]) =>
        promise === '' || evidenceOf(shown)?.length !== 1 || more.length > 0,
    );
    expect(bad).toEqual([]);
  });

  it.each(rows)('names a test that exists: %s', (_promise, shown = '') => {
    expect((evidenceOf(shown) ?? []).map((each) => problemOf(PAGE, each) ?? '')).toEqual(['']);
  });
});
