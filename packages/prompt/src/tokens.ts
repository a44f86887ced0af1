import type { Prompt } from './block.js';

/** Token counts of a prompt. Blocks are counted one by one, so a total is a sum and needs no recount. */
export interface TokenCount {
  readonly total: number;
  readonly byBlock: Readonly<Record<string, number>>;
}

/** Somewhere to keep counts by block hash: a Map will do, a store outlives the process. */
export interface TokenCache {
  get(hash: string): number | undefined;
  set(hash: string, count: number): void;
}

/**
 * Counts with the tokenizer handed in, each distinct block text once: counting costs about ten times as much
 * as everything else in a turn.
 */
export function createTokenCounter(
  tokenize: (text: string) => number,
  cache: TokenCache = new Map<string, number>(),
): (prompt: Pick<Prompt, 'blocks'>) => TokenCount {
  return (prompt) => {
    let total = 0;
    const byBlock: [string, number][] = [];
    for (const { name, text, hash } of prompt.blocks) {
      let count = cache.get(hash);
      if (count === undefined) {
        count = tokenize(text);
        cache.set(hash, count);
      }
      total += count;
      byBlock.push([name, count]);
    }
    return { total, byBlock: Object.fromEntries(byBlock) };
  };
}
