import { expect, test } from 'vitest';
import { parseTarget, printTarget } from './target.js';

test.each([
  ['sheet:review', { prefix: 'sheet', name: 'review' }],
  ['sheet:desk/review', { prefix: 'sheet', name: 'desk/review' }],
  ['sheet:review@HEAD~1', { prefix: 'sheet', name: 'review', revision: 'HEAD~1' }],
  ['sheet:review@a@b', { prefix: 'sheet', name: 'review', revision: 'a@b' }],
])('%j is a target', (text, target) => {
  expect(parseTarget(text)).toEqual(target);
  expect(printTarget(target)).toBe(text);
});

test.each(['', 'review', ':review', 'sheet:', 'Sheet:review', 'sheet:a b', 'sheet:@HEAD', 'sheet:a@'])(
  '%j is not',
  (text) => {
    expect(parseTarget(text)).toBeUndefined();
  },
);
