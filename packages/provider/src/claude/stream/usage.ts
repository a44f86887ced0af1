import { asCount, asFields, asNumber, type Fields } from '../../agent/fields.js';
import type { Usage } from '../../turn.js';

/** The tokens of one turn, as `result.usage` and the messages of the stream count them. */
export function readUsage(usage: Fields | undefined): Usage {
  const cachedInputTokens = asCount(usage?.cache_read_input_tokens);
  const cacheWriteTokens = asCount(usage?.cache_creation_input_tokens);
  return {
    // Anthropic counts what came from the cache, and what went into it, apart from the rest.
    inputTokens: asCount(usage?.input_tokens) + cachedInputTokens + cacheWriteTokens,
    outputTokens: asCount(usage?.output_tokens),
    cachedInputTokens,
    cacheWriteTokens,
    reasoningTokens: asCount(asFields(usage?.output_tokens_details)?.thinking_tokens),
  };
}

export const NO_USAGE: Usage = readUsage(undefined);

export const isNothing = (usage: Usage): boolean => usage.inputTokens === 0 && usage.outputTokens === 0;

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  };
}

/**
 * What the session has cost is counted on from turn to turn and from process to process: a turn's own cost is
 * the difference. `before` is undefined when nobody could say, and then the turn's cost is not known either.
 */
export function costOf(total: unknown, before: number | undefined): { readonly costUsd?: number } {
  const after = asNumber(total);
  if (after === undefined || before === undefined || after < before) return {};
  // Sums of small amounts end in noise; a nanodollar is below any price.
  return { costUsd: Math.round((after - before) * 1e9) / 1e9 };
}
