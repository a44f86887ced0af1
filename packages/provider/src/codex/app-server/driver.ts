import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { type Fields, fieldsOf, textOf } from '../../agent/fields.js';
import { wordsOf } from '../../agent/words.js';
import type { LiveTurn } from '../../stream/live-turn.js';
import { failedEnd } from '../../stream/turn-error.js';
import { toolSchema } from '../../tool/tool-schema.js';
import type { SessionOptions } from '../../turn.js';
import type { CodexDriver, CodexEnding, ThreadMemory } from '../driver.js';
import { endOfChild, sayTo } from '../program.js';
import { type CodexOptions, rightsOf } from '../settings.js';
import { type NamedTools, nameTools } from '../tool-names.js';
import { type AppServerConnection, connect } from './connection.js';
import { converse } from './converse.js';

/** A thread that this process has open. */
interface OpenThread {
  readonly id: string;
  readonly model: string;
  /** What it was begun with, where we began it: Codex fixes both for the thread's life. */
  readonly begun?: { readonly instructions: string; readonly tools: NamedTools };
}

/**
 * `codex app-server`: one long-lived process a session, one thread in it. If the process is gone, the next turn
 * starts another and goes on with the thread.
 */
export function createAppServer(
  options: CodexOptions,
  session: SessionOptions,
  memory: ThreadMemory,
): CodexDriver {
  let link: AppServerConnection | undefined;
  let thread: OpenThread | undefined;

  const drop = async (): Promise<void> => {
    const gone = link;
    link = undefined;
    thread = undefined;
    await gone?.child.kill();
  };

  const requireLink = async (turn: LiveTurn) => {
    if (link?.isOver()) await drop();
    if (link !== undefined) return ok(link);
    const connected = await connect(options, session.cwd ?? process.cwd(), turn);
    if (connected.ok) link = connected.value;
    return connected;
  };

  /** Until the turn is on its way there is nothing to interrupt: who wants it to stop ends the process. */
  const requireThread = async (connection: AppServerConnection, turn: LiveTurn) => {
    const stop = () => void drop();
    turn.signal.addEventListener('abort', stop, { once: true });
    try {
      const opened = await openThread(connection, turn, { session, thread, memory });
      if (!opened.ok) await drop();
      return opened;
    } finally {
      turn.signal.removeEventListener('abort', stop);
    }
  };

  return {
    async speak(turn, announce) {
      const linked = await requireLink(turn);
      if (!linked.ok) return linked.error.old ? 'unavailable' : linked.error.end;
      const isBegun = memory.id !== undefined;
      const opened = await requireThread(linked.value, turn);
      if (!opened.ok) return opened.error;
      thread = opened.value;
      announce({ sessionId: thread.id, ...(thread.model === '' ? {} : { model: thread.model }) });
      tellMissing(thread, turn);
      return converse({
        ...{ link: linked.value, turn, drop, redactor: session.redactor },
        cwd: session.cwd ?? process.cwd(),
        ...{ threadId: thread.id, tools: nameTools(turn.input.request.tools) },
        params: turnParams(thread, turn, isBegun),
        onSent: () => {
          memory.id = opened.value.id;
        },
      });
    },
    close: drop,
  };
}

interface ThreadContext {
  readonly session: SessionOptions;
  readonly thread: OpenThread | undefined;
  readonly memory: ThreadMemory;
}

/** The thread that is open, or one to go on with, or a new one. */
async function openThread(
  link: AppServerConnection,
  turn: LiveTurn,
  { session, thread, memory }: ThreadContext,
): Promise<Result<OpenThread, CodexEnding>> {
  if (thread !== undefined) return ok(thread);
  const common = {
    ...rightsOf(session),
    approvalsReviewer: 'user',
    ...(session.model && { model: session.model }),
  };
  const { instructions } = wordsOf(turn.input.request);
  const tools = nameTools(turn.input.request.tools);
  const [method, params, begun] =
    memory.id === undefined
      ? ([
          'thread/start',
          {
            ...common,
            ...(instructions && { developerInstructions: instructions }),
            dynamicTools: specs(tools),
          },
          { instructions, tools },
        ] as const)
      : (['thread/resume', { ...common, threadId: memory.id, excludeTurns: true }, undefined] as const);
  const answer = await link.peer.call(sayTo(link.child, turn), method, params);
  if (!answer.ok) {
    if (answer.error.kind === 'closed') return fail(await endOfChild(link.child));
    const code = begun === undefined ? 'E_PROVIDER_SESSION' : 'E_PROVIDER_FAILED';
    return fail(failedEnd(code, answer.error.message));
  }
  const id = textOf(fieldsOf(answer.value.thread).id);
  if (guard('codex.thread-id', !/^[\w-]{1,128}$/.test(id))) {
    return fail(failedEnd('E_PROVIDER_EXIT', 'Codex gave the thread no name that can be used.'));
  }
  return ok({ id, model: textOf(answer.value.model), ...(begun && { begun }) });
}

const specs = ({ tools }: NamedTools): readonly Fields[] =>
  tools.map(({ name, tool }) => ({
    ...{ type: 'function', name, description: tool.description ?? '', deferLoading: false },
    inputSchema: toolSchema(tool.parameters),
  }));

/**
 * Codex takes developer instructions when a thread begins and never again. System-role blocks that it has not
 * heard go beside a later message as context of the application, which it hands on with the developer role
 * too, and does not repeat while it stays the same.
 */
function turnParams({ id, begun }: OpenThread, turn: LiveTurn, isBegun: boolean): Fields {
  const { request, delta } = turn.input;
  const { instructions, text, images } = wordsOf(isBegun ? (delta ?? request) : request);
  const isNews = instructions !== '' && instructions !== begun?.instructions;
  return {
    threadId: id,
    input: [{ type: 'text', text, text_elements: [] }, ...images.map((url) => ({ type: 'image', url }))],
    ...(isNews && { additionalContext: { instructions: { kind: 'application', value: instructions } } }),
  };
}

/** Tools that came after the thread began cannot be offered natively: said, so that nobody waits for a call. */
function tellMissing({ begun }: OpenThread, turn: LiveTurn): void {
  if (begun === undefined) return;
  const added = turn.input.request.tools.filter(
    ({ name }) => !begun.tools.tools.some(({ tool }) => tool.name === name),
  );
  if (added.length === 0) return;
  const names = added.map(({ name }) => name).join(', ');
  const text = `Codex takes tools when a thread begins, so it is not offered: ${names}. Open a new session for it.`;
  turn.emit({ type: 'log', level: 'warning', text });
}
