import { type NotedCall, type PerRunKind, perRunKind, type RunKind } from '@cuebook/host';
import type { RunFacts } from '../run/machine/facts.js';
import { replayMachine } from '../run/machine/machine.js';
import type { WorkflowRunState } from '../run/machine/state.js';
import { openHostedRun } from './open.js';
import { workflowWord } from './reply.js';
import { workflowPause, workflowView } from './view.js';

/** Workflows as a kind of run. */
export const workflowRecord: PerRunKind<WorkflowRunState> = {
  name: 'workflow',
  prefixes: ['workflow'],
  begins: 'workflow.started',
  machine: replayMachine('workflow'),
  view: workflowView,
  pause: workflowPause,
  afterFailure: ['resume', 'TEXT'],
  wordFor: workflowWord,
  callOf: ({ data }): NotedCall | undefined => {
    const { call } = data as unknown as RunFacts;
    // A script is named there by its file: a process that is not told its words cannot go on.
    if (call === undefined || call.script !== undefined) return undefined;
    const { target, provider, model } = call;
    return {
      target,
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
    };
  },
  open: openHostedRun,
};

export const workflowRuns: RunKind = perRunKind(workflowRecord);
