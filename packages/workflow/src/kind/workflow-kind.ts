import { type PerRunKind, perRunKind, type RunKind } from '@cuebook/host';
import type { AnswerTool } from '@cuebook/provider/servers';
import type { RunFacts } from '../run/machine/facts.js';
import { replayMachine } from '../run/machine/machine.js';
import type { WorkflowRunState } from '../run/machine/state.js';
import { type HandedWorkflow, openHostedRun } from './open.js';
import { workflowWord } from './reply.js';
import { tellClosed } from './tell.js';
import { updateWorkflow } from './update.js';
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
  callOf({ data }) {
    const { call } = data as unknown as RunFacts;
    if (call === undefined) return undefined;
    const { script, ...named } = call;
    return { ...named, ...(script === undefined ? {} : { scriptFile: script }) };
  },
  tell: tellClosed,
  update: updateWorkflow,
  open: (opening) => openHostedRun(opening),
};

export const workflowRuns: RunKind = perRunKind(workflowRecord);

/** The same where no program is run and no server is called: each such call is answered with a text. Files are real. */
export const workflowRunsAnswered = (answer: AnswerTool): RunKind =>
  perRunKind({ ...workflowRecord, open: (opening) => openHostedRun(opening, { answer }) });

/** The same for one run, of a workflow that was read before. */
export const workflowRunsOf = (handed: HandedWorkflow): RunKind =>
  perRunKind({ ...workflowRecord, open: (opening) => openHostedRun(opening, { handed }) });
