import { expect, it } from 'vitest';
import { SLOW_FILES, slowFirst } from './slow-first.js';
import { testFiles } from './test-files.js';

it('every slow file is a test file', () => {
  const files = new Set(testFiles());
  expect(SLOW_FILES.filter((file) => !files.has(file))).toEqual([]);
});

it('slow files come first, the others stay in their order, and none is lost', () => {
  const others = ['b.test.ts', 'a.test.ts', 'c.test.ts'];
  const [first = '', second = ''] = SLOW_FILES;
  expect(slowFirst(['b.test.ts', second, 'a.test.ts', first, 'c.test.ts'], (file) => file)).toEqual([
    first,
    second,
    ...others,
  ]);
});
