import { randomUUID } from 'node:crypto';
import type { LiveToolAnswer, StateView } from '@cuebook/define';
import type { JsonValue } from '@cuebook/prompt';
import { type McpDesk, toClient } from './desk.js';

/** What a client is told of a call. */
export interface ToldCall {
  readonly output: string;
  readonly isError?: boolean;
}

/** How long a function may take. Clients give up sooner, and say so. */
const TOOL_MS = 10 * 60_000;

/** Calls a function of the project. The whole server is one thread: what a tool writes, the next one reads. */
export async function callFunction(
  desk: McpDesk,
  tool: string,
  args: JsonValue,
  signal: AbortSignal,
): Promise<ToldCall> {
  const { live, variables } = desk;
  const env = variables.view();
  const wanted = live.catalog.tools.get(tool)?.data.variables ?? [];
  const missing = wanted.filter(({ name, required }) => required && !Object.hasOwn(env, name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    return failed(`E_VARIABLE_MISSING The tool needs ${names}: start the server with --env NAME=VALUE.`);
  }
  const state: StateView = {
    threadId: SERVER_THREAD,
    agent: undefined,
    prompt: '',
    options: {},
    env,
    setEnv: async (name, value, type) => variables.set(name, value, type),
    // There is no parent here: nobody is told.
    notifyParent: async () => undefined,
  };
  const answer = await live.callTool({ tool, args, state, signal, timeoutMs: TOOL_MS });
  const { output, ...rest } = toldOf(answer);
  return { output: toClient(desk, output), ...rest };
}

const SERVER_THREAD = `mcp_${randomUUID()}`;

const failed = (output: string): ToldCall => ({ output, isError: true });

function toldOf(answer: LiveToolAnswer): ToldCall {
  if (answer.kind === 'invalid') {
    const problems = answer.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    return failed(`E_INPUT ${problems}`);
  }
  if (answer.kind === 'stopped')
    return failed(`E_MCP_STOPPED ${answer.text}. Whether it acted is not known.`);
  const { kind, text, attachments } = answer;
  const output = [text, ...attachments.map((path) => `[attachment: ${path}]`)].join('\n');
  return kind === 'error' ? failed(output) : { output };
}
