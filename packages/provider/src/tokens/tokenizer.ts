import { cutLongRuns } from './long-runs.js';

/**
 * Counts tokens as current models of one large maker do; others differ by a few per cent. Loading the
 * tables takes longer than all the rest of a command, so they are loaded only when something is counted.
 */
export async function loadTokenizer(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Text that spells a control token such as <|endoftext|> is text here, and no reason to fail.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let total = 0;
    for (const part of cutLongRuns(text)) total += countTokens(part, options);
    return total;
  };
}
