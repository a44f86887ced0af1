import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { rowAt, rowsOf, sourcesOf } from './rows.js';

const labels = { trust: 'author', secrecy: 'public', volatility: 'build' };
const size = (text: string) => new TextEncoder().encode(text).length;

/** Blocks of pieces, as the server tells them. */
function promptOf(blocks: readonly (readonly string[])[]) {
  return {
    blocks: blocks.map((pieces, index) => {
      let at = 0;
      const spans = pieces
        .filter((piece) => piece !== '')
        .map((piece, place) => {
          const start = at;
          at += size(piece);
          return { start, end: at, origin: { kind: 'file', ref: `f${place}` }, ...labels };
        });
      return { name: `b${index}`, role: 'user', hash: '', text: pieces.join(''), spans };
    }),
  };
}

const piece = fc.string({ unit: fc.constantFrom('a', '\n', 'ü', '世', '😀', ' '), maxLength: 12 });

describe('rowsOf', () => {
  it('shows every byte of every block once, at its place in the whole prompt', () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 5 }), { maxLength: 4 }), (blocks) => {
        const prompt = promptOf(blocks);
        const rows = rowsOf(prompt);
        const whole = new TextEncoder().encode(
          prompt.blocks
            .map(({ text }) => text)
            .filter((text) => text !== '')
            .join('\n\n'),
        );
        for (const row of rows)
          for (const { text, byte } of row.kind === 'line' ? row.words : [])
            expect(new TextDecoder().decode(whole.subarray(byte, byte + size(text)))).toBe(text);
        const shown = rows.flatMap((row) => (row.kind === 'line' ? row.words.map(({ text }) => text) : []));
        expect(shown.join('')).toBe(blocks.flat().join('').replaceAll('\n', ''));
      }),
      runs(40, 1_000),
    );
  });

  it('finds the row of a byte, and tells sources apart', () => {
    const prompt = promptOf([['one\ntwo', 'x'], ['three']]);
    const rows = rowsOf(prompt);
    expect(rows[rowAt(rows, 4)]).toMatchObject({ kind: 'line', number: 2 });
    expect(rows[rowAt(rows, 10)]).toMatchObject({ words: [{ text: 'three' }] });
    expect([...sourcesOf(prompt).keys()]).toEqual(['f0', 'f1']);
  });
});
