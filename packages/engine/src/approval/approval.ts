import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { EngineEvent } from '../machine.js';

/** Something that a person must allow before it is done. */
export type Approval = {
  /** Ours, never the model's: `apr_…`. */
  readonly id: string;
  /** What it is about, as its owner names it: the id of a call. */
  readonly about: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly reason?: string;
  readonly askedAt: number;
  /** `null`: it does not expire. */
  readonly expiresAt: number | null;
  /** The try of a turn that asked, where an agent asks in mid-turn. */
  readonly by?: string;
  /** Only the words of the agent and its model say what it is. */
  readonly claimed?: true;
};

/** `expire`: the time ran out. `withdraw`: what it was about is no longer to be done. */
export type ApprovalDecision = 'allow' | 'deny' | 'change' | 'expire' | 'withdraw';

export type Resolution = {
  readonly decision: ApprovalDecision;
  /** Who decided: a person's name, or `cuebook` for expiry and withdrawal. */
  readonly by: string;
  readonly at: number;
  /** The changed input as it was checked; the original stays in the request. */
  readonly input?: JsonValue;
  readonly message?: string;
  /** The command that resolved it, so that the same one again is no error. */
  readonly command?: string;
  /** Further calls of the same tool are allowed for the rest of the run. */
  readonly grant?: true;
};

export type ApprovalEvent =
  | { readonly type: 'approval.requested'; readonly data: Approval }
  | { readonly type: 'approval.resolved'; readonly data: Resolution & { readonly id: string } }
  /** Another try of the turn asks the very same: it is the one that waits now. */
  | { readonly type: 'approval.claimed'; readonly data: { readonly id: string; readonly by: string } }
  /** The answer goes to who asked. From here on it may be done, and it is not given again. */
  | { readonly type: 'approval.told'; readonly data: { readonly id: string; readonly changed?: true } };

/** Everything that was asked, in order, and how it was answered. */
export type Approvals = {
  readonly asked: { readonly [id: string]: Approval };
  readonly resolved: { readonly [id: string]: Resolution };
  /** What is allowed for the rest of the run: see `grantOf`. */
  readonly granted: readonly string[];
  /** Who waits for which answer, or was given it; left out: nobody in mid-turn. */
  readonly claims?: { readonly [id: string]: ApprovalClaim };
};

/** What became of the answer to an agent that asked in mid-turn. */
export type ApprovalClaim = {
  /** The try of the turn that asked last. */
  readonly by: string;
  /** It was given the answer. */
  readonly told: boolean;
  /** It was allowed the words that a person had put in place of its own, and asked for them itself. */
  readonly changed: boolean;
};

export const NO_APPROVALS: Approvals = { asked: {}, resolved: {}, granted: [] };

export interface ApprovalRequestInput {
  /** From `newId('apr')`. */
  readonly id: string;
  readonly about: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly reason?: string | undefined;
  readonly lastsMs?: number | undefined;
  readonly by?: string;
  readonly claimed?: boolean;
}

/** Asks, and sets the timer of its expiry. */
export function requestApproval(
  { lastsMs, reason, claimed, ...request }: ApprovalRequestInput,
  now: number,
): readonly (ApprovalEvent | EngineEvent)[] {
  const { id } = request;
  const expiresAt = lastsMs === undefined ? null : now + lastsMs;
  const requested: ApprovalEvent = {
    type: 'approval.requested',
    data: {
      ...request,
      ...(reason === undefined ? {} : { reason }),
      ...(claimed === true ? { claimed } : {}),
      ...{ askedAt: now, expiresAt },
    },
  };
  if (expiresAt === null) return [requested];
  return [requested, { type: 'timer.set', data: { id: expiryTimer(id), at: expiresAt } }];
}

export function projectApprovals(state: Approvals, event: { readonly type: string }): Approvals {
  if (!isApprovalEvent(event)) return state;
  if (event.type === 'approval.requested')
    return { ...state, asked: { ...state.asked, [event.data.id]: event.data } };
  if (event.type === 'approval.claimed' || event.type === 'approval.told') return claimed(state, event);
  const { id, ...resolution } = event.data;
  const approval = findApproval(state, id);
  const grant = resolution.grant && approval ? grantOf(approval) : undefined;
  const isNew = grant !== undefined && !state.granted.includes(grant);
  return {
    ...state,
    resolved: { ...state.resolved, [id]: resolution },
    granted: isNew ? [...state.granted, grant] : state.granted,
  };
}

/**
 * What an approval allows for the rest of a run: one of our tools by its name, or a tool of an agent's own by a name
 * that none of ours has. An agent that calls its tool as one of ours is called gets nothing of what ours may do.
 */
export const grantOf = ({ tool, by }: Pick<Approval, 'tool' | 'by'>): string =>
  guard('approval.grant-kind', by !== undefined) ? nativeGrant(tool) : tool;

/** The same for a tool of an agent's own. */
export const nativeGrant = (tool: string): string => `agent/${tool}`;

function claimed(
  state: Approvals,
  event: Extract<ApprovalEvent, { readonly type: 'approval.claimed' | 'approval.told' }>,
): Approvals {
  const { id } = event.data;
  const before = claimOn(state, id);
  const claim: ApprovalClaim =
    event.type === 'approval.claimed'
      ? { ...before, by: event.data.by }
      : { ...before, told: true, changed: before.changed || event.data.changed === true };
  return { ...state, claims: { ...state.claims, [id]: claim } };
}

/** Who waits for the answer to an approval, or was given it. */
export const claimOn = ({ claims = {}, asked }: Approvals, id: string): ApprovalClaim =>
  (Object.hasOwn(claims, id) ? claims[id] : undefined) ?? {
    by: (Object.hasOwn(asked, id) ? asked[id]?.by : undefined) ?? '',
    told: false,
    changed: false,
  };

export const findApproval = (state: Approvals, id: string): Approval | undefined =>
  Object.hasOwn(state.asked, id) ? state.asked[id] : undefined;

export const findResolution = (state: Approvals, id: string): Resolution | undefined =>
  Object.hasOwn(state.resolved, id) ? state.resolved[id] : undefined;

export const pendingApprovals = (state: Approvals): readonly Approval[] =>
  Object.values(state.asked).filter(({ id }) => findResolution(state, id) === undefined);

/** The timer that an approval expires by. */
export const expiryTimer = (approval: string): string => `expire/${approval}`;

const isApprovalEvent = (event: { readonly type: string }): event is ApprovalEvent =>
  APPROVAL_EVENTS.has(event.type);

const APPROVAL_EVENTS: ReadonlySet<string> = new Set<ApprovalEvent['type']>([
  ...(['approval.requested', 'approval.resolved', 'approval.claimed', 'approval.told'] as const),
]);
