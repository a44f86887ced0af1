import type { TeamState } from '../state.js';
import { accept, type CommandAnswer, type Own } from './refuse.js';

/** The servers were asked what they offer. The record has it when it is another list than before. */
export function listServers(state: TeamState, { tools, problems }: Own<'servers.list'>): CommandAnswer {
  const isKnown = JSON.stringify(state.served ?? []) === JSON.stringify(tools) && problems.length === 0;
  return accept(isKnown ? [] : [{ type: 'servers.listed', data: { tools, problems } }]);
}
