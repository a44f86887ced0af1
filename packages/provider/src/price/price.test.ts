import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { BUILT_IN_PRICES } from './built-in.js';
import { costOf, type PriceTable, priceOf, requirePriced } from './price.js';
import { overridePrices, readPrices } from './price-file.js';

const TABLE: PriceTable = {
  date: '2026-01-01',
  models: { m: { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 3 }, flat: { input: 1, output: 1 } },
};
const NOTHING = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

describe('priceOf', () => {
  it.each(['m', 'm-20250929', 'm@20250929', 'm-2025-09-29', 'm-latest'])('finds %s', (model) => {
    expect(priceOf(model, TABLE)?.input).toBe(2);
  });

  it.each(['', 'M', 'm-2', 'mm', 'toString', '__proto__', 'm-20250929-x'])('does not know %s', (model) => {
    expect(priceOf(model, TABLE)).toBeUndefined();
  });
});

describe('costOf', () => {
  const cases = [
    ['fresh input and output', { inputTokens: 1_000_000, outputTokens: 100_000 }, 'm', 3],
    ['cached input', { inputTokens: 1_000_000, cachedInputTokens: 400_000 }, 'm', 1.4],
    ['cache writes', { inputTokens: 1_000_000, cacheWriteTokens: 1_000_000 }, 'm', 3],
    ['one price for all input', { inputTokens: 1_000_000, cachedInputTokens: 500_000 }, 'flat', 1],
    ['an unknown model', { inputTokens: 1_000_000 }, 'x', undefined],
  ] as const;
  it.each(cases)('%s', (_name, usage, model, cost) => {
    const found = costOf({ ...NOTHING, ...usage }, model, TABLE);
    if (cost === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(cost, 9);
  });

  it('is never negative, and more tokens never cost less', () => {
    const tokens = fc.nat(10_000_000);
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (input, output, cached, more) => {
        const usage = { ...NOTHING, inputTokens: input, outputTokens: output, cachedInputTokens: cached };
        const cost = costOf(usage, 'm', TABLE) as number;
        expect(cost).toBeGreaterThanOrEqual(0);
        const grown = costOf({ ...usage, inputTokens: input + more }, 'm', TABLE) as number;
        expect(grown).toBeGreaterThanOrEqual(cost);
      }),
      runs(500, 20_000),
    );
  });
});

describe('requirePriced', () => {
  it('refuses a model without a price before anything is spent', () => {
    expect(requirePriced('m', TABLE)).toMatchObject({ ok: true, value: { input: 2 } });
    expect(requirePriced('x', TABLE)).toMatchObject({ ok: false, error: { code: 'E_PRICE_UNKNOWN' } });
  });
});

describe('price files', () => {
  it('are read, and go over the built-in table model by model', () => {
    const own = readPrices({ date: '2027-01-01', models: { 'gpt-5': { input: 1, output: 2 } } });
    if (!own.ok) throw new Error(own.error.message);
    const table = overridePrices(own.value, BUILT_IN_PRICES);
    expect(priceOf('gpt-5', table)).toEqual({ input: 1, output: 2 });
    expect(priceOf('gpt-5-mini', table)).toEqual(priceOf('gpt-5-mini', BUILT_IN_PRICES));
    expect(table.date).toBe('2027-01-01');
  });

  it.each([
    ['its top', null],
    ['its top', { date: '2027-01-01', models: {}, extra: 1 }],
    ['date', { date: 'today', models: {} }],
    ['models.m.input', { date: '2027-01-01', models: { m: { input: -1, output: 1 } } }],
    ['models.m.output', { date: '2027-01-01', models: { m: { input: 1, output: '1' } } }],
  ])('say where they do not fit: %s', (place, value) => {
    const read = readPrices(value);
    expect(read).toMatchObject({ ok: false, error: { code: 'E_PRICE_TABLE' } });
    if (!read.ok) expect(read.error.message).toContain(`at ${place}:`);
  });
});

it('the built-in table is dated, and cached input is never dearer than fresh', () => {
  expect(BUILT_IN_PRICES.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(readPrices(BUILT_IN_PRICES).ok).toBe(true);
  for (const { input, output, cachedInput = input, cacheWrite = input } of Object.values(
    BUILT_IN_PRICES.models,
  )) {
    expect(cachedInput).toBeLessThanOrEqual(input);
    expect(cacheWrite).toBeGreaterThanOrEqual(input);
    expect(output).toBeGreaterThanOrEqual(input);
  }
});
