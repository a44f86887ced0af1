import type { RenderEngine } from '@cuebook/template';
import { linesOf } from '../input/lines.js';
import { decodeUtf8 } from '../input/stdin.js';
import type { Io } from '../io.js';
import { answerCase, type CaseAnswer } from './case.js';

/** The answer to one line; the id is passed on as it is. */
interface Answer extends CaseAnswer {
  readonly id: unknown;
}

/**
 * Answers every line `{id, tmpl, lookup, ctx or data, missingkey}` of standard input as it comes. A template
 * that fails is an answer like any other; the exit code is 1 only when a line could not be read.
 */
export async function answerLines(engine: RenderEngine, io: Io): Promise<number> {
  let unread = 0;
  for await (const bytes of linesOf(io.stdin, LINE_LIMIT)) {
    const text = bytes === undefined ? undefined : decodeUtf8(bytes);
    if (text?.trim() === '') continue;
    const answer = text === undefined ? undefined : answerLine(text.replace(/^\ufeff/, ''), engine);
    if (answer === undefined) unread += 1;
    // What is rendered is as it is; why it cannot be rendered is told like every error.
    const tell = answer?.ok === true ? io.exact : io.out;
    await tell(`${JSON.stringify(answer ?? UNREAD)}\n`);
  }
  return unread === 0 ? 0 : 1;
}

function answerLine(line: string, engine: RenderEngine): Answer | undefined {
  const id = idOf(line);
  if (id === undefined) return undefined;
  return { id, ...answerCase(line, engine) };
}

/** The id, null where a line has none; undefined when the line is no JSON object with a template. */
function idOf(line: string): unknown {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined;
    const { id = null, tmpl } = row as { id?: unknown; tmpl?: unknown };
    return typeof tmpl === 'string' ? id : undefined;
  } catch {
    // Not JSON; the parser's message quotes the line, so it is not passed on.
    return undefined;
  }
}

const UNREAD: Answer = {
  id: null,
  ok: false,
  out: null,
  err: 'the line is not a JSON object with the key tmpl, in UTF-8, of at most 16 MiB',
};

const LINE_LIMIT = 16 * 1024 * 1024;
