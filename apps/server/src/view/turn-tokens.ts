import type { RebuiltRequest, RebuiltTurn } from '@cuebook/journal';
import { createTokenCounter } from '@cuebook/prompt';

/** How many tokens each block of a turn takes, in order, and its tools. The tables of the tokenizer are loaded on first use. */
export async function turnTokens({ request, delta }: RebuiltTurn) {
  const { loadTokenizer } = await import('@cuebook/provider/tokenizer');
  const tokenize = await loadTokenizer();
  const counts = new Map<string, number>();
  const countBlocks = ({ prompt }: RebuiltRequest): readonly number[] => {
    createTokenCounter(tokenize, counts)(prompt);
    return prompt.blocks.map(({ hash }) => counts.get(hash) ?? 0);
  };
  return {
    full: countBlocks(request),
    delta: delta === undefined ? null : countBlocks(delta),
    tools: request.tools.length === 0 ? 0 : tokenize(JSON.stringify(request.tools)),
  };
}
