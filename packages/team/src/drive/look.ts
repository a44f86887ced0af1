import type { RunLook } from '@cuebook/engine';
import { isOver, nodesOf, type TeamState } from '../run/state.js';

/** How turns look at the state of a team run. */
export const TEAM_LOOK: RunLook<TeamState> = {
  isStopped(state, effect) {
    const node = nodesOf(state).find(({ work }) => work?.effect === effect && work.outcome === null);
    return node === undefined || node.work?.interrupted || isOver(state) ? true : undefined;
  },
  resultOf: (state, call) =>
    nodesOf(state)
      .flatMap(({ work }) => work?.native ?? [])
      .find(({ id }) => id === call)?.result,
  approvalsOf: (state) => state.approvals,
};
