import { guard, guarded } from '@cuebook/guard';
import { childEnvironment } from '@cuebook/process';
import { createRedactor, type JsonValue, type Redactor, wordCut } from '@cuebook/prompt';
import type { Client, OAuthClientProvider, Transport } from '@modelcontextprotocol/client';
import { faultOf, faultText, type Hearing, newHearing, ServerFault } from './fault.js';
import { serverFetch } from './http.js';
import { type LoginTalk, loginClient } from './login.js';
import type { ServerLogins } from './logins.js';
import { offeredTools } from './offer.js';
import { programTransport } from './program.js';
import type { ServerAnswer, Servers, ServerTool } from './servers.js';
import type { ServerSettings, ServersConfig } from './settings.js';

export interface ConnectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where programs are started. */
  readonly cwd: string;
  readonly redactor: Redactor;
  /** Logins at servers over HTTP; left out: there are none. */
  readonly logins?: ServerLogins;
}

/** What a timer can wait at most. */
const LONGEST_MS = 2 ** 31 - 1;
/** In bytes of JSON: the rest of a result is cut. */
const MAX_RESULT = 40_000;

interface Connected {
  readonly name: string;
  readonly client: Client;
  readonly settings: ServerSettings;
  readonly hearing: Hearing;
  /** Takes out what lets us in: a server that says it again is not told to anybody. */
  readonly clean: <Value>(value: Value) => Promise<Value>;
  readonly problems: readonly string[];
  tools: readonly ServerTool[];
  /** It has said that its tools are others now. */
  isChanged: boolean;
}

/**
 * Connects to the servers that the operator has named and allows, side by side. One that cannot be reached is a
 * problem to be told, and the run continues without it.
 */
export async function connectServers(config: ServersConfig, options: ConnectOptions): Promise<Servers> {
  const found = await Promise.all(
    Object.entries(config).map(([name, server]) => connect(name, server, options)),
  );
  const connected = found.filter((each): each is Connected => typeof each === 'object');
  let tools = connected.flatMap((server) => server.tools);
  return {
    get tools() {
      return tools;
    },
    reached: connected.map(({ name }) => name),
    problems: found.flatMap((each) => (typeof each === 'string' ? [each] : each.problems)),
    async refresh() {
      const changed = connected.filter(({ isChanged }) => isChanged);
      if (changed.length === 0) return [];
      const problems = (await Promise.all(changed.map((server) => lookAgain(server, options)))).flat();
      tools = connected.flatMap((server) => server.tools);
      return problems;
    },
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
  const hearing = newHearing();
  let onChanged = (): void => undefined;
  const client = new McpClient(
    { name: 'cuebook', version: '0.1.0' },
    { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => onChanged() } } },
  );
  try {
    await client.connect(await transportOf(name, settings, options, hearing), limitOf(settings));
    const clean = cleanerOf(name, settings, options);
    const listed = await listOf({ name, client, settings, clean }, options);
    const connected: Connected = { name, client, settings, hearing, clean, isChanged: false, ...listed };
    onChanged = () => {
      connected.isChanged = true;
    };
    return connected;
  } catch (thrown) {
    // What was thrown may tell of the machine; its kind is enough to look for the cause.
    await client.close().catch(ignore);
    const fault = faultOf(thrown, 0, hearing);
    return `The MCP server "${name}" cannot be reached; its tools are not there. ${fault}: ${faultText(fault, name)}.`;
  }
}

/** To come up and to say what it offers a server has as long as for a call: the operator says how long that is. */
const limitOf = ({ timeoutMs }: ServerSettings) => ({ timeout: timeoutMs });

async function listOf(
  { name, client, settings, clean }: Pick<Connected, 'name' | 'client' | 'settings' | 'clean'>,
  { redactor }: ConnectOptions,
): Promise<Pick<Connected, 'tools' | 'problems'>> {
  const listed = await client.listTools(undefined, { ...limitOf(settings), cacheMode: 'refresh' });
  const problems: string[] = [];
  const tools = offeredTools(name, await clean(listed.tools), redactor, (problem) => problems.push(problem));
  const asks = settings.approval === 'always' ? { asks: true as const } : {};
  return { tools: tools.map((tool) => ({ ...tool, ...asks })), problems };
}

/** The tools that a server has now. One that does not answer keeps those it had, and is asked again later. */
async function lookAgain(server: Connected, options: ConnectOptions): Promise<readonly string[]> {
  const { name, hearing } = server;
  server.isChanged = false;
  try {
    const { tools, problems } = await listOf(server, options);
    server.tools = guarded('mcp.changed', () => tools) ?? server.tools;
    return problems;
  } catch (thrown) {
    server.isChanged = true;
    const fault = faultOf(thrown, hearing.heard, hearing);
    return [`The MCP server "${name}" does not list its changed tools. ${fault}: ${faultText(fault, name)}.`];
  }
}

