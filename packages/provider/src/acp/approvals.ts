import { guard } from '@cuebook/guard';
import { type Fields, fieldsOf } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { ApprovalAnswer, ApprovalRequest, SessionOptions } from '../turn.js';
import { answerPermission, isWithin, type PermissionOutcome } from './permission.js';
import { type AnnouncedCall, callInput, callName, type Updates } from './updates.js';

/** What an agent is told of an answer. `isOwed`: something is to be done instead. */
export interface Remark {
  readonly text: string;
  readonly isOwed: boolean;
}

/** Answers the agent's permission requests for one session. */
export interface AcpApprovals {
  ask(turn: LiveTurn, updates: Updates, params: Fields): Promise<PermissionOutcome>;
  /** Whether something was denied since `reset`. */
  readonly wasDenied: () => boolean;
  /** What the agent is still to be told of the answers: the protocol has no room for it in them. Told once. */
  remarks(): readonly Remark[];
  reset(): void;
}

/**
 * With `ask` a person decides about whatever the agent asks for; without, `access` does, and where that is not
 * given either nothing is let through. No word of a request says that it is about a tool of ours: the agent and
 * its model write those. Calls of our tools are known by the channel that they come over, where whoever runs
 * them decides. Asked for something after the turn is over, the answer is no.
 */
export function createApprovals({ ask, access }: SessionOptions): AcpApprovals {
  let denied = false;
  let count = 0;
  let told: Remark[] = [];

  const decide = async (turn: LiveTurn, { id, call }: AnnouncedCall): Promise<boolean> => {
    if (ask !== true || access === 'plan') return isWithin(access ?? 'plan', call);
    const [tool, input] = [callName(call), callInput(call)];
    count += 1;
    const request: ApprovalRequest = {
      type: 'approval.request',
      id: `approve-${count}-${id}`,
      ...{ tool, input, callId: id, claimed: true },
    };
    turn.emit(request);
    const answer = (await turn.input.onApproval?.(request)) ?? { decision: 'deny' };
    if (!guard('acp.approval', answer.decision !== 'allow') || answer.decision === 'allow') return true;
    const remark = remarkOn(tool, answer);
    if (remark !== undefined) told.push({ text: remark, isOwed: answer.decision === 'change' });
    turn.emit({ type: 'log', level: 'warning', text: remark ?? `Denied: ${tool}` });
    return false;
  };

  return {
    async ask(turn, updates, params) {
      const announced = updates.announce(fieldsOf(params.toolCall));
      const isAllowed = await decide(turn, announced);
      if (turn.signal.aborted) return { outcome: 'cancelled' };
      denied ||= !isAllowed;
      if (isAllowed) updates.allow(announced.id);
      return answerPermission(params.options, isAllowed);
    },
    wasDenied: () => denied,
    remarks() {
      const all = told;
      told = [];
      return all;
    },
    reset: () => {
      denied = false;
      told = [];
    },
  };
}

function remarkOn(tool: string, answer: Exclude<ApprovalAnswer, { decision: 'allow' }>): string | undefined {
  if (answer.decision === 'change') {
    const input = JSON.stringify(answer.input);
    return `Your request for ${tool} was not allowed as it was. Allowed is exactly this instead, do it: ${input}`;
  }
  if (answer.message === undefined || answer.message === '') return undefined;
  return `Your request for ${tool} was denied: ${answer.message}`;
}
