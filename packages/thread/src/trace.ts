import { findApproval } from '@cuebook/engine';
import { type RunId, rebuildTurn, type Store, type StoredEvent } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import { type JsonValue, toMessages } from '@cuebook/prompt';
import { createThreadMachine, NO_CATALOG } from './machine.js';
import type { AnyThreadEvent } from './run/event.js';
import type { Frame } from './run/frame.js';
import { type Message, shownReasoning } from './run/message.js';
import { frameOfCall, type ThreadRunState } from './run/state.js';

/** One line of a trace: what was asked, what was stored, and what happened beside it. */
export type TraceLine = { readonly type: 'request' | 'message' | 'event'; readonly thread: string } & {
  readonly [key: string]: JsonValue;
};

export interface TraceOptions {
  /** The exact bytes of a request, by their hash, where they are still known. */
  readonly bodyOf?: (hash: string) => JsonValue | undefined;
}

/**
 * Every request and every stored message of a thread, in order, from the record alone. A step that was done again
 * after a crash stands once, as it was settled: the trace of an interrupted thread is that of one that was not.
 */
export async function* readTrace(
  store: Store,
  run: RunId,
  { bodyOf }: TraceOptions = {},
): AsyncIterable<TraceLine> {
  const machine = createThreadMachine(NO_CATALOG);
  let state = machine.initial;
  const tries = new Map<string, number>();
  for await (const stored of pages(store, run)) {
    const event = stored as unknown as AnyThreadEvent;
    if (event.type === 'effect.begun') tries.set(event.data.id, event.data.attempt);
    const asked = event.type === 'effect.settled' ? asking(state, event.data.id) : undefined;
    if (asked?.ask != null && event.type === 'effect.settled') {
      const attempt = tries.get(event.data.id) ?? 1;
      const turn = attempt === 1 ? event.data.id : `${event.data.id}.${attempt}`;
      const request = await requestLine(store, run, turn, asked, bodyOf);
      if (request !== undefined) yield request;
    }
    const before = state;
    state = machine.project(state, event);
    yield* news(before, state);
    if (event.type === 'session.ended')
      yield { type: 'event', thread: event.data.frame, event: 'session.ended', ...event.data.outcome };
    if (event.type === 'approval.requested') {
      const { id, tool, input, reason } = event.data;
      const why = reason === undefined ? {} : { reason };
      yield { type: 'event', thread: askingFrame(state, id), event: event.type, id, tool, input, ...why };
    }
    if (event.type === 'approval.resolved') {
      const { id, decision, by } = event.data;
      yield { type: 'event', thread: askingFrame(state, id), event: event.type, id, decision, by };
    }
    if (event.type === 'agent.handed')
      yield { type: 'event', thread: event.data.frame, event: 'agent.handed', agent: event.data.agent };
  }
}

const asking = ({ frames }: ThreadRunState, effect: string): Frame | undefined =>
  Object.values(frames).find(({ ask }) => ask?.effect === effect);

/** The conversation whose call an approval is about. */
const askingFrame = (state: ThreadRunState, approval: string): string =>
  frameOfCall(state, findApproval(state.approvals, approval)?.about ?? '')?.id ?? '';

async function requestLine(
  store: Store,
  run: RunId,
  turn: string,
  { id, agent, ask }: Frame,
  bodyOf: TraceOptions['bodyOf'],
): Promise<TraceLine | undefined> {
  const rebuilt = await rebuildTurn(store, run, turn);
  if (!rebuilt.ok || ask === null) return undefined;
  const { to, request, sends } = rebuilt.value;
  const [sent] = sends;
  const { prompt, tools, params } = request;
  const body = {
    ...(to.model === undefined ? {} : { model: to.model }),
    messages: toMessages(prompt),
    tools,
    params,
  };
  return {
    type: 'request',
    thread: id,
    agent,
    prompt: ask.prompt,
    provider: to.provider,
    ...(to.model === undefined ? {} : { model: to.model }),
    ...(sent === undefined ? {} : { hash: sent.hash }),
    body: (sent === undefined ? undefined : bodyOf?.(sent.hash)) ?? asJson(body),
  };
}

function* news(before: ThreadRunState, after: ThreadRunState): Iterable<TraceLine> {
  for (const frame of Object.values(after.frames)) {
    const known = before.frames[frame.id];
    if (known?.messages === frame.messages) continue;
    const seen = new Set((known?.messages ?? []).map(({ id }) => id));
    for (const message of frame.messages) if (!seen.has(message.id)) yield messageLine(frame.id, message);
  }
  for (const diagnostic of after.diagnostics.slice(
    before.diagnostics === after.diagnostics ? Infinity : before.diagnostics.length,
  ))
    yield { type: 'event', thread: '', event: 'diagnostic', ...diagnostic };
}

const messageLine = (thread: string, message: Message): TraceLine => {
  const { id, role, text, calls, callId, isError, attachments, silent, subagent, turn, side } = message;
  const reasoning = shownReasoning(message);
  return {
    type: 'message',
    thread,
    id,
    role,
    side,
    turn,
    content: text,
    ...(calls === undefined ? {} : { toolCalls: calls }),
    ...(callId === undefined ? {} : { toolCallId: callId }),
    ...(isError === undefined ? {} : { status: isError ? 'error' : 'success' }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(attachments === undefined ? {} : { attachments: attachments.map(({ path }) => path) }),
    ...(silent === undefined ? {} : { silent }),
    ...(subagent === undefined ? {} : { metadata: { subagent_id: subagent } }),
  };
};

async function* pages(store: Store, run: RunId): AsyncIterable<StoredEvent> {
  for (let after = 0; ; ) {
    const page = await store.read(run, { after, limit: 1_000 });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}
