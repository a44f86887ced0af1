import type { HoldView } from '@cuebook/api';
import { holdText, type NodeHold, type RunPause } from '@cuebook/team';

/** Why a node or a run does not go on, in a sentence and with what shows it. */
export function holdView(hold: NodeHold | RunPause): HoldView {
  const base = { kind: hold.kind, message: holdText(hold) };
  switch (hold.kind) {
    case 'person':
    case 'interrupted':
      return { ...base, by: hold.by };
    case 'failed':
      return { ...base, code: hold.code };
    case 'budget':
      return { ...base, evidence: { ...hold.exhausted } };
    case 'stall':
      return { ...base, evidence: { ...hold.verdict } };
  }
}
