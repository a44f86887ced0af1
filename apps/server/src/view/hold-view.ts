import type { HoldView } from '@cuebook/api';
import type { Exhausted, StallVerdict } from '@cuebook/engine';
import type { NodeHold, RunPause } from '@cuebook/team';

/** Why a node or a run does not go on, in a sentence and with what shows it. */
export function holdView(hold: NodeHold | RunPause): HoldView {
  switch (hold.kind) {
    case 'person':
      return { kind: 'person', message: `Paused by ${hold.by}.`, by: hold.by };
    case 'interrupted':
      return {
        kind: 'interrupted',
        message: `Interrupted by ${hold.by}. A word of a person goes on.`,
        by: hold.by,
      };
    case 'failed':
      return { kind: 'failed', message: hold.message, code: hold.code };
    case 'budget':
      return { kind: 'budget', message: spentSentence(hold.exhausted), evidence: { ...hold.exhausted } };
    case 'stall':
      return { kind: 'stall', message: stallSentence(hold.verdict), evidence: { ...hold.verdict } };
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
