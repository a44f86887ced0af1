import type { Usage } from '../../turn.js';

/** What a thread or a turn has cost, as Codex counts. */
export interface CodexTokenCount {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

export const NO_TOKENS: CodexTokenCount = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Codex counts over the whole thread: the turn's own part is what was added since its beginning. */
export const usageBetween = (from: CodexTokenCount, to: CodexTokenCount): Usage => {
  const spent = subtract(to, from);
  return {
    inputTokens: spent.input,
    outputTokens: spent.output,
    cachedInputTokens: spent.cached,
    cacheWriteTokens: spent.cacheWrite,
    reasoningTokens: spent.reasoning,
  };
};

/** Never below nothing: a thread that was rolled back counts anew. */
export const subtract = (a: CodexTokenCount, b: CodexTokenCount): CodexTokenCount => ({
  input: Math.max(0, a.input - b.input),
  cached: Math.max(0, a.cached - b.cached),
  cacheWrite: Math.max(0, a.cacheWrite - b.cacheWrite),
  output: Math.max(0, a.output - b.output),
  reasoning: Math.max(0, a.reasoning - b.reasoning),
});

/** The count in a message of the app-server. */
export const readTokenUsage = (value: unknown): CodexTokenCount =>
  readCount(value, {
    input: 'inputTokens',
    cached: 'cachedInputTokens',
    cacheWrite: 'cacheWriteInputTokens',
    output: 'outputTokens',
    reasoning: 'reasoningOutputTokens',
  });

/** The count in an event of `codex exec --json`. */
export const readExecUsage = (value: unknown): CodexTokenCount =>
  readCount(value, {
    input: 'input_tokens',
    cached: 'cached_input_tokens',
    cacheWrite: 'cache_write_input_tokens',
    output: 'output_tokens',
    reasoning: 'reasoning_output_tokens',
  });

function readCount(value: unknown, names: Readonly<Record<keyof CodexTokenCount, string>>): CodexTokenCount {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const at = (name: string): number => {
    const count = fields[name];
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : 0;
  };
  return {
    input: at(names.input),
    cached: at(names.cached),
    cacheWrite: at(names.cacheWrite),
    output: at(names.output),
    reasoning: at(names.reasoning),
  };
}
