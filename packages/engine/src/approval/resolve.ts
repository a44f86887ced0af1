import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { EngineEvent } from '../machine.js';
import { clipText, clipWords, quote } from '../tool-loop/clip.js';
import {
  type Approval,
  type ApprovalEvent,
  type Approvals,
  expiryTimer,
  findApproval,
  findResolution,
  pendingApprovals,
  type Resolution,
} from './approval.js';

/** A person's answer to an approval. */
export type ApprovalResolve = {
  readonly type: 'approval.resolve';
  /** The id of the command: the same one again changes nothing and is no error. */
  readonly id?: string;
  readonly approval: string;
  readonly decision: 'allow' | 'deny' | 'change';
  readonly by: string;
  /** For `change`: what to do instead. */
  readonly input?: JsonValue;
  /** For `deny`: what the agent is told. */
  readonly message?: string;
  /** For `allow`: calls of the same tool need no further approval in this run. */
  readonly grant?: boolean;
};

export interface ApprovalError {
  readonly code: 'E_APPROVAL_UNKNOWN' | 'E_APPROVAL_RESOLVED' | 'E_APPROVAL_INPUT' | 'E_APPROVAL_GRANT';
  readonly message: string;
}

export interface ResolveOptions {
  readonly now: number;
  /** The changed input as it will be used, or what is wrong with it: it passes every check of the first one. */
  readonly check: (approval: Approval, input: JsonValue) => Result<JsonValue, string>;
}

type ResolveEvents = readonly (ApprovalEvent | EngineEvent)[];

/** The events of an answer. No events: this very command was the answer before. */
export function resolveApproval(
  state: Approvals,
  command: ApprovalResolve,
  { now, check }: ResolveOptions,
): Result<ResolveEvents, ApprovalError> {
  const approval = findApproval(state, command.approval);
  if (!approval) return fail(unknownApproval(command.approval));
  const earlier = findResolution(state, approval.id);
  if (earlier && isSameCommand(earlier, command)) return ok([]);
  if (guard('approval.resolved', earlier !== undefined) && earlier) return fail(alreadyResolved(earlier));
  const base = { by: clipText(command.by, 200), at: now, ...commandOf(command) };
  if (command.decision === 'deny') {
    const message = command.message === undefined ? {} : { message: clipWords(command.message, 2_000) };
    return ok(resolvedEvents(approval, { decision: 'deny', ...base, ...message }));
  }
  if (command.decision === 'allow') {
    const grant = command.grant === true ? ({ grant: true } as const) : {};
    if (guard('approval.grant-claimed', command.grant === true && approval.claimed === true))
      return fail(NO_GRANT);
    return ok(resolvedEvents(approval, { decision: 'allow', ...base, ...grant }));
  }
  const checked = check(approval, command.input ?? null);
  if (guard('approval.changed-input', !checked.ok) && !checked.ok)
    return fail({ code: 'E_APPROVAL_INPUT', message: `The changed input does not fit: ${checked.error}` });
  const input = checked.ok ? checked.value : (command.input ?? null);
  return ok(resolvedEvents(approval, { decision: 'change', ...base, input }));
}

/** The events of a timer that fired: nothing when it is no expiry, or comes after the answer. */
export function expireApproval(state: Approvals, timer: string, now: number): ResolveEvents {
  const due = pendingApprovals(state).find((approval) => expiryTimer(approval.id) === timer);
  if (!guard('approval.expire', due !== undefined) || !due) return [];
  return [{ type: 'approval.resolved', data: { id: due.id, decision: 'expire', by: 'cuebook', at: now } }];
}

/** Takes back what is still asked: nobody waits for the answer any more. */
export const withdrawApprovals = (asked: readonly Approval[], now: number): ResolveEvents =>
  asked.flatMap((approval) => resolvedEvents(approval, { decision: 'withdraw', by: 'cuebook', at: now }));

function resolvedEvents(approval: Approval, resolution: Resolution): ResolveEvents {
  const resolved: ApprovalEvent = { type: 'approval.resolved', data: { id: approval.id, ...resolution } };
  if (approval.expiresAt === null) return [resolved];
  return [resolved, { type: 'timer.cleared', data: { id: expiryTimer(approval.id) } }];
}

/** The next act of the same name may be anything. */
const NO_GRANT: ApprovalError = {
  code: 'E_APPROVAL_GRANT',
  message:
    'Only the words of the agent say what this is, so no later act is allowed with it: answer without a grant.',
};

const unknownApproval = (id: string): ApprovalError => ({
  code: 'E_APPROVAL_UNKNOWN',
  message: `There is no approval ${quote(id)} in this run.`,
});

const alreadyResolved = ({ decision, by }: Resolution): ApprovalError => ({
  code: 'E_APPROVAL_RESOLVED',
  message: `The approval was answered before: ${decision}, by ${by}.`,
});

const isSameCommand = (earlier: Resolution, { id }: ApprovalResolve): boolean =>
  id !== undefined && earlier.command === id;

const commandOf = ({ id }: ApprovalResolve): { readonly command?: string } =>
  id === undefined ? {} : { command: id };
