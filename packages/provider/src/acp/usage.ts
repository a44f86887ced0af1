import { type Fields, fieldsOf } from '../agent/fields.js';
import type { Usage } from '../turn.js';

/**
 * The tokens of a turn from the answer to its prompt: `usage` where the agent has it, else the `quota` that
 * some put beside it. Undefined when the agent does not count.
 */
export function usageOf(response: unknown): Usage | undefined {
  const { usage, _meta: meta } = fieldsOf(response);
  const quota = fieldsOf(fieldsOf(meta).quota).token_count;
  const counts = fieldsOf(usage ?? quota);
  const input = count(counts, 'inputTokens', 'input_tokens');
  const output = count(counts, 'outputTokens', 'output_tokens');
  if (input === undefined || output === undefined) return undefined;
  const cached = count(counts, 'cachedReadTokens', 'cachedInputTokens') ?? 0;
  const written = count(counts, 'cachedWriteTokens', 'cacheWriteInputTokens') ?? 0;
  // Some count the cached part beside the input: then only the total has it.
  const isBeside = count(counts, 'totalTokens', 'total_tokens') === input + output + cached + written;
  return {
    inputTokens: isBeside ? input + cached + written : input,
    outputTokens: output,
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    reasoningTokens: count(counts, 'thoughtTokens', 'reasoningOutputTokens') ?? 0,
  };
}

/** The usage of this turn from two counts of the whole session. A count that went back was begun anew. */
export function usageSince(now: Usage, before: Usage | undefined): Usage {
  if (before === undefined || now.inputTokens < before.inputTokens) return now;
  return {
    inputTokens: now.inputTokens - before.inputTokens,
    outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
    cachedInputTokens: Math.max(0, now.cachedInputTokens - before.cachedInputTokens),
    cacheWriteTokens: Math.max(0, now.cacheWriteTokens - before.cacheWriteTokens),
    reasoningTokens: Math.max(0, now.reasoningTokens - before.reasoningTokens),
  };
}

function count(counts: Fields, ...names: readonly string[]): number | undefined {
  const found = names.map((name) => counts[name]).find((value) => typeof value === 'number');
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}
