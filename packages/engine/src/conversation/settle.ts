import type { Usage } from '@cuebook/provider';
import type { Approval, ApprovalEvent } from '../approval/approval.js';
import { withdrawApprovals } from '../approval/resolve.js';
import { spendBudget } from '../budget/check.js';
import type { BudgetEvent, BudgetLedger } from '../budget/ledger.js';
import type { EngineEvent } from '../machine.js';
import type { CallEvent, Calls } from '../tool-loop/calls.js';
import { stopCalls } from '../tool-loop/next-calls.js';

/** A turn that has its answer, and what hung on it. */
export interface Answered {
  readonly effect: string;
  readonly usage: Partial<Usage> | undefined;
  /** What was asked in mid-turn and nobody has answered. */
  readonly asked?: readonly Approval[];
  /** Calls in mid-turn. */
  readonly native?: Calls;
  /** Calls that still run are given up: nobody can say how they end. Left out: they are waited for. */
  readonly givesUp?: boolean;
}

/** What an answer cost, once, and the end of everything that hung on its turn. */
export function settleTurn(
  budget: BudgetLedger,
  { effect, usage, asked = [], native = [], givesUp = false }: Answered,
  now: number,
): readonly (BudgetEvent | ApprovalEvent | CallEvent | EngineEvent)[] {
  const isOwed = Object.hasOwn(budget.holds, effect);
  return [
    ...(isOwed ? [spendBudget(effect, usage)] : []),
    ...withdrawApprovals(asked, now),
    ...stopCalls(native, 'the turn ended', givesUp),
  ];
}

/** Nothing new begins: what is asked is taken back, then what has not begun gets its result. What runs is waited for. */
export function stopOpen(
  { asked, calls, why }: { readonly asked: readonly Approval[]; readonly calls: Calls; readonly why: string },
  now: number,
): readonly (ApprovalEvent | CallEvent | EngineEvent)[] {
  const withdrawn = withdrawApprovals(asked, now);
  return withdrawn.length > 0 ? withdrawn : stopCalls(calls, why, false);
}
