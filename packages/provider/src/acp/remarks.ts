import type { Fields } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { TurnStop } from '../stream/turn-error.js';
import type { AcpApprovals } from './approvals.js';

/** What was answered to the first words of the turn, and how more is said. */
export interface Prompting {
  readonly first: Fields;
  readonly say: (prompt: readonly Fields[]) => Promise<Fields>;
}

/** One that goes on asking for what it is denied is left at it. */
const MAX_ROUNDS = 5;

/**
 * The protocol's answer to a permission request has no words: why something was denied, or what is allowed instead,
 * are the next ones that the agent hears in the same turn. Answers the agent's last response.
 */
export async function tellRemarks(
  turn: LiveTurn,
  approvals: Pick<AcpApprovals, 'remarks'>,
  { first, say }: Prompting,
): Promise<Fields> {
  let last = first;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const remarks = approvals.remarks();
    if (remarks.length === 0 || turn.signal.aborted) break;
    const text = remarks.map((remark) => remark.text).join('\n');
    try {
      last = await say([{ type: 'text', text }]);
    } catch (thrown) {
      // A turn is none the worse for a reason that could not be told; what was to be done instead is owed.
      if (thrown instanceof TurnStop || remarks.some(({ isOwed }) => isOwed)) throw thrown;
      turn.emit({ type: 'log', level: 'warning', text: `The agent could not be told: ${text}` });
      break;
    }
  }
  return last;
}
