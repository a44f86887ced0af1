import { type Fields, fieldsOf, textOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { SessionOptions } from '../turn.js';
import { answerPermission, isWithin, type PermissionOutcome } from './permission.js';
import { callInput, callName, type Updates } from './updates.js';

/** Answers the agent's permission requests for one session. */
export interface Approvals {
  ask(turn: LiveTurn, updates: Updates, params: Fields): Promise<PermissionOutcome>;
  /** Whether something was denied since `reset`. */
  readonly wasDenied: () => boolean;
  reset(): void;
}

/**
 * With `ask` a person decides; without, `access` does, and where that is not given either nothing but reading is
 * let through. Our own tools are always let through: whoever runs them
 * decides by itself. Asked for something after the turn is over, the answer is no.
 */
export function createApprovals({ ask, access }: SessionOptions): Approvals {
  let denied = false;
  let count = 0;

  const decide = async (turn: LiveTurn, call: Fields): Promise<boolean> => {
    if (ask !== true || access === 'plan') return isWithin(access ?? 'plan', call);
    count += 1;
    const callId = textOf(call.toolCallId);
    const request = {
      type: 'approval.request',
      id: `approve-${count}-${callId}`,
      tool: callName(call),
      input: callInput(call),
      callId,
    } as const;
    turn.emit(request);
    const answer = (await turn.input.onApproval?.(request)) ?? { decision: 'deny' };
    if (answer.decision === 'allow') return true;
    const why =
      answer.decision === 'change'
        ? 'Denied: this agent cannot be given other arguments.'
        : `Denied${answer.message === undefined ? '.' : `: ${answer.message}`}`;
    turn.emit({ type: 'log', level: 'warning', text: why });
    return false;
  };

  return {
    async ask(turn, updates, params) {
      const { call, isOurs } = updates.announce(fieldsOf(params.toolCall));
      const isAllowed = isOurs || (await decide(turn, call));
      if (turn.signal.aborted) return { outcome: 'cancelled' };
      denied ||= !isAllowed;
      return answerPermission(params.options, isAllowed);
    },
    wasDenied: () => denied,
    reset: () => {
      denied = false;
    },
  };
}
