import { guard } from '@cuebook/guard';
import type { ApprovalNeed, ArgsCheck, HookAnswer, LiveToolAnswer } from './contract.js';
import type { EndedJob } from './thread.js';

type Stopped = Extract<EndedJob, { readonly kind: 'stopped' }>;

/** What a tool call came to, in the words of the contract. */
export function toolAnswer(ended: EndedJob): LiveToolAnswer {
  if (ended.kind === 'stopped') return { kind: 'stopped', reason: ended.reason, text: stoppedText(ended) };
  const { outcome } = ended;
  if (outcome.kind === 'invalid') return outcome;
  if (outcome.kind === 'result') {
    return { kind: outcome.status, text: outcome.text, attachments: outcome.attachments };
  }
  if (outcome.kind === 'value') return { kind: 'success', text: '', attachments: [] };
  // Cut off in the middle of its work, a function mostly throws: whether it acted is not known.
  if (outcome.kind === 'threw' && outcome.aborted) {
    return { kind: 'stopped', reason: 'aborted', text: outcome.text };
  }
  return { kind: 'error', text: outcome.text, attachments: [] };
}

export function hookAnswer(ended: EndedJob): HookAnswer {
  if (ended.kind === 'stopped') {
    return {
      kind: 'failed',
      reason: ended.reason === 'timeout' ? 'timeout' : 'exit',
      text: stoppedText(ended),
    };
  }
  const { outcome } = ended;
  if (outcome.kind === 'value') return outcome;
  if (outcome.kind === 'not-json') return { kind: 'failed', reason: 'not-json', text: outcome.text };
  return { kind: 'failed', reason: 'throw', text: 'text' in outcome ? outcome.text : 'it did not run' };
}

export function argsCheck(ended: EndedJob): ArgsCheck {
  if (ended.kind === 'stopped') return wrong(`the check of the arguments was stopped: ${stoppedText(ended)}`);
  const { outcome } = ended;
  if (outcome.kind === 'value') return { ok: true, value: outcome.value ?? null };
  if (outcome.kind === 'invalid') return { ok: false, problems: outcome.problems };
  return wrong(outcome.text);
}

/** Only a plain `false` lets a call run without a person. */
export function approvalNeed(ended: EndedJob): ApprovalNeed {
  const value = ended.kind === 'outcome' && ended.outcome.kind === 'value' ? ended.outcome.value : undefined;
  const isAnswer = typeof value === 'boolean' || typeof value === 'string';
  if (guard('live.approval', !isAnswer)) return BROKEN;
  if (typeof value !== 'string') return { ask: value === true };
  const reason = value.trim().slice(0, MAX_REASON).toWellFormed();
  return reason === '' ? { ask: true } : { ask: true, reason };
}

/** Characters of a reason that a person is shown. */
const MAX_REASON = 500;

const BROKEN: ApprovalNeed = {
  ask: true,
  reason: 'The function that says whether this call needs approval gave no answer.',
};

const wrong = (message: string): ArgsCheck => ({ ok: false, problems: [{ path: '', message }] });

function stoppedText({ reason, begun }: Stopped): string {
  if (!begun) return `It did not begin: ${WHY[reason]}`;
  return reason === 'exit' ? 'Its process ended before it answered' : `It did not answer: ${WHY[reason]}`;
}

const WHY: Readonly<Record<Stopped['reason'], string>> = {
  timeout: 'the time for it was over',
  exit: 'its process ended',
  aborted: 'the call was cut off',
};
