import { guard } from '@cuebook/guard';
import type { Child } from '@cuebook/process';
import { statusError } from '../stream/http-status.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { failedEnd } from '../stream/turn-error.js';
import type { ApprovalAnswer, SessionOptions, TurnEnd, Usage } from '../turn.js';
import { type LineIn, type LineOut, printLine, readLine } from './protocol.js';

export interface Speaker {
  readonly child: Child;
  readonly lines: AsyncIterator<string>;
  readonly options: Pick<SessionOptions, 'ask' | 'access'>;
}

/** Lines of no known kind that are told of; a program may print what it likes. */
const MAX_STRANGE = 20;

/** Reads one turn, answering what is asked in it. Undefined when the program ended before the turn did. */
export async function listen(turn: LiveTurn, speaker: Speaker): Promise<Omit<TurnEnd, 'type'> | undefined> {
  const seen: Seen = { started: new Set(), block: 0, isInText: false };
  let strange = 0;
  for (;;) {
    const next = await speaker.lines.next();
    if (next.done) return undefined;
    turn.received(Buffer.byteLength(next.value) + 1);
    const read = readLine(next.value);
    if (read.ok) {
      const { message } = read;
      if (message.kind === 'end') return endOf(message);
      take(turn, message, speaker, seen);
      continue;
    }
    strange += 1;
    if (strange > MAX_STRANGE) continue;
    const text = read.known ? `A line that does not fit: ${next.value}` : next.value;
    turn.emit({ type: 'log', level: read.known ? 'warning' : 'info', text });
  }
}

/** What has come so far. Words before and after a tool are blocks of their own: no line goes on across it. */
interface Seen {
  readonly started: Set<string>;
  block: number;
  isInText: boolean;
}

const ACTS: ReadonlySet<string> = new Set(['toolUse', 'toolCall', 'approval']);

function take(
  turn: LiveTurn,
  message: Exclude<LineOut, { kind: 'end' }>,
  speaker: Speaker,
  seen: Seen,
): void {
  if (ACTS.has(message.kind)) seen.isInText = false;
  switch (message.kind) {
    case 'text':
      if (!seen.isInText) seen.block += 1;
      seen.isInText = true;
      turn.emit({ type: 'text.delta', block: seen.block, text: message.text });
      break;
    case 'reasoning':
      turn.emit({ type: 'reasoning.delta', block: 0, text: message.text });
      break;
    case 'log':
      turn.emit({ type: 'log', level: message.level, text: message.text });
      break;
    case 'usage':
      turn.emit({ type: 'usage', usage: usageOf(message) });
      break;
    case 'toolUse':
      showUse(turn, message, seen.started);
      break;
    // Answered beside the reading: the program may say more before it has its answer.
    case 'toolCall':
      void answer(turn, speaker, runTool(turn, message));
      break;
    case 'approval':
      void answer(turn, speaker, approve(turn, message, speaker.options));
      break;
  }
}

function usageOf({ kind: _, costUsd, ...usage }: Extract<LineOut, { kind: 'usage' }>): Usage {
  return costUsd === undefined ? usage : { ...usage, costUsd };
}

function showUse(turn: LiveTurn, use: Extract<LineOut, { kind: 'toolUse' }>, started: Set<string>): void {
  const { id, name, input, output, isError } = use;
  if (!started.has(id)) turn.emit({ type: 'tool.start', id, name, by: 'agent' });
  started.add(id);
  if (output === undefined) return;
  turn.emit({ type: 'tool.end', id, name, by: 'agent', input, output, ...(isError ? { isError } : {}) });
}

async function runTool(turn: LiveTurn, call: Extract<LineOut, { kind: 'toolCall' }>): Promise<LineIn> {
  const { id, name, input } = call;
  turn.emit({ type: 'tool.start', id, name, by: 'caller' });
  const isOffered = turn.input.request.tools.some((tool) => tool.name === name);
  const run = guard('line.unknown-tool', !isOffered) ? undefined : turn.input.callTool;
  const { output, isError = false } = (await run?.({ id, name, input })) ?? NO_TOOL;
  turn.emit({ type: 'tool.end', id, name, by: 'caller', input, output, ...(isError ? { isError } : {}) });
  return { kind: 'toolResult', id, output, isError };
}

const NO_TOOL = { output: 'There is no such tool.', isError: true };

async function approve(
  turn: LiveTurn,
  { id, tool, input, callId }: Extract<LineOut, { kind: 'approval' }>,
  { ask, access }: Speaker['options'],
): Promise<LineIn> {
  const request = {
    type: 'approval.request',
    id,
    tool,
    input,
    ...(callId === undefined ? {} : { callId }),
  } as const;
  turn.emit(request);
  if (ask !== true) return { kind: 'approval', id, decision: access === 'full' ? 'allow' : 'deny' };
  const answered: ApprovalAnswer = (await turn.input.onApproval?.(request)) ?? { decision: 'deny' };
  return { kind: 'approval', id, ...answered };
}

/** Refused at the choke point means that the turn is over: there is nobody left to tell. */
async function answer(turn: LiveTurn, { child }: Speaker, made: Promise<LineIn>): Promise<void> {
  const line = printLine(await made);
  const isPassed = await turn.pass('stdin', line).then(
    () => true,
    () => false,
  );
  if (isPassed) await child.write(line);
}

function endOf({ reason, stop, error }: Extract<LineOut, { kind: 'end' }>): Omit<TurnEnd, 'type'> {
  if (reason === 'done') return { reason, stop: stop ?? 'stop' };
  const { message = 'The program does not say why.', status, retryable } = error ?? {};
  if (status === undefined)
    return failedEnd('E_PROVIDER_REJECTED', message, { retryable: retryable ?? false });
  const known = statusError(status, message);
  return { reason: 'error', error: { ...known, retryable: retryable ?? known.retryable } };
}
