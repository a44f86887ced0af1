import { budgetView, type Standing } from '@cuebook/engine';
import type { ResidentState } from './state.js';

/** How a life stands, for the list over all runs. It runs between its rounds too: a process has to be there. */
export function residentStanding(state: ResidentState): Standing | undefined {
  const { agent, mode, empty, config } = state;
  // Whoever only takes what is new does not live.
  if (agent === null || config === null) return undefined;
  const target = `resident:${agent}`;
  if (mode === 'stopped') return { kind: 'resident', target, status: 'stopped' };
  const base = { kind: 'resident', target, status: 'running' } as const;
  return empty === null ? base : { ...base, wait: { for: 'budget', message: emptyText(state) } };
}

/** That the day's budget is spent, in a sentence. */
export function emptyText({ empty, budget, budgetDay }: ResidentState): string {
  const limit = empty === null ? null : budgetView(budget, budgetDay ?? '')?.limit[empty];
  return `The budget of the day is spent: ${limit ?? 0} ${empty ?? 'turns'}. It goes on tomorrow.`;
}
