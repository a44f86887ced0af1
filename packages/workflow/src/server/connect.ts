import type { JsonValue, Redactor } from '@cuebook/prompt';
import type { Client, Transport } from '@modelcontextprotocol/client';
import { guard } from '../guard.js';
import type { ServerSettings, WorkflowSettings } from '../settings/settings.js';
import { clip } from '../tool/read.js';
import { failed, type ToolResult } from '../tool/result.js';
import { offeredTools } from './offer.js';
import type { Servers, ServerTool } from './servers.js';

export interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where programs are started. */
  readonly cwd: string;
  readonly redactor: Redactor;
}

/** How long a server may take to come up and to say what it offers. */
const CONNECT_MS = 15_000;
/** In bytes of JSON: the rest of a result is cut. */
const MAX_RESULT = 40_000;

interface Connected {
  readonly name: string;
  readonly client: Client;
  readonly timeoutMs: number;
  readonly tools: readonly ServerTool[];
}

/**
 * Connects to the servers that the operator has named and allows, side by side. One that cannot be reached is a
 * problem to be told, and the run goes on without it.
 */
export async function connectServers(settings: WorkflowSettings, options: ConnectOptions): Promise<Servers> {
  const { allowedServers } = settings.tools.mcp ?? {};
  const wanted = Object.entries(settings.servers).filter(
    ([name]) => allowedServers === undefined || allowedServers.includes(name),
  );
  const found = await Promise.all(wanted.map(([name, server]) => connect(name, server, options)));
  const connected = found.filter((each): each is Connected => typeof each === 'object');
  return {
    tools: connected.flatMap(({ tools }) => tools),
    problems: found.filter((each) => typeof each === 'string'),
    async call(tool, args, signal) {
      const server = connected.find(({ name }) => name === tool.server);
      if (server === undefined) return failed('TOOL_NOT_AVAILABLE', 'There is no such server');
      return callTool(server, tool, args, signal);
    },
    async close() {
      await Promise.all(connected.map(({ client }) => client.close().catch(ignore)));
    },
  };
}

/** A server that does not end properly is ended with its streams. */
const ignore = (): undefined => undefined;

async function connect(
  name: string,
  settings: ServerSettings,
  options: ConnectOptions,
): Promise<Connected | string> {
  // Loaded only where servers are used: it is large.
  const { Client: McpClient } = await import('@modelcontextprotocol/client');
  const client = new McpClient({ name: 'cuebook', version: '0.1.0' });
  const { timeoutMs } = settings;
  const limit = { timeout: Math.min(CONNECT_MS, timeoutMs) };
  try {
    await client.connect(await transportOf(settings, options), limit);
    const listed = await client.listTools(undefined, limit);
    return { name, client, timeoutMs, tools: offeredTools(name, listed.tools, options.redactor) };
  } catch {
    // What was thrown may tell of the machine; the name is enough to look for the cause.
    await client.close().catch(ignore);
    return `The MCP server "${name}" cannot be reached; its tools are not there.`;
  }
}

async function transportOf(settings: ServerSettings, { env, cwd }: ConnectOptions): Promise<Transport> {
  if ('url' in settings) {
    const key = settings.keyName === undefined ? undefined : env[settings.keyName];
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    return new StreamableHTTPClientTransport(new URL(settings.url), {
      ...(key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    });
  }
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { command, args, allow } = settings;
  const seen = allow.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return new StdioClientTransport({
    command,
    args: [...args],
    cwd,
    env: { ...getDefaultEnvironment(), ...Object.fromEntries(seen) },
    stderr: 'ignore',
  });
}

async function callTool(
  { client, timeoutMs, name }: Connected,
  tool: ServerTool,
  args: unknown,
  signal: AbortSignal,
): Promise<ToolResult> {
  const timeout = guard('mcp.time', true) ? timeoutMs : 2 ** 31 - 1;
  try {
    const called = await client.callTool(
      { name: tool.own, arguments: args as Record<string, unknown> },
      { timeout, maxTotalTimeout: timeout, signal },
    );
    return resultOf(called as unknown as { readonly [key: string]: JsonValue });
  } catch {
    return failed(
      'MCP_CALL_FAILED',
      `The server "${name}" did not answer this call, or answered with an error`,
    );
  }
}

/** The words of a result; pictures and the like are told by their kind. */
function resultOf(called: { readonly [key: string]: JsonValue }): ToolResult {
  const content = Array.isArray(called.content) ? called.content : [];
  const words = content.map((part) => {
    const { type, text } = part as { readonly type?: string; readonly text?: string };
    return type === 'text' && typeof text === 'string' ? text : `[${String(type ?? 'unknown')}]`;
  });
  const text = words.join('\n');
  const structured = called.structuredContent;
  const size = Buffer.byteLength(text) + (structured === undefined ? 0 : JSON.stringify(structured).length);
  const told = {
    text: clip(text, MAX_RESULT).toWellFormed(),
    ...(structured === undefined || size > MAX_RESULT ? {} : { structured }),
    ...(size > MAX_RESULT ? { truncated: true } : {}),
  };
  return called.isError === true ? failed('MCP_TOOL_ERROR', told.text) : { ok: true, ...told };
}
