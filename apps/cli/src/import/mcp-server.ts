import { emptyCall, type ForeignFile, type McpArgument, markerCalls } from '@cuebook/adopt';
import { type Child, startChild } from '@cuebook/process';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';

interface ServerPrompt {
  readonly name: string;
  readonly arguments?: readonly McpArgument[];
}

/** A server answers each call within this time. */
const ANSWER_MS = 30_000;
const MAX_PROMPTS = 1000;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Calls every prompt of an MCP server that is a program, with markers in place of values. Answers what it said, for the reader. */
export async function askServer(
  command: string,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): Promise<ForeignFile> {
  const [program = '', ...args] = command.split(/\s+/).filter((word) => word !== '');
  const child = startChild({ command: program, args, cwd, env: plainEnv(env), maxLineBytes: MAX_LINE_BYTES });
  try {
    const call = caller(child);
    await call('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'cuebook', version: '0' },
    });
    await child.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    const prompts = [];
    for (const prompt of await listPrompts(call)) {
      const { arguments: list = [] } = prompt;
      const renders = [];
      for (const values of markerCalls(list))
        renders.push({ arguments: values, ...(await answerTo(call, prompt.name, values)) });
      // Many servers take no empty value, and then there is nothing to compare.
      const empty = list.length === 0 ? undefined : await answerTo(call, prompt.name, emptyCall(list));
      if (empty !== undefined && 'messages' in empty) renders.push({ arguments: emptyCall(list), ...empty });
      prompts.push({ prompt, renders });
    }
    return { path: 'mcp-server', bytes: Buffer.from(JSON.stringify({ prompts })) };
  } finally {
    await child.kill();
  }
}

/** What the server says to one call. That it refuses the values is an answer: the reader refuses that prompt alone. */
async function answerTo(
  call: Call,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly messages: unknown } | { readonly error: string }> {
  try {
    const { messages = null } = (await call('prompts/get', { name, arguments: values })) as {
      readonly messages?: unknown;
    };
    return { messages };
  } catch (error) {
    if (error instanceof Refused) return { error: error.why };
    throw error;
  }
}

/** The server answered with an error. */
class Refused extends Failure {
  readonly why: string;

  constructor(method: string, why: string) {
    super('E_IMPORT_SOURCE', `The server refused ${method}`, { exit: 1 });
    this.why = why;
  }
}

type Call = (method: string, params: object) => Promise<unknown>;

async function listPrompts(call: Call): Promise<readonly ServerPrompt[]> {
  const found: ServerPrompt[] = [];
  let cursor: string | undefined;
  do {
    const page = (await call('prompts/list', cursor === undefined ? {} : { cursor })) as {
      readonly prompts?: readonly ServerPrompt[];
      readonly nextCursor?: string;
    };
    found.push(...(page.prompts ?? []));
    cursor = page.nextCursor;
  } while (cursor !== undefined && found.length < MAX_PROMPTS);
  return found;
}

/** Sends one request at a time and waits for its answer. */
function caller(child: Child): Call {
  const lines = child.lines[Symbol.asyncIterator]();
  let id = 0;
  return async (method, params) => {
    id += 1;
    const wanted = id;
    const sent = await child.write(`${JSON.stringify({ jsonrpc: '2.0', id: wanted, method, params })}\n`);
    if (!sent.ok)
      throw new Failure('E_IMPORT_SOURCE', 'The server could not be started, or ended', { exit: 3 });
    const timer = setTimeout(() => void child.kill(), ANSWER_MS);
    try {
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true)
          throw new Failure('E_IMPORT_SOURCE', `The server ended before it answered ${method}`, { exit: 3 });
        const answer = parse(value);
        if (answer?.id !== wanted) continue;
        if (answer.error !== undefined) throw new Refused(method, wordsOf(answer.error));
        return answer.result ?? {};
      }
    } finally {
      clearTimeout(timer);
    }
  };
}

function parse(
  line: string,
): { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown } | undefined {
  try {
    return JSON.parse(line) as { readonly id?: unknown };
  } catch {
    // Many servers write their news to standard output.
    return undefined;
  }
}

const wordsOf = (error: unknown): string => {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message.slice(0, 120) : '';
};

const plainEnv = (env: Io['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
