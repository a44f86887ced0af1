import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import { type ApprovalEvent, type Approvals, nativeGrant, requestApproval } from '../approval/approval.js';
import { answerAsked, findAsked, tryOf } from '../approval/claim.js';
import type { DecideContext, EngineEvent } from '../machine.js';
import type { Permit } from '../tool-loop/tool.js';

/** Calls that an agent may make of us in one turn. */
export const MAX_NATIVE_CALLS = 500;

/** A turn in flight whose agent asks before it acts by itself. */
export interface NativeTurn {
  readonly effect: string;
  /** What its approvals are about. */
  readonly about: string;
  readonly approvals: Approvals;
  /** Tools that a person has allowed for the rest of the run. */
  readonly granted: readonly string[];
  /** Approvals of turns before that this one goes on from. */
  readonly carried?: readonly string[];
  /** The session was told everything: its model asks anew for what it has done. */
  readonly isRetold?: boolean;
  /** The agent cannot be given other arguments than those that it asked for. */
  readonly retells: boolean;
  /** How long a person has to answer; undefined: for ever. */
  readonly lastsMs: number | undefined;
}

/** What an agent wants to do by itself, and what the rules say to it. */
export interface NativeAct {
  readonly tool: string;
  readonly input: JsonValue;
  /** Which try of the turn asks. */
  readonly attempt?: number | undefined;
  readonly permit: Permit;
  /** Only the words of the agent and its model say what it is: no grant speaks about it. */
  readonly claimed?: boolean | undefined;
}

/** Who asks in mid-turn is answered by the rules, by what a person said before in the very same words, or by a person. */
export function askNatively(
  { effect, about, approvals, granted, carried = [], isRetold = false, retells, lastsMs }: NativeTurn,
  { tool, input, attempt = 1, permit, claimed = false }: NativeAct,
  { now, newId }: DecideContext,
): { readonly events: readonly (ApprovalEvent | EngineEvent)[]; readonly answer: JsonValue } {
  if (permit.kind === 'deny') return { events: [], answer: { permit: 'deny', reason: permit.reason } };
  const by = tryOf(effect, attempt);
  const asked = findAsked(approvals, {
    ...{ tool, input, by, retells, anew: attempt > 1 || isRetold },
    isOfTurn: (approval) => approval.about === about || carried.includes(approval.id),
  });
  if (asked) return { events: asked.events, answer: answerAsked(asked) };
  const isGranted = granted.includes(nativeGrant(tool)) && !guard('approval.claimed-grant', claimed);
  if (permit.kind === 'allow' || isGranted) return { events: [], answer: { permit: 'allow' } };
  const id = newId('apr');
  const { reason } = permit;
  return {
    events: requestApproval({ id, about, tool, input, by, reason, lastsMs, claimed }, now),
    answer: { approval: id },
  };
}
