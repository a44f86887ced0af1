import type { BlockInput } from '@cuebook/prompt';
import { correctiveNote } from './output.js';

/** What goes behind the prompt after an answer that was not taken: our own words about lengths and members. */
export const correctionBlock = (scenario: string, problems: readonly string[]): BlockInput => ({
  name: 'correction',
  role: 'user',
  pieces: [
    {
      text: correctiveNote({ code: 'E_OUTPUT', scenario, problems }),
      origin: { kind: 'shipped', ref: 'corrective-note' },
      trust: 'platform',
      secrecy: 'public',
      volatility: 'turn',
    },
  ],
});
