import { type Approvals, projectApprovals } from '../approval/approval.js';
import { type BudgetLedger, projectLedger } from '../budget/ledger.js';
import type { EngineEvent } from '../machine.js';

/** What every kind of run keeps beside its conversations. */
export interface Kept {
  readonly approvals: Approvals;
  readonly budget: BudgetLedger;
  /** Effects that a person was asked about after a crash: nobody knows whether they were done. */
  readonly doubts: readonly string[];
}

/** Folds an event into what a run keeps; the rest of its state stays as it is. */
export const projectKept = <State extends Kept>(state: State, event: { readonly type: string }): State => ({
  ...state,
  approvals: projectApprovals(state.approvals, event),
  budget: projectLedger(state.budget, event),
  doubts: projectDoubts(state.doubts, event as EngineEvent),
});

function projectDoubts(doubts: readonly string[], { type, data }: EngineEvent): readonly string[] {
  if (type === 'effect.asked') return [...doubts, data.id];
  if (type !== 'effect.reopened' && type !== 'effect.settled') return doubts;
  return doubts.includes(data.id) ? doubts.filter((each) => each !== data.id) : doubts;
}
