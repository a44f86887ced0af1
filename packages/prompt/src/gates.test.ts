import { expect, test } from 'vitest';
import type { Piece } from './block.js';
import { gateForgery } from './gates.js';

const many = (count: number, text: string): Piece[] =>
  Array.from({ length: count }, () => ({
    text,
    origin: { kind: 'input', ref: 'chat' },
    trust: 'user',
    secrecy: 'public',
    volatility: 'turn',
  }));

const cost = (count: number, text: string): number => {
  const pieces = many(count, text);
  const block = { name: 'b', role: 'user' as const, pieces, text: text.repeat(count), plain: true };
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i += 1) {
    const before = process.cpuUsage();
    gateForgery(block);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
};

test('a line of a hundred thousand spans is read once', () => {
  cost(1_000, 'x');
  expect(cost(200_000, 'x')).toBeLessThan(Math.max(cost(100_000, 'x'), 2_000) * 3.5);
});
