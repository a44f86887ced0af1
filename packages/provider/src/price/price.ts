import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { TurnError, Usage } from '../turn.js';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Input that was read from the cache; left out: as input. */
  readonly cachedInput?: number;
  /** Input that was written to the cache; left out: as input. */
  readonly cacheWrite?: number;
}

/** Prices as of a day. */
export interface PriceTable {
  /** `2026-11-15`: prices change, and a table does not know. */
  readonly date: string;
  readonly models: Readonly<Record<string, Price>>;
}

/** The price of a model, by its name or by its name without the date of a snapshot; undefined: unknown. */
export function priceOf(model: string, table: PriceTable): Price | undefined {
  for (const name of [model, model.replace(SNAPSHOT, '')]) {
    if (Object.hasOwn(table.models, name)) return table.models[name];
  }
  return undefined;
}

const SNAPSHOT = /(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/;

/** What a turn cost, in US dollars; undefined when the price is unknown, which is not nothing. */
export function costOf(usage: Usage, model: string, table: PriceTable): number | undefined {
  const price = priceOf(model, table);
  if (price === undefined) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  const fresh = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const total =
    fresh * price.input +
    cachedInputTokens * (price.cachedInput ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  return total / 1_000_000;
}

/** For a budget in money: a model without a price is refused before the first call. */
export function requirePriced(model: string, table: PriceTable): Result<Price, TurnError> {
  const price = priceOf(model, table);
  if (guard('price.unknown', price === undefined)) {
    const message = `The price of ${model} is unknown (table of ${table.date}), so a budget in money cannot be kept.`;
    return fail({ code: 'E_PRICE_UNKNOWN', message, retryable: false });
  }
  return ok(price as Price);
}
