import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { parseReceipt } from './parse.js';
import { RECEIPT_SCHEMAS, type ReceiptType } from './receipt.js';
import { toWire, type Unsealed } from './wire/receipt-data.js';

const hash = 'A'.repeat(43);
const sealed = (receipt: Unsealed) => {
  const { turn, is } = toWire(receipt);
  return { turn, is: [...is, 0, 'key', 'sig'] };
};

const ENDS: readonly Unsealed[] = [
  { type: 'turn.sent', body: { turn: 't', sent: { channel: 'argv', hash, ordinal: 7 } } },
  { type: 'turn.ended', body: { turn: 't', reason: 'done' } },
  {
    type: 'turn.ended',
    body: { turn: 't', reason: 'error', error: { code: 'E_X' }, stop: 'length', session: 's' },
  },
  { type: 'turn.ended', body: { turn: 't', reason: 'timeout', usage: { inputTokens: 1, costUsd: 0.5 } } },
  { type: 'turn.ended', body: { turn: 't', reason: 'refused', usage: { inputTokens: 1, other: 2 } } },
  {
    type: 'turn.ended',
    body: { turn: 't', reason: 'aborted', usage: [1, 2], said: { text: '' }, calls: hash },
  },
  {
    type: 'turn.ended',
    body: {
      turn: 't',
      reason: 'done',
      said: hash,
      reasoning: hash,
      calls: [
        { id: 'a', name: 'b', by: 'agent', input: { json: [1] }, output: hash, isError: true },
        { id: 'c', name: 'd', by: 'caller', badInput: { text: '{' } },
      ],
    },
  },
];

describe('the data of a receipt', () => {
  test.each(ENDS.map((receipt) => ({ receipt })))(
    'says in words what was put in: $receipt',
    ({ receipt }) => {
      const parsed = parseReceipt(receipt.type, JSON.parse(JSON.stringify(sealed(receipt))));
      expect(parsed?.data).toEqual({ ...receipt.body, prev: 0, key: 'key', sig: 'sig' });
    },
  );

  test('that is anything else is not a receipt, and nothing throws', () => {
    const types = Object.keys(RECEIPT_SCHEMAS) as ReceiptType[];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.jsonValue(), (type, value) => {
        expect(parseReceipt(type, value)).toBeUndefined();
        expect(parseReceipt(type, { turn: 't', is: value })).toBeUndefined();
      }),
      runs(500, 20_000),
    );
  });
});
