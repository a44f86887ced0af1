import { type PerRunKind, perRunKind, type RunKind } from '@cuebook/host';
import { residentMachine } from '../life/machine.js';
import type { ResidentState } from '../life/state.js';
import { residentRun } from '../resident.js';
import { agentOf, openResidentRun } from './open.js';
import { residentPause, residentView } from './view.js';

/** Lives of agents as a kind of run. An agent has one life: its run is always the same. */
export const residentRecord: PerRunKind<ResidentState> = {
  name: 'resident',
  daily: true,
  prefixes: ['resident'],
  begins: 'resident.opened',
  runFor: ({ target }) => residentRun(agentOf(target)),
  lacks: {
    words: 'It hears what is in its store, and nobody else.',
    approvals: 'It has no tools: what it writes is held to certified contracts.',
    doubts: 'Everything that it does may be done again.',
    stalls: 'It speaks once in each scenario, and is asked again at most once.',
    updates: 'It follows its card and its bundle: publish another version, and it takes it by itself.',
  },
  machine: residentMachine(),
  view: residentView,
  pause: residentPause,
  afterFailure: [],
  // Who speaks is not in its log: a life without a note goes on by the command that began it.
  callOf: () => undefined,
  open: openResidentRun,
};

export const residentRuns: RunKind = perRunKind(residentRecord);
