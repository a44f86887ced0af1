import { randomUUID } from 'node:crypto';
import { type Child, startChild } from '@cuebook/process';
import { endOfChild } from '../acp/failure.js';
import { oneText, wordsOf } from '../agent/words.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { runTurn } from '../stream/run-turn.js';
import type { Session, SessionOptions, TurnEnd } from '../turn.js';
import { listen } from './listen.js';
import type { LineOptions } from './options.js';
import { printLine } from './protocol.js';

/** How long a program may take to end its turn when it is asked; then it is ended itself. */
const CANCEL_MS = 3000;
/** Programs that save something do it when their input ends. */
const GOODBYE_MS = 1500;

/** One program for many turns. One that has ended is started again for the next turn, with the same session id. */
export function openLineSession(
  program: LineOptions & { readonly env: Readonly<Record<string, string>> },
  options: SessionOptions,
): Session {
  const sessionId = options.resume ?? randomUUID();
  let isNew = options.resume === undefined;
  let running: Running | undefined;

  const speak = async (turn: LiveTurn): Promise<Omit<TurnEnd, 'type'>> => {
    const turnId = randomUUID();
    const line = promptLine(turn, { isNew, turnId, sessionId, options });
    await turn.pass('stdin', line);
    if (running === undefined || running.isOver) running = start(program, options);
    const { child, lines } = running;
    isNew = false;
    const forget = cancelOnAbort(turn, child, turnId);
    try {
      await child.write(line);
      const end = await listen(turn, { child, lines, options });
      if (end !== undefined) return end;
    } catch (thrown) {
      // What is left of this turn would be heard in the next one.
      await child.kill();
      throw thrown;
    } finally {
      forget();
    }
    const exit = await child.exited;
    await child.kill();
    running = undefined;
    return { reason: 'error', error: endOfChild(exit, child.stderrTail()) };
  };

  return {
    turn: (input) =>
      runTurn({
        provider: program.name,
        session: { sessionId, ...(options.model === undefined ? {} : { model: options.model }) },
        input,
        redactor: options.redactor,
        speak,
      }),
    async close() {
      const child = running?.child;
      running = undefined;
      if (child === undefined) return;
      child.endInput();
      await soon(child.exited, GOODBYE_MS);
      await child.kill();
    },
  };
}

interface Running {
  readonly child: Child;
  /** Read on from turn to turn. */
  readonly lines: AsyncIterator<string>;
  isOver: boolean;
}

function start(
  { command, args = [], env = {} }: LineOptions,
  { cwd = process.cwd() }: SessionOptions,
): Running {
  const child = startChild({ command, args, cwd, env, needsOutput: true, needsInput: true });
  const running: Running = { child, lines: child.lines[Symbol.asyncIterator](), isOver: false };
  void child.exited.then(() => {
    running.isOver = true;
  });
  return running;
}

interface PromptOptions {
  readonly isNew: boolean;
  readonly turnId: string;
  readonly sessionId: string;
  readonly options: SessionOptions;
}

function promptLine({ input }: LiveTurn, { isNew, turnId, sessionId, options }: PromptOptions): string {
  const delta = isNew ? undefined : input.delta;
  const { model, access } = options;
  const { tools } = input.request;
  return printLine({
    kind: 'prompt',
    prompt: oneText(wordsOf(delta ?? input.request)),
    promptKind: delta === undefined ? 'full' : 'delta',
    turnId,
    sessionId,
    ...(model === undefined ? {} : { model }),
    ...(access === undefined ? {} : { access }),
    ...(tools.length === 0 ? {} : { tools }),
  });
}

/** Asks the program to end its turn, and ends it when it does not. Answers how to take that back. */
function cancelOnAbort({ signal }: LiveTurn, child: Child, turnId: string): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    void child.write(printLine({ kind: 'cancel', turnId }));
    timer = setTimeout(() => void child.kill(), CANCEL_MS);
  };
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  return () => {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
  };
}

/** Waits for something, but no longer than this. */
async function soon(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
