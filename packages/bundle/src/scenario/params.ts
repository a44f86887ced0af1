import type { Preset } from './scenario.js';

/** The certified parameters in the names that providers take. Nothing else is set, and nothing is left out. */
export const callParams = ({ temperature, max_tokens, top_p }: Preset): Readonly<Record<string, number>> => ({
  temperature,
  maxOutputTokens: max_tokens,
  topP: top_p,
});
