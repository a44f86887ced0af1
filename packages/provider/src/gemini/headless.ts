import { randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { type Child, childEnvironment, startChild } from '@cuebook/process';
import { parseLine } from '../agent/fields.js';
import { oneText, wordsOf } from '../agent/words.js';
import type { LiveTurn, Speak } from '../stream/live-turn.js';
import { failedEnd } from '../stream/turn-error.js';
import type { SessionOptions, TurnEnd } from '../turn.js';
import { endOfChild, endOfResult, exitOf } from './failure.js';
import {
  APPROVAL_MODE,
  GEMINI_ENVIRONMENT,
  GEMINI_SET,
  type GeminiOptions,
  trustArguments,
} from './settings.js';
import { createStreamReader } from './stream-reader.js';

/** What a session's turns have in common, whichever way they take. */
export interface GeminiMemory {
  /** The session to go on with, once there is one. */
  id: string | undefined;
}

/** One process a turn: the prompt on standard input, a line of JSON for each event. */
export interface Headless {
  readonly speak: Speak;
  close(): Promise<void>;
}

export function createHeadless(
  options: GeminiOptions,
  session: SessionOptions,
  memory: GeminiMemory,
): Headless {
  let running: Child | undefined;

  const speak: Speak = async (turn) => {
    const isNew = memory.id === undefined;
    const id = memory.id ?? randomUUID();
    turn.started({ sessionId: id, ...(session.model && { model: session.model }) });
    const { request, delta } = turn.input;
    const text = plainText(oneText(wordsOf(isNew ? request : (delta ?? request))));
    const child = startGemini(options, session, [isNew ? '--session-id' : '--resume', id]);
    running = child;
    const stop = () => void child.kill();
    turn.signal.addEventListener('abort', stop, { once: true });
    const reader = createStreamReader({ emit: turn.emit, clean: turn.clean, redactor: session.redactor });
    try {
      await turn.pass('stdin', text);
      await child.write(text);
      child.endInput();
      return await follow(child, turn, reader.line);
    } finally {
      turn.signal.removeEventListener('abort', stop);
      reader.close();
      await child.kill();
      running = undefined;
      // Gemini CLI forgets a session in which nothing was answered, and does not take its name again.
      if (reader.hasAnswered) memory.id = id;
    }
  };
  return { speak, close: async () => running?.kill() };
}

async function follow(
  child: Child,
  turn: LiveTurn,
  read: ReturnType<typeof createStreamReader>['line'],
): Promise<Omit<TurnEnd, 'type'>> {
  let noise = 0;
  for await (const line of child.lines) {
    turn.received(Buffer.byteLength(line) + 1);
    const event = parseLine(line);
    const last = event === undefined ? undefined : read(event);
    if (last?.status === 'success') return endOfResult(last);
    if (last !== undefined) return endOfResult(last, (await exitOf(child)).code);
    noise += event === undefined ? 1 : 0;
    if (guard('gemini.noise', noise > MAX_NOISE)) {
      return failedEnd('E_PROVIDER_EXIT', 'Gemini CLI wrote lines that are no events.');
    }
  }
  return endOfChild(child);
}

/** An extension may print a line of its own; what goes on like that is not Gemini CLI. */
const MAX_NOISE = 20;

function startGemini(options: GeminiOptions, session: SessionOptions, more: readonly string[]): Child {
  const { command = 'gemini', args = [], environment = process.env, allow = [] } = options;
  const { access = 'plan', model, cwd = process.cwd() } = session;
  const own = ['--output-format', 'stream-json', '--approval-mode', APPROVAL_MODE[access]];
  const chosen = model === undefined ? [] : ['-m', model];
  return startChild({
    command,
    args: [...args, ...own, ...chosen, ...trustArguments(options, session), ...more],
    cwd,
    env: childEnvironment(environment, [...GEMINI_ENVIRONMENT, ...allow], GEMINI_SET),
    needsOutput: true,
    needsInput: true,
  });
}

/** A text that begins with a slash would be a command; behind a line break it is what it is. */
const plainText = (text: string): string =>
  guard('gemini.slash', text.startsWith('/')) ? `\n${text}` : text;

/**
 * Whether Gemini CLI would take something in the text for the name of a file, and put that file beside our
 * words. There is no way to write such a text so that it stays as it is.
 */
export const namesFiles = (text: string): boolean =>
  guard('gemini.at', /(?<!\\)@(?:"|\\.|[^ \t\n\r,;!?()[\]{}.]|\.(?!$|[ \t\n\r]))/.test(text));
