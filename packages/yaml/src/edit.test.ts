import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { hasAnchors, printYaml, withKeys } from './edit.js';
import { readYaml } from './source.js';

const parsed = (text: string): unknown => {
  const read = readYaml('x.yaml', text, 'E_X');
  if (!read.ok) throw new Error(read.diagnostics[0]?.message);
  return read.value.value;
};

test('a key is set; comments and all other keys stay as they are written', () => {
  const text = "# of the file\na: 'one' # of a\nb: [1,  2]\nc: |\n  long\n";
  expect(withKeys(text, { a: 'two', d: { e: [] } })).toBe(
    '# of the file\na: two\nb: [ 1, 2 ]\nc: |\n  long\nd:\n  e: []\n',
  );
});

test('what is printed or set is read as it was, whatever the words', () => {
  const name = fc.string({ minLength: 1 }).filter((each) => !['__proto__', '<<'].includes(each));
  // Blanks at the ends of lines, empty lines and every line end are what writers of YAML get wrong.
  const lines = fc
    .array(
      fc.constantFrom('a', 'long words here ', ' ', '\n', '\r\n', '\r', '\t', '\\', '"', '#', ': ', '\u2028'),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join(''));
  const words = fc.dictionary(name, fc.oneof(fc.string(), lines, fc.integer(), fc.boolean()));
  fc.assert(
    fc.property(words, words, fc.boolean(), (before, change, wide) => {
      const text = printYaml(before, { wide });
      expect(parsed(text)).toEqual({ ...before });
      expect(parsed(withKeys(text, change))).toEqual({ ...before, ...change });
      expect(hasAnchors(text)).toBe(false);
    }),
    runs(200, 5000),
  );
});

test('a text that the library writes and then refuses to read is quoted', () => {
  for (const text of ['\n  \n\t\n  ', ' \n\n\t', '\n \n\ta'])
    expect(parsed(printYaml({ a: { b: [{ text }] } }, { wide: true }))).toEqual({ a: { b: [{ text }] } });
});

test.each([
  ['a name', 'a: &x 1\n', true],
  ['a reference', 'a: &x [1]\nb: *x\n', true],
  ['a name deep inside', 'a: [{ b: &x { c: 1 } }]\n', true],
  ['signs inside words', "a: '&x'\nb: |\n  *x\n", false],
])('anchors are seen: %s', (_what, text, found) => {
  expect(hasAnchors(text)).toBe(found);
});

test('a text over its limit is not read, and one at its limit is', () => {
  const read = (maxBytes: number) => readYaml('x.yaml', 'a: é', 'E_X', { maxBytes });
  expect(read(5).ok).toBe(true);
  expect(read(4).diagnostics).toEqual([
    { code: 'E_X', severity: 'error', message: 'The text is longer than 4 bytes', file: 'x.yaml' },
  ]);
});
