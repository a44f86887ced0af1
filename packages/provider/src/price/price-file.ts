import { fail, ok, type Result } from '@cuebook/prompt';
import * as z from 'zod';
import type { TurnError } from '../turn.js';
import type { PriceTable } from './price.js';

const dollars = z.number().min(0).max(100_000);

const SCHEMA = z.strictObject({
  date: z.iso.date(),
  models: z.record(
    z.string().min(1),
    z.strictObject({
      input: dollars,
      output: dollars,
      cachedInput: dollars.exactOptional(),
      cacheWrite: dollars.exactOptional(),
    }),
  ),
});

/**
 * Prices of one's own, from parsed YAML or JSON: `{ date: '2026-11-15', models: { name: { input, output,
 * cachedInput?, cacheWrite? } } }`, US dollars for a million tokens.
 */
export function readPrices(value: unknown): Result<PriceTable, TurnError> {
  const parsed = SCHEMA.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  const message = `The price file does not fit at ${issue?.path.join('.') || 'its top'}: ${issue?.message}.`;
  return fail({ code: 'E_PRICE_TABLE', message, retryable: false });
}

/** The own prices over the built-in ones, model by model. The date is that of the own table. */
export const overridePrices = (own: PriceTable, base: PriceTable): PriceTable => ({
  date: own.date,
  models: { ...base.models, ...own.models },
});
