import { type Approval, type ConversationStatus, statusOf } from '@cuebook/engine';
import { questionOf } from '../../tool/ask-user.js';
import type { Widget } from '../question/widget.js';
import type { WorkflowRunState } from './state.js';

/** What a run does or waits for. */
export type WorkflowStatus =
  | { readonly kind: 'new' | 'working' | 'done' }
  | { readonly kind: 'stopped'; readonly code: 'ENGINE_ABORTED' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** The agent has asked something: `answered` makes the answer. */
  | { readonly kind: 'waiting'; readonly for: 'question'; readonly questions: readonly OpenQuestion[] }
  /** Something is done only if a person allows it. */
  | { readonly kind: 'waiting'; readonly for: 'approval'; readonly approvals: readonly Approval[] }
  /** The agent has said something and waits for a word. */
  | { readonly kind: 'waiting'; readonly for: 'input' }
  | {
      readonly kind: 'waiting';
      readonly for: 'loop';
      readonly code: 'ENGINE_LOOP_DETECTED';
      readonly message: string;
    }
  | { readonly kind: 'waiting'; readonly for: 'budget'; readonly message: string }
  /** Nobody knows whether these calls were done when the process ended. */
  | { readonly kind: 'waiting'; readonly for: 'outcome'; readonly effects: readonly string[] };

export interface OpenQuestion {
  readonly approval: string;
  readonly question: Widget;
}

/** The status of a run, told as it is. */
export function runStatus({ agent }: WorkflowRunState): WorkflowStatus {
  const status = statusOf(agent);
  switch (status.kind) {
    case 'new':
    case 'done':
      return { kind: status.kind };
    case 'failed':
      return status;
    case 'stopped':
      return { kind: 'stopped', code: 'ENGINE_ABORTED' };
    // A conversation that nobody has said anything to yet.
    case 'idle':
      return { kind: 'waiting', for: 'input' };
    case 'waiting':
      return waiting(status);
    default:
      return { kind: 'working' };
  }
}

function waiting(status: Extract<ConversationStatus, { kind: 'waiting' }>): WorkflowStatus {
  if (status.for === 'outcome') return status;
  if (status.for === 'approval') {
    const questions = status.approvals.flatMap((approval) => {
      const question = questionOf(approval);
      return question === undefined ? [] : [{ approval: approval.id, question }];
    });
    if (questions.length === status.approvals.length) return { kind: 'waiting', for: 'question', questions };
    return status;
  }
  const { pause } = status;
  if (pause.kind === 'stall') {
    const { kind, turns } = pause.verdict;
    const message = `The agent repeats itself (${kind}, turns ${turns.join(', ')}) and nothing moves. A word of yours goes on.`;
    return { kind: 'waiting', for: 'loop', code: 'ENGINE_LOOP_DETECTED', message };
  }
  if (pause.kind === 'budget') {
    const { unit, limit } = pause.exhausted;
    return { kind: 'waiting', for: 'budget', message: `The budget of the run is spent: ${limit} ${unit}.` };
  }
  return { kind: 'waiting', for: 'input' };
}
