import { expect, test } from 'vitest';
import { growth } from '../../../test/growth.js';
import type { Piece } from './block.js';
import { gateForgery } from './gates.js';

const piece: Piece = {
  text: 'x',
  origin: { kind: 'input', ref: 'chat' },
  trust: 'user',
  secrecy: 'public',
  volatility: 'turn',
};

test('a line of a hundred thousand spans is read once', () => {
  const gate = (count: number) => {
    const pieces = Array.from({ length: count }, () => piece);
    return gateForgery({ name: 'b', role: 'user', pieces, text: 'x'.repeat(count), plain: true });
  };
  gate(1_000);
  expect(growth(gate, 100_000, 3)).toBeLessThan(3);
});
