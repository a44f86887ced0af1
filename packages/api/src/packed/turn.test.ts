import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { TurnView } from '../schema/views.js';
import { packTurn, unpackTurn } from './turn.js';

const number = fc.option(fc.integer({ min: 1, max: 2 ** 40 }), { nil: undefined });
const word = fc.constantFrom('a', 'b', '0 1', 'ü');
const place = fc.record({ ref: word, line: number, column: number });
const origin = fc.record(
  { kind: word, ref: word, line: number, column: number, subject: word, via: fc.array(place) },
  { requiredKeys: ['kind', 'ref'] },
);
const span = fc.record({ length: fc.nat(9), origin, trust: word, secrecy: word, volatility: word });
const block = fc.array(span, { maxLength: 6 }).map((spans) => {
  let end = 0;
  return {
    ...{ name: 'b', role: 'user', hash: 'h', text: spans.map(() => 'x').join('') },
    spans: spans.map(({ length, ...rest }) => {
      const start = end;
      end += length;
      return { start, end, ...rest };
    }),
  };
});
const request = fc.array(block, { maxLength: 4 }).map((blocks) => ({
  ...{ hash: 'h', masked: false, removed: [], tools: [], params: {}, blocks },
  text: blocks.flatMap(({ text }) => (text === '' ? [] : [text])).join('\n\n'),
}));

/** As JSON has it: without what is undefined. */
const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const turnOf = (full: TurnView['full'], delta: TurnView['delta']): TurnView => ({
  ...{ turn: 't', lane: 'l', at: 0, provider: 'p', model: null, full, delta },
  receipt: { seq: 1, key: 'k', signature: 's', hash: 'h' },
  ...{ usage: null, sends: [], end: null, forgotten: [] },
});

describe('packTurn', () => {
  it('is undone by unpackTurn, for every turn', () => {
    fc.assert(
      fc.property(request, fc.option(request), (full, delta) => {
        const turn = asJson(turnOf(full as TurnView['full'], delta as TurnView['delta']));
        expect(unpackTurn(asJson(packTurn(turn)))).toEqual(turn);
      }),
      runs(100, 2_000),
    );
  });

  it.each(['1', 'x 0 1 1', '1 9 1 1', '-1 0 1 1', '1 0 1', '1 0 1 -1', '1 0 1 1 2', '1  1 1', '1 0 1 1x'])(
    'does not read %j',
    (spans) => {
      const packed = packTurn(turnOf({ text: '', blocks: [] } as unknown as TurnView['full'], null));
      const source = { origin: { kind: 'file', ref: 'f' }, trust: 't', secrecy: 's', volatility: 'v' };
      const blocks = [{ name: 'b', role: 'user', text: 'x', hash: 'h', spans }];
      expect(unpackTurn({ ...packed, full: { ...packed.full, blocks, sources: [source] } })).toBeUndefined();
    },
  );
});
