import type { Exhausted, StallVerdict } from '@cuebook/engine';
import type { NodeHold, RunPause } from '../run/state.js';

/** Why a node or a run does not go on, in a sentence. */
export function holdText(hold: NodeHold | RunPause): string {
  switch (hold.kind) {
    case 'person':
      return `Paused by ${hold.by}.`;
    case 'interrupted':
      return `Interrupted by ${hold.by}. A word of a person goes on.`;
    case 'failed':
      return hold.message;
    case 'budget':
      return spentSentence(hold.exhausted);
    case 'stall':
      return stallSentence(hold.verdict);
  }
}

const spentSentence = ({ scope, unit, limit, spent }: Exhausted): string =>
  `The budget of ${scope === 'run' ? 'the run' : 'the node'} is spent: ${spent} of ${limit} ${unit}. Raise it to go on.`;

const stallSentence = ({ kind, times, cycle }: StallVerdict): string =>
  `${STALLS[kind]}, ${times} times${cycle > 1 ? ` in a cycle of ${cycle} turns` : ''}. A word of a person goes on.`;

const STALLS: Readonly<Record<StallVerdict['kind'], string>> = {
  repeat: 'The same turn again',
  cycle: 'The same turns again',
  output: 'The same words again, and nothing new was done',
  'failing-call': 'The same call fails in the same way',
  effect: 'The same change again',
  verification: 'The same check fails in the same way',
  poll: 'A tool that waits has waited too long',
};
