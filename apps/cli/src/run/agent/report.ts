import type { AgentData } from '@cuebook/define';
import type { Approval } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { commandLine } from '@cuebook/prompt/hint';
import { ROOT_THREAD, shownReasoning, type ThreadRunState, threadStatus } from '@cuebook/thread';
import { typed } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { screenText, styleFor } from '../../output/style.js';

/** How a thread stands, for people and as JSON. */
export interface Report {
  readonly run: RunId;
  readonly agent: string;
  readonly status: 'done' | 'failed' | 'stopped' | 'waiting' | 'idle';
  readonly reason: string;
  readonly text: string;
  readonly code?: string;
  /** The command that goes on, where a person is waited for. */
  readonly next?: string;
  /** What it wants to do, where a person is to allow it. */
  readonly approvals?: readonly Approval[];
  readonly state: ThreadRunState;
}

export function reportOf(run: RunId, agent: string, state: ThreadRunState): Report {
  const status = threadStatus(state);
  const base = { run, agent, state };
  const go = commandLine`run agent:${agent} --thread ${run}`;
  switch (status.kind) {
    case 'done':
    case 'failed':
    case 'stopped': {
      const { reason, text, code } = status.outcome;
      return { ...base, status: status.kind, reason, text, ...(code === undefined ? {} : { code }) };
    }
    case 'waiting': {
      if (status.for === 'outcome') {
        const calls = status.calls
          .map(({ tool, call }) => `${tool}(${JSON.stringify(call.input)})`)
          .join(', ');
        const text = `Nobody knows whether these calls were done when a process died: ${calls}`;
        return { ...base, status: 'waiting', reason: 'outcome', text, next: `${go} --settle not-done` };
      }
      if (status.for === 'approval') {
        const [first] = status.approvals;
        const text = `It waits for your approval of ${status.approvals.map(wantedText).join(', ')}`;
        const next = commandLine`approvals allow ${first?.id ?? ''}`;
        return { ...base, status: 'waiting', reason: 'approval', text, next, approvals: status.approvals };
      }
      if (status.pause.kind === 'stall') {
        const { kind, times } = status.pause.verdict;
        const text = `Nothing new came out of the last ${times} steps (${kind}).`;
        return { ...base, status: 'waiting', reason: 'stall', text, next: `${go} --input TEXT` };
      }
      const { unit, limit } = status.pause.exhausted;
      const text = `The budget is spent: ${limit} ${unit}.`;
      return { ...base, status: 'waiting', reason: 'budget', text, next: `${go} --${unit} ${limit * 2}` };
    }
    case 'working':
      return {
        ...base,
        status: 'stopped',
        reason: 'interrupted',
        text: 'It was left in the middle of a turn, and goes on from there.',
        next: go,
      };
    default:
      return { ...base, status: 'idle', reason: status.kind, text: '', next: `${go} --input TEXT` };
  }
}

const wantedText = ({ tool, input, reason }: Approval): string =>
  `${tool}(${JSON.stringify(input)})${reason === undefined ? '' : ` (${reason})`}`;

/** What a definition says of an agent to people: its title, its description, its icon, and what its sides are called. */
export function aboutOf(data: AgentData | undefined): object {
  const { title, description, icon, sideA, sideB } = data ?? {};
  const labels = { a: sideA?.label, b: sideB?.label };
  const hasLabels = labels.a !== undefined || labels.b !== undefined;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
    ...(hasLabels ? { labels } : {}),
  };
}

/** What `--json` answers. */
export function documentOf(
  { run, agent, status, reason, text, code, next, approvals, state }: Report,
  io: Pick<Io, 'typing'>,
  about: object = {},
): object {
  const frames = Object.values(state.frames);
  const spent = state.budget.scopes.run?.spent;
  return {
    thread: run,
    run,
    agent,
    ...(Object.keys(about).length === 0 ? {} : { about }),
    status,
    reason,
    text,
    ...(code === undefined ? {} : { error: { code, message: text } }),
    ...(next === undefined ? {} : { next: typed(io, next) }),
    ...(approvals === undefined
      ? {}
      : {
          approvals: approvals.map(({ id, tool, input, reason = null, askedAt, expiresAt }) => ({
            ...{ id, tool, input, reason, askedAt, expiresAt },
          })),
        }),
    messages: (state.frames[ROOT_THREAD]?.messages ?? []).map((message) => {
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
    }),
    threads: frames
      .filter(({ kind }) => kind === 'thread')
      .map(({ id, agent: of, name, ended, active, status: told, outcome }) => ({
        id,
        agent: of,
        name,
        status: ended ? 'terminated' : active ? 'running' : 'idle',
        ...(told === null ? {} : { told }),
        outcome:
          outcome === null ? null : { status: outcome.status, reason: outcome.reason, text: outcome.text },
      })),
    usage: spent === undefined ? null : { turns: spent.turns, tokens: spent.tokens, usd: spent.usd },
    diagnostics: state.diagnostics,
  };
}

/** What people read at the end, beside the words that came as they were said. */
export function endText({ run, status, reason, text, code, next, state }: Report, io: Io): string {
  const style = styleFor(io, 'err');
  const mark =
    status === 'done' ? style.green('✓') : status === 'waiting' ? style.yellow('…') : style.red('✗');
  const why =
    status === 'done'
      ? reason === 'answered'
        ? ''
        : ` (${reason})`
      : `: ${code === undefined ? '' : `${code} `}${screenText(text || reason, io.terminal.err)}`;
  const warnings = state.diagnostics.map(({ code: of, message }) => style.yellow(`  ${of} ${message}`));
  return [
    `\n${mark} ${run} ${status}${why}`,
    ...warnings,
    ...(next === undefined ? [] : [style.dim(`  go on: ${typed(io, next)}`)]),
    style.dim(`  ${typed(io, commandLine`log ${run}`)}   what happened, step by step`),
    '',
  ].join('\n');
}
