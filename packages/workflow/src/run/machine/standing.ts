import type { Approval, DoubtfulEffect, QuestionRow, Standing, StandingWait } from '@cuebook/engine';
import { questionOf } from '../../tool/ask-user.js';
import { answerExample, answerForms } from '../question/answer-text.js';
import type { WorkflowRunState } from './state.js';
import { runStatus, type WorkflowStatus } from './status.js';

/** How a run stands, for the list over all runs. */
export function workflowStanding(state: WorkflowRunState): Standing | undefined {
  const { facts } = state;
  if (facts === null) return undefined;
  const status = runStatus(state);
  const wait = waitOf(state, status);
  return {
    kind: 'workflow',
    target: facts.call?.target ?? `${facts.package}#${facts.workflow}`,
    status: STATUSES[status.kind],
    ...(wait === undefined ? {} : { wait }),
  };
}

/** A question among the approvals, with the forms of its answer. */
export function questionRow(approval: Approval): QuestionRow | undefined {
  const question = questionOf(approval);
  return question && { answers: answerForms(question), example: answerExample(question) };
}

const STATUSES = {
  new: 'running',
  working: 'running',
  done: 'completed',
  stopped: 'stopped',
  failed: 'failed',
  waiting: 'waiting',
} as const satisfies Record<WorkflowStatus['kind'], Standing['status']>;

function waitOf(state: WorkflowRunState, status: WorkflowStatus): StandingWait | undefined {
  if (status.kind !== 'waiting') return undefined;
  switch (status.for) {
    case 'question':
    case 'approval':
      return { for: 'approval' };
    case 'outcome':
      return { for: 'outcome', calls: status.effects.map((effect) => doubtOf(state, effect)) };
    case 'input':
      return { for: 'input', message: lastWords(state) };
    default:
      return { for: status.for, message: status.message };
  }
}

/** The call that an effect does; a turn has none. */
function doubtOf({ agent }: WorkflowRunState, effect: string): DoubtfulEffect {
  const call = [...(agent.calls ?? []), ...agent.native].find((each) => each.effect === effect);
  return call === undefined
    ? { effect, tool: '', input: '' }
    : { effect, tool: call.name, input: JSON.stringify(call.input) };
}

/** What the agent said last. */
export function lastWords({ agent }: WorkflowRunState): string {
  const said = agent.history.findLast((message) => message.role === 'assistant' && message.text !== '');
  return said?.role === 'assistant' ? said.text : '';
}
