import { startChild } from '@cuebook/process';
import { endOfChild } from '../acp/failure.js';
import { oneText, wordsOf } from '../agent/words.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { runTurn } from '../stream/run-turn.js';
import { failedEnd } from '../stream/turn-error.js';
import type { Session, SessionOptions, TurnEnd } from '../turn.js';
import type { LineOptions } from './options.js';

/**
 * The words on standard input, which is then closed; standard output is the text, line by line, without its
 * last line break. Exit code 0 is `done`, any other an error.
 */
export function openRawSession(
  program: LineOptions & { readonly env: Readonly<Record<string, string>> },
  options: SessionOptions,
): Session {
  return {
    turn: (input) =>
      runTurn({
        provider: program.name,
        session: options.model === undefined ? {} : { model: options.model },
        input,
        redactor: options.redactor,
        speak: (turn) => speak(turn, program, options),
      }),
    close: async () => undefined,
  };
}

async function speak(
  turn: LiveTurn,
  { command, args = [], env = {} }: LineOptions,
  { cwd = process.cwd(), access, resume }: SessionOptions,
): Promise<Omit<TurnEnd, 'type'>> {
  if (access === 'plan') {
    return failedEnd('E_PROVIDER_PLAN', 'A program without a protocol cannot be held to planning.');
  }
  if (resume !== undefined) {
    return failedEnd('E_PROVIDER_SESSION', 'A program without a protocol has no sessions to go on with.');
  }
  const words = oneText(wordsOf(turn.input.request));
  await turn.pass('stdin', words);
  // A program may leave words unread, as `head` does.
  const child = startChild({ command, args, cwd, env, signal: turn.signal, needsOutput: true });
  try {
    const written = child.write(words).then(() => child.endInput());
    let isFirst = true;
    for await (const line of child.lines) {
      turn.received(Buffer.byteLength(line) + 1);
      turn.emit({ type: 'text.delta', block: 0, text: isFirst ? line : `\n${line}` });
      isFirst = false;
    }
    const exit = await child.exited;
    await written;
    if (exit.code === 0 && exit.failure === undefined) return { reason: 'done', stop: 'stop' };
    return { reason: 'error', error: endOfChild(exit, child.stderrTail()) };
  } finally {
    await child.kill();
  }
}
