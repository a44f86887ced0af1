import type { KindView, PauseFacts } from '@cuebook/host';
import { asJson } from '@cuebook/journal/json';
import { lastWords, workflowStanding } from '../run/machine/standing.js';
import type { WorkflowRunState } from '../run/machine/state.js';
import { runStatus, type WorkflowStatus } from '../run/machine/status.js';

/** How a run of a workflow stands, with the step that it is at. */
export function workflowView(state: WorkflowRunState): KindView {
  const { facts, composed, agent } = state;
  const status = runStatus(state);
  const spent = agent.budget.scopes.run?.spent;
  return {
    target: workflowStanding(state)?.target ?? null,
    status: STATUSES[status.kind],
    reason: status.kind === 'waiting' ? status.for : null,
    text: lastWords(state),
    error: status.kind === 'failed' ? { code: status.code, message: status.message } : null,
    turns: agent.turns,
    rehearsal: agent.rehearsal === true,
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      workflow: facts?.workflow ?? null,
      mode: facts?.mode ?? null,
      node: composed?.nodeId ?? null,
      complete: composed?.isComplete === true,
      provider: composed?.voice ?? null,
    },
  };
}

const STATUSES = {
  new: 'new',
  working: 'running',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
  waiting: 'waiting',
} as const satisfies Record<WorkflowStatus['kind'], KindView['status']>;

/** The numbers behind a pause. */
export function workflowPause({ agent }: WorkflowRunState): PauseFacts | undefined {
  const { pause } = agent;
  if (pause?.kind === 'budget')
    return { evidence: asJson({ ...pause.exhausted }), unit: pause.exhausted.unit };
  return pause?.kind === 'stall' ? { evidence: asJson({ ...pause.verdict }) } : undefined;
}
