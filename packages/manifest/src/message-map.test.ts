import { advancePlace } from '@cuebook/prompt';
import { readYaml } from '@cuebook/yaml';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { mapMessage } from './message-map.js';
import { type Fragment, MANIFEST_LABELS } from './object.js';

const fragmentOf = (yaml: string): Fragment => {
  const read = readYaml('m.yaml', yaml, 'E_X');
  if (!read.ok) throw new Error(read.diagnostics[0]?.message);
  const { text } = read.value.value as { text: string };
  return {
    text,
    ...MANIFEST_LABELS,
    place: read.value.place(['text']),
    pieces: () => read.value.pieces(['text'], MANIFEST_LABELS),
  };
};
const block = (lines: readonly string[]): Fragment =>
  fragmentOf(`text: |\n${lines.map((line) => `  x${line}\n`).join('')}`);

test('any cut is the very bytes, at their place', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '中', '😀', ' ', '{', '"'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (lines, a, b) => {
      const message = block(lines);
      const points = [...message.text];
      const [from, to] = [a % (points.length + 1), b % (points.length + 1)].sort((x, y) => x - y) as [
        number,
        number,
      ];
      const bytes = (text: string) => new TextEncoder().encode(text).length;
      const before = points.slice(0, from).join('');
      const inside = points.slice(from, to).join('');
      const cut = mapMessage(message).cut(bytes(before), bytes(before + inside));
      expect(cut.map(({ text }) => text).join('')).toBe(inside);
      const start = { ref: 'm.yaml', line: 2, column: 3 };
      const { line: at = 0, column = 0 } = advancePlace(start, before);
      // The indentation is not a part of the text.
      if (inside !== '')
        expect(cut[0]?.origin).toMatchObject({ line: at, column: at === 2 ? column : column + 2 });
    }),
    runs(1_000, 20_000),
  );
});

test('a place inside a character is that of the character, and past the end that of the last', () => {
  const map = mapMessage(block(['é!']));
  expect(map.place(1)).toEqual({ ref: 'm.yaml', line: 2, column: 4 });
  expect(map.place(2)).toEqual({ ref: 'm.yaml', line: 2, column: 4 });
  expect(map.place(3)).toEqual({ ref: 'm.yaml', line: 2, column: 5 });
  expect(map.place(99)).toEqual(map.place(4));
});

test('an escape answers with its own place', () => {
  const map = mapMessage(fragmentOf('text: "a\\tb"'));
  expect(map.cut(1, 3)).toMatchObject([
    { text: '\t', origin: { kind: 'value', line: 1, column: 9 } },
    { text: 'b', origin: { kind: 'file', line: 1, column: 11 } },
  ]);
});

test('an empty text has a place', () => {
  expect(mapMessage(fragmentOf('text: ""')).place(0)).toEqual({ ref: 'm.yaml', line: 1, column: 7 });
});
