import { correctiveNote } from '@cuebook/profile';
import type { BlockInput } from '@cuebook/prompt';

/** What goes behind the prompt after an answer that was not taken: our own words about lengths and members. */
export const correctionBlock = (problems: readonly string[]): BlockInput => ({
  name: 'correction',
  role: 'user',
  pieces: [
    {
      text: correctiveNote(problems),
      origin: { kind: 'shipped', ref: 'corrective-note' },
      trust: 'platform',
      secrecy: 'public',
      volatility: 'turn',
    },
  ],
});
