import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/runs.js';
import { block, piece, promptOf } from '../test/prompts.js';
import { byteAtLine, explain } from './explain.js';

const prompt = promptOf(
  block(
    'rules',
    'system',
    piece('Be kind.\nDas heißt: '),
    piece('höflich\nund klar', {
      origin: {
        kind: 'file',
        ref: 'tone.md',
        line: 3,
        column: 5,
        via: [{ ref: 'book.yaml', line: 7, column: 2 }],
      },
    }),
  ),
  block(
    'ask',
    'user',
    piece('42', { origin: { kind: 'variable', ref: 'answer', line: 9, column: 9 }, trust: 'operator' }),
  ),
);

test('a byte inside an included text names file, line, column and include chain', () => {
  const at = Buffer.from(prompt.text.slice(0, prompt.text.indexOf('klar'))).length;
  expect(explain(prompt, at)).toMatchObject({
    at,
    block: 'rules',
    role: 'system',
    text: 'höflich\nund klar',
    origin: {
      kind: 'file',
      ref: 'tone.md',
      line: 4,
      column: 5,
      via: [{ ref: 'book.yaml', line: 7, column: 2 }],
    },
  });
});

test('columns count code points from the start of the text', () => {
  const at = Buffer.from(prompt.text.slice(0, prompt.text.indexOf('flich'))).length;
  expect(explain(prompt, at)?.origin).toMatchObject({ line: 3, column: 7 });
  // Both bytes of a character answer for the same place.
  expect(explain(prompt, at - 1)?.origin).toEqual(explain(prompt, at - 2)?.origin);
});

test('text that is not a verbatim slice keeps the place of its start', () => {
  const at = Buffer.byteLength(prompt.text) - 1;
  expect(explain(prompt, at)?.origin).toEqual({ kind: 'variable', ref: 'answer', line: 9, column: 9 });
});

test('the blank line between blocks answers for itself', () => {
  const at = Buffer.from(prompt.text.slice(0, prompt.text.indexOf('\n\n42'))).length;
  expect(explain(prompt, at)).toMatchObject({ block: 'rules', text: '\n\n', origin: { kind: 'structure' } });
  expect(explain(prompt, at + 1)).toMatchObject({ origin: { kind: 'structure' } });
  expect(explain(prompt, at + 2)).toMatchObject({ block: 'ask', text: '42' });
});

test.each([-1, 0.5, Number.NaN, Buffer.byteLength(prompt.text), 1e9])('%s is outside', (at) => {
  expect(explain(prompt, at)).toBeUndefined();
});

test.each([
  [1, 1, 0],
  [2, 1, 9],
  [2, 7, 15],
  [2, 8, 16],
  [2, 9, 18],
  [9, 1, undefined],
  [1, 99, undefined],
  [0, 1, undefined],
  [1, 0, undefined],
])('%s:%s is byte %s', (line, column, byte) => {
  expect(byteAtLine('Be kind.\nDas heißt: x', line, column)).toBe(byte);
});

test('for every byte of every prompt the explained span holds that byte', () => {
  const texts = fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(texts, (all) => {
      const built = promptOf(
        ...all.map((each, b) =>
          block(
            `${b}`,
            'system',
            ...each.map((text, p) => piece(text, { origin: { kind: 'variable', ref: `${b}.${p}` } })),
          ),
        ),
      );
      // What is hidden is shown, so that the words differ; its place is looked at elsewhere.
      fc.pre(built.redactions.length === 0);
      const bytes = Buffer.from(built.text);
      for (let at = 0; at < bytes.length; at += 1) {
        const found = explain(built, at);
        if (found === undefined) return false;
        if (found.origin.kind === 'structure') continue;
        const [b, p] = found.origin.ref.split('.').map(Number) as [number, number];
        if (found.text !== all[b]?.[p]) return false;
      }
      return explain(built, bytes.length) === undefined;
    }),
    runs(2_000, 50_000),
  );
});
