import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { TurnView } from '../schema/views.js';
import { headOfTurn, isCut } from './head.js';

const labels = { origin: { kind: 'file', ref: 'f' }, trust: 't', secrecy: 's', volatility: 'v' };
const size = (text: string) => new TextEncoder().encode(text).length;
const words = fc.record({ unit: fc.constantFrom('a', 'ü', '世', '😀', '\uFEFF'), times: fc.nat(3_000) });
const block = fc.record({ pieces: fc.array(words, { maxLength: 8 }), each: fc.constantFrom(1, 150) });

function turnOf(blocks: readonly (readonly string[])[]): TurnView {
  const full = {
    ...{ hash: 'h', masked: false, removed: [], tools: [], params: {}, text: '' },
    blocks: blocks.map((pieces) => {
      let at = 0;
      const spans = pieces.map((piece) => {
        const start = at;
        at += size(piece);
        return { start, end: at, ...labels };
      });
      return { name: 'b', role: 'user', hash: 'h', text: pieces.join(''), spans };
    }),
  };
  return { full, delta: null } as unknown as TurnView;
}

describe('headOfTurn', () => {
  it('is a beginning of the words, with spans that cover it, and says how much is left', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (given) => {
        const turn = turnOf(
          given.map(({ pieces, each }) =>
            pieces.flatMap(({ unit, times }) =>
              Array.from({ length: each }, () => unit.repeat(Math.ceil((times + 1) / each))),
            ),
          ),
        );
        const { full } = headOfTurn(turn);
        let isOver = false;
        for (const [index, whole] of turn.full.blocks.entries()) {
          const { text, spans, rest = 0 } = full.blocks[index] as (typeof full.blocks)[number];
          expect(whole.text.startsWith(text)).toBe(true);
          expect(size(text) + rest).toBe(size(whole.text));
          expect(spans.at(-1)?.end ?? 0).toBe(size(text));
          expect(spans.every(({ start }, at) => start === (spans[at - 1]?.end ?? 0))).toBe(true);
          // Nothing is told after what is left out.
          if (isOver) expect(text).toBe('');
          isOver ||= rest > 0;
        }
        expect(isCut(full)).toBe(isOver);
        const bytes = full.blocks.reduce((sum, { text }) => sum + size(text), 0);
        expect(bytes).toBeLessThanOrEqual(24_000);
        expect(isOver || full.blocks.every((each, at) => each === turn.full.blocks[at])).toBe(true);
      }),
      runs(100, 1_000),
    );
  });
});
