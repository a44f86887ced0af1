import { budgetView } from '@cuebook/engine';
import type { KindView, PauseFacts } from '@cuebook/host';
import { asJson } from '@cuebook/journal/json';
import { residentStanding } from '../life/standing.js';
import type { ResidentState } from '../life/state.js';

/** How a life stands. Between two rounds it is idle. */
export function residentView(state: ResidentState): KindView {
  const { agent, mode, effect, empty, said, turns, trust, today, budget, budgetDay, session } = state;
  const spent = budgetView(budget, budgetDay ?? '')?.spent;
  return {
    target: residentStanding(state)?.target ?? null,
    status: statusOf(state),
    reason: empty === null || mode === 'stopped' ? null : 'budget',
    text: said,
    error: null,
    turns,
    rehearsal: session !== null,
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      agent,
      phase: effect === null ? 'waiting' : state.phase,
      trust: asJson(trust),
      today: { ...today },
    },
  };
}

function statusOf({ agent, mode, effect, empty }: ResidentState): KindView['status'] {
  if (agent === null) return 'new';
  if (effect !== null) return 'running';
  if (mode === 'stopped') return 'stopped';
  return empty === null ? 'idle' : 'waiting';
}

/** The numbers behind a day that is spent. */
export function residentPause({ empty: unit, budget, budgetDay }: ResidentState): PauseFacts | undefined {
  const view = unit === null ? undefined : budgetView(budget, budgetDay ?? '');
  if (unit === null || view === undefined) return undefined;
  const limit = view.limit[unit] ?? 0;
  return { evidence: { scope: budgetDay, unit, limit, spent: view.spent[unit] }, unit };
}
