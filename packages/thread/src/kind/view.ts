import type { Approval } from '@cuebook/engine';
import type { KindView, PauseFacts } from '@cuebook/host';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';
import { shownReasoning } from '../run/message.js';
import { threadStanding } from '../run/standing.js';
import { ROOT, RUN_SCOPE, type ThreadRunState } from '../run/state.js';
import { threadStatus } from '../run/status.js';

/** How a thread stands, with its messages and the threads of its subagents. */
export function threadView(state: ThreadRunState): KindView {
  const spent = state.budget.scopes[RUN_SCOPE]?.spent;
  return {
    target: threadStanding(state)?.target ?? null,
    ...ending(state),
    turns: spent?.turns ?? 0,
    rehearsal: state.rehearsal === true,
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    detail: {
      agent: state.agent,
      messages: messagesOf(state),
      threads: threadsOf(state),
      diagnostics: asJson(state.diagnostics),
    },
  };
}

type Ending = Pick<KindView, 'status' | 'reason' | 'text' | 'error'>;

function ending(state: ThreadRunState): Ending {
  const status = threadStatus(state);
  switch (status.kind) {
    case 'done':
    case 'failed':
    case 'stopped': {
      const { reason, text, code } = status.outcome;
      const error = code === undefined ? null : { code, message: text };
      return { status: status.kind, reason, text, error };
    }
    case 'waiting':
      return { status: 'waiting', reason: status.for, text: threadWaitText(state), error: null };
    case 'working':
      return { status: 'running', reason: null, text: '', error: null };
    default:
      return { status: status.kind, reason: status.kind, text: '', error: null };
  }
}

/** What a thread waits for, in a sentence. */
export function threadWaitText(state: ThreadRunState): string {
  const status = threadStatus(state);
  if (status.kind === 'waiting' && status.for === 'approval')
    return `It waits for your approval of ${status.approvals.map(wantedText).join(', ')}`;
  const wait = threadStanding(state)?.wait;
  if (wait === undefined || wait.for === 'approval') return '';
  if (wait.for !== 'outcome') return wait.message;
  const calls = wait.calls.map(({ tool, input }) => `${tool}(${input})`).join(', ');
  return `Nobody knows whether these calls were done when a process died: ${calls}`;
}

const wantedText = ({ tool, input, reason }: Approval): string =>
  `${tool}(${JSON.stringify(input)})${reason === undefined ? '' : ` (${reason})`}`;

/** The numbers behind a pause. */
export function threadPause({ pause }: ThreadRunState): PauseFacts | undefined {
  if (pause === null) return undefined;
  return pause.kind === 'budget'
    ? { evidence: asJson({ ...pause.exhausted }), unit: pause.exhausted.unit }
    : { evidence: asJson({ ...pause.verdict }) };
}

function messagesOf({ frames }: ThreadRunState): JsonValue {
  return (frames[ROOT]?.messages ?? []).map((message) => {
    const { id, role, text: content, calls, callId, isError, silent } = message;
    const reasoning = shownReasoning(message);
    return {
      id,
      role,
      content,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(calls === undefined ? {} : { toolCalls: calls }),
      ...(callId === undefined ? {} : { toolCallId: callId }),
      ...(isError === undefined ? {} : { status: isError ? 'error' : 'success' }),
      ...(silent === undefined ? {} : { silent }),
    };
  });
}

function threadsOf({ frames }: ThreadRunState): JsonValue {
  return Object.values(frames)
    .filter(({ kind }) => kind === 'thread')
    .map(({ id, agent, name, ended, active, status: told, outcome }) => ({
      id,
      agent,
      name,
      status: ended ? 'terminated' : active ? 'running' : 'idle',
      ...(told === null ? {} : { told }),
      outcome:
        outcome === null ? null : { status: outcome.status, reason: outcome.reason, text: outcome.text },
    }));
}
