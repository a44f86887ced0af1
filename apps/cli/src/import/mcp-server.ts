import type { ForeignFile } from '@cuebook/adopt';
import { type Child, startChild } from '@cuebook/process';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';

interface Argument {
  readonly name: string;
  readonly required?: boolean;
}

interface ServerPrompt {
  readonly name: string;
  readonly arguments?: readonly Argument[];
}

/** A server answers each call within this time. */
const ANSWER_MS = 30_000;
const MAX_PROMPTS = 1000;
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Calls every prompt of an MCP server that is a program, with markers in place of values: twice with all arguments, and once
 * without each that may be left out. Answers what it said, for the reader.
 */
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
      const renders = [];
      for (const values of callsOf(prompt)) {
        const { messages } = (await call('prompts/get', { name: prompt.name, arguments: values })) as {
          readonly messages: unknown;
        };
        renders.push({ arguments: values, messages });
      }
      prompts.push({ prompt, renders });
    }
    return { path: 'mcp-server', bytes: Buffer.from(JSON.stringify({ prompts })) };
  } finally {
    await child.kill();
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

/** Markers of two lengths for all arguments, then one call without each optional one. */
function callsOf({ arguments: list = [] }: ServerPrompt): readonly Readonly<Record<string, string>>[] {
  const all = (mark: (name: string) => string) =>
    Object.fromEntries(list.map(({ name }) => [name, mark(name)]));
  const full = all((name) => `⟦${name}⟧`);
  const without = list
    .filter(({ required }) => required !== true)
    .map(({ name: left }) => Object.fromEntries(Object.entries(full).filter(([name]) => name !== left)));
  return list.length === 0 ? [full] : [full, all((name) => `⟦${name}·another·marker⟧`), ...without];
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
        if (answer.error !== undefined)
          throw new Failure('E_IMPORT_SOURCE', `The server refused ${method}`, { exit: 1 });
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

const plainEnv = (env: Io['env']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
