import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import {
  type Approval,
  type ApprovalDecision,
  type ApprovalEvent,
  type Approvals,
  claimOn,
  findApproval,
  findResolution,
  type Resolution,
} from './approval.js';
import type { ApprovalError } from './resolve.js';

/** What an agent asks in mid-turn. */
export interface Asking {
  readonly tool: string;
  readonly input: JsonValue;
  /** The try of the turn: no two tries have the same. */
  readonly by: string;
  /** Whether an approval was asked for by this turn, or by a try that it goes on from. */
  readonly isOfTurn: (approval: Approval) => boolean;
  /** The model was asked anew: it repeats what earlier tries have asked, done and been denied. */
  readonly anew: boolean;
  /** The agent cannot be given other arguments: it is told them, and asks for them itself. */
  readonly retells: boolean;
}

/** The name of one try of a turn. */
export const tryOf = (effect: string, attempt: number): string => `${effect}/${attempt}`;

/** What is known of it already. */
export type Asked =
  /** It waits for an answer, or one is there that nobody was given yet. */
  | { readonly kind: 'waits'; readonly approval: string; readonly events: readonly ApprovalEvent[] }
  /** A person has put these words in place of others: they are allowed, once. */
  | { readonly kind: 'allowed'; readonly events: readonly ApprovalEvent[] }
  /** An earlier try was given the answer: what was allowed is done, what was denied stays denied. */
  | { readonly kind: 'answered'; readonly resolution: Resolution; readonly events: readonly ApprovalEvent[] };

/**
 * Finds what a person was asked before in the very same words, so that nobody is asked twice. Each approval answers
 * one request of a try, however often the turn is tried. Undefined: nobody was asked.
 */
export function findAsked(state: Approvals, asking: Asking): Asked | undefined {
  const { tool, input, by, anew, retells } = asking;
  for (const approval of Object.values(state.asked)) {
    if (approval.tool !== tool || !asking.isOfTurn(approval)) continue;
    const { id } = approval;
    const claim = claimOn(state, id);
    const resolution = findResolution(state, id);
    if (resolution?.decision === 'withdraw') continue;
    const isRetold = retells && claim.told && !claim.changed && resolution?.decision === 'change';
    if (isRetold && isSame(resolution.input ?? null, input))
      return { kind: 'allowed', events: [{ type: 'approval.told', data: { id, changed: true } }] };
    if (!isSame(approval.input, input) || guard('approval.claimed', claim.by === by)) continue;
    const events: readonly ApprovalEvent[] = [{ type: 'approval.claimed', data: { id, by } }];
    // Words that were told and not asked for since are told again.
    if (!claim.told || isRetold) return { kind: 'waits', approval: id, events };
    if (guard('approval.anew', anew) && resolution) return { kind: 'answered', resolution, events };
  }
  return undefined;
}

/** What an agent is answered at once, as drivers of turns read it: `{ approval }` is to be waited for. */
export function answerAsked(asked: Asked): JsonValue {
  if (asked.kind === 'waits') return { approval: asked.approval };
  if (asked.kind === 'allowed') return { permit: 'allow' };
  const { decision, message } = asked.resolution;
  if (decision === 'allow' || decision === 'change') return { permit: 'done' };
  return { permit: 'deny', message: message ?? denialOf(decision) };
}

/** What an agent is told where nobody gave a reason. */
export const denialOf = (decision: ApprovalDecision | undefined): string =>
  decision === 'expire' ? 'Nobody allowed it in time.' : 'A person did not allow it.';

/** The answer is about to go to the agent. It goes once: whoever comes second has to ask. */
export function tellAnswer(
  state: Approvals,
  { approval: id, by }: { readonly approval: string; readonly by: string },
): Result<readonly ApprovalEvent[], ApprovalError> {
  const known = findApproval(state, id);
  const claim = claimOn(state, id);
  if (!known || findResolution(state, id) === undefined || claim.by !== by)
    return fail({ code: 'E_APPROVAL_UNKNOWN', message: 'This try of the turn waits for no such answer.' });
  return ok([{ type: 'approval.told', data: { id } }]);
}

/** The same, whatever order its fields stand in. */
function isSame(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    one.length === other.size &&
    one.every(([key, value]) => other.has(key) && isSame(value as JsonValue, other.get(key) as JsonValue))
  );
}