async function transportOf(
  name: string,
  settings: ServerSettings,
  { env, cwd, logins }: ConnectOptions,
  hearing: Hearing,
): Promise<Transport> {
  if ('url' in settings) {
    const { url, keyName } = settings;
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const key = keyName === undefined ? undefined : env[keyName];
    const login =
      keyName === undefined && logins !== undefined ? loginClient({ name, url, logins }, NOBODY) : undefined;
    if ((await login?.tokens()) !== undefined)
      return new StreamableHTTPClientTransport(new URL(url), {
        fetch: serverFetch(hearing, { at: url, unauthorized: 'E_MCP_LOGIN', renews: true }),
        authProvider: login as OAuthClientProvider,
      });
    return new StreamableHTTPClientTransport(new URL(url), {
      fetch: serverFetch(hearing, keyName === undefined ? { unauthorized: 'E_MCP_LOGIN' } : {}),
      ...(key === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
    });
  }
  const { command, args, allow } = settings;
  return programTransport({ command, args, cwd, env: childEnvironment(env, allow) }, hearing);
}

/** A run has nobody at a browser: it says which command does it. */
const NOBODY: LoginTalk = {
  redirectUrl: 'http://127.0.0.1/callback',
  state: '',
  visit: () => {
    throw new ServerFault('E_MCP_LOGIN');
  },
};

/** What lets us in now, for taking it out of what a server says. */
function cleanerOf(
  name: string,
  settings: ServerSettings,
  { env, logins }: ConnectOptions,
): Connected['clean'] {
  return async (value) => {
    if (!('url' in settings)) return value;
    const { access_token, refresh_token } = (await logins?.read(name))?.tokens ?? {};
    const key = settings.keyName === undefined ? undefined : env[settings.keyName];
    const credentials = [key, access_token, refresh_token].filter(
      (each) => each !== undefined && each !== '',
    );
    if (!guard('login.echo', credentials.length > 0)) return value;
    const redactor = createRedactor({
      roots: [],
      private: [],
      names: [],
      credentials: credentials as string[],
    });
    return redactor.redactValue(value as JsonValue).value as typeof value;
  };
}

async function callTool(
  { client, settings, name, hearing, clean }: Connected,
  tool: ServerTool,
  args: unknown,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const timeout = guarded('mcp.time', (longest) => Math.min(settings.timeoutMs, longest), LONGEST_MS);
  const before = hearing.heard;
  hearing.fault = undefined;
  try {
    const called = await client.callTool(
      { name: tool.own, arguments: args as Record<string, unknown> },
      { timeout, maxTotalTimeout: timeout, signal },
    );
    return await clean(resultOf(called as unknown as { readonly [key: string]: JsonValue }));
  } catch (thrown) {
    if (signal.aborted) return failed('MCP_CALL_FAILED', `The call of the server "${name}" was stopped`);
    const fault = faultOf(thrown, before, hearing);
    const code = fault === 'E_MCP_TIMEOUT' || fault === 'E_MCP_CRASH' ? 'MCP_CALL_FAILED' : fault;
    return failed(code, `The server "${name}" did not answer this call: ${faultText(fault, name)}`, {
      cause: fault,
    });
  }
}

const failed = (code: string, message: string, details?: JsonValue): ServerAnswer => ({
  ok: false,
  error: { code, message, ...(details === undefined ? {} : { details }) },
});

/** The words of a result; pictures and the like are told by their kind. */
function resultOf(called: { readonly [key: string]: JsonValue }): ServerAnswer {
  const content = Array.isArray(called.content) ? called.content : [];
  const words = content.map((part) => {
    const { type, text } = part as { readonly type?: string; readonly text?: string };
    return type === 'text' && typeof text === 'string' ? text : `[${String(type ?? 'unknown')}]`;
  });
  const text = words.join('\n');
  const structured = called.structuredContent;
  const size = Buffer.byteLength(text) + (structured === undefined ? 0 : JSON.stringify(structured).length);
  const told = {
    text: beginningOf(text).toWellFormed(),
    ...(structured === undefined || size > MAX_RESULT ? {} : { structured }),
    ...(size > MAX_RESULT ? { truncated: true } : {}),
  };
  return called.isError === true ? failed('MCP_TOOL_ERROR', told.text) : { ok: true, ...told };
}

/** As many UTF-8 bytes as are told, whole characters only. */
function beginningOf(text: string): string {
  const encoded = Buffer.from(text.slice(0, MAX_RESULT), 'utf8');
  let end = Math.min(encoded.length, MAX_RESULT);
  while (end < encoded.length && end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return text.slice(0, wordCut(text, encoded.toString('utf8', 0, end).length));
}
