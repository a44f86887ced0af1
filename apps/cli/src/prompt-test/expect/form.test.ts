import { describe, expect, it } from 'vitest';
import type { AnswerChecks } from '../case-file.js';
import { readCases } from '../case-file.js';
import { checkAnswer } from './answer.js';

/** Each check with texts that meet it, and texts that do not. */
const TABLE: readonly (readonly [AnswerChecks, readonly string[], readonly string[]])[] = [
  [
    { words: { min: 2, max: 3 } },
    ['one two', 'one two three', "it's so-called, yes"],
    ['one', 'one two three four', '!!!'],
  ],
  [
    { sentences: { min: 2, max: 2 } },
    ['A b. C d.', 'Is it? Yes!', 'One.\nTwo.'],
    ['A b.', 'A. B. C.', 'No end'],
  ],
  [{ paragraphs: { min: 2 } }, ['a\n\nb', 'a\n \nb\n\nc', '\na\nb\n\nc'], ['a\nb', 'a', '\n\na\n\n']],
  [{ lines: { max: 2 } }, ['a', 'a\nb', 'a\n\nb'], ['a\nb\nc', '1\n2\n3\n4', 'a\nb\n\nc']],
  [{ bullets: { min: 1, max: 2 } }, ['- a', '* a\n* b', '1. a'], ['a', '- a\n- b\n- c', '-a']],
  [{ startsWith: 'src/' }, ['src/a', ' src/b', 'src/'], ['a src/', 'Src/', 'sr']],
  [{ endsWith: '.' }, ['a.', 'a. ', '.'], ['a', 'a.b', 'a!']],
  [
    { language: 'de' },
    ['Das ist ein Haus.', 'Wir sind nicht da.', 'Sie wird auch mit dem Zug fahren.'],
    ['This is the house.', 'Haus', '12 34'],
  ],
  [{ case: 'upper' }, ['ABC', 'A 1!', 'ÄÖ'], ['abc', 'Abc', '123']],
  [{ absent: 'price' }, ['cost', 'Price', 'p'], ['price', 'a price', 'prices']],
  [
    { json: { 'a.b': 1 } },
    ['{"a":{"b":1}}', '{"a":{"b":1,"c":2}}', '```json\n{"a":{"b":1}}\n```'],
    ['{"a":1}', '{"a":{"b":2}}', 'a.b: 1'],
  ],
  [{ count: { of: 'x', min: 1, max: 2 } }, ['x', 'axbx', 'xx'], ['a', 'xxx', 'X']],
];

describe('31: checks of answers can fail', () => {
  const failsOn = (text: string, checks: AnswerChecks): boolean =>
    checkAnswer({ text, calls: [] }, checks).length > 0;

  it.each(TABLE)('%j', (checks, met, unmet) => {
    expect(met.filter((text) => failsOn(text, checks))).toEqual([]);
    expect(unmet.filter((text) => !failsOn(text, checks))).toEqual([]);
    expect([met.length >= 3, unmet.length >= 3]).toEqual([true, true]);
  });

  it('are twelve; an empty answer meets none but that something is absent', () => {
    expect(new Set(TABLE.map(([checks]) => Object.keys(checks)[0])).size).toBe(12);
    for (const [checks] of TABLE) if (!('absent' in checks)) expect(failsOn(' \n', checks)).toBe(true);
  });

  it.each([
    'wrods: { min: 1 }',
    'words: {}',
    'words: 3',
    'case: title',
    'language: klingon',
    'count: { min: 1 }',
    'words: { min: 3, max: 2 }',
    'words: { min: 0 }',
  ])('what is no check is an error: %s', (line) => {
    const read = readCases(
      'tests/a.test.yaml',
      `target: sheet:a\nmetrics: { a: { answer: { ${line} } } }\ncases: [{ name: a }]\n`,
    );
    expect(read.ok).toBe(false);
  });
});
