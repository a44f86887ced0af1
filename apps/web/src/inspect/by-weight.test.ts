import { expect, it } from 'vitest';
import { byWeight } from './by-weight.js';

const change = (
  origin: string,
  kind: 'added' | 'moved',
  addedLines: readonly string[],
  removedLines: readonly string[] = [],
) => ({ origin, change: kind, blocks: [], addedLines, removedLines });

it('tells words before structure, and no blank lines', () => {
  const { words, structure } = byWeight([
    change('structure shell', 'added', ['', '- call:']),
    change('structure task', 'added', ['', ' ']),
    change('file a.md', 'added', ['One.', ''], ['\t']),
    change('file b.md', 'moved', []),
  ]);
  expect(words).toEqual([change('file a.md', 'added', ['One.']), change('file b.md', 'moved', [])]);
  expect(structure).toEqual([change('structure shell', 'added', ['- call:'])]);
});
