import { expect, it } from 'vitest';
import { anchorsIn, fencesIn, linksIn } from './markdown.js';

const PAGE = [
  '# The `cue` sheet: A/B',
  'See [one](a.md) and `[not](b.md)`, ![two](<c.png>).',
  '```sh clone',
  '[nor](d.md)',
  '```',
  '- item',
  '  ````ts',
  '  const a = 1;',
  '  ```',
  '  ````',
  '[ref]: e.md',
  '<img alt="x" src="f.svg">',
].join('\n');

it('finds fenced blocks with their language, flags and line', () => {
  expect(fencesIn(PAGE)).toEqual([
    { language: 'sh', flags: ['clone'], code: '[nor](d.md)\n', line: 3 },
    { language: 'ts', flags: [], code: 'const a = 1;\n```\n', line: 7 },
  ]);
});

it('finds links outside code', () => {
  expect(linksIn(PAGE)).toEqual([
    { target: 'a.md', line: 2 },
    { target: 'c.png', line: 2 },
    { target: 'e.md', line: 11 },
    { target: 'f.svg', line: 12 },
  ]);
});

it('names headings as code hosts do', () => {
  expect([...anchorsIn(PAGE)]).toEqual(['the-cue-sheet-ab']);
});
