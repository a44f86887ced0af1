import type { Machine } from '@cuebook/engine';
import { decideResident } from './decide.js';
import { RESIDENT_EVENTS } from './event-types.js';
import { projectResident } from './project.js';
import { residentStanding } from './standing.js';
import { INITIAL, type ResidentCommand, type ResidentEvent, type ResidentState } from './state.js';

/**
 * The life of one agent as a machine. Each agent is a kind of its own: two of them never wait for each other. Left out:
 * for reading lives.
 */
export const residentMachine = (agent?: string): Machine<ResidentState, ResidentCommand, ResidentEvent> => ({
  kind: agent === undefined ? 'resident' : `resident/${agent}`,
  initial: INITIAL,
  events: RESIDENT_EVENTS,
  decide: decideResident,
  project: projectResident,
  stand: residentStanding,
});
