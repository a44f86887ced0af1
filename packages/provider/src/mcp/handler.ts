import { randomUUID } from 'node:crypto';
import type { JsonValue, ToolDefinition } from '@cuebook/prompt';
import { guard } from '../guard.js';
import type { ToolAnswer } from '../turn.js';

/** Answers the Model Context Protocol for one set of tools, over any transport. Never rejects. */
export interface McpHandler {
  /** One JSON-RPC message in, its answer out; undefined for notifications, which get none. */
  handle(message: unknown): Promise<unknown | undefined>;
}

export interface McpHandlerOptions {
  readonly name: string;
  readonly version: string;
  /** A function where they change from turn to turn: clients that ask again see the tools of now. */
  readonly tools: readonly ToolDefinition[] | (() => readonly ToolDefinition[]);
  /**
   * `id` is the model's own call id where the client says it, else a fresh one. What it answers is what the
   * client is told: it is cleaned before. A rejection becomes an error result that tells nothing.
   */
  readonly call: (name: string, input: JsonValue, id: string) => Promise<ToolAnswer>;
}

/** Versions whose `tools` part is what is spoken here; a client that asks for another is offered the last. */
export const MCP_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** UTF-16 units of one tool's output; the rest is cut, and the text says so. */
export const MAX_TOOL_OUTPUT = 1_000_000;

/**
 * Tools only: resources, prompts and discovery are answered with "method not found", which clients that probe
 * for them wait for.
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const tools = () => (typeof options.tools === 'function' ? options.tools() : options.tools);
  return {
    async handle(message) {
      const request = readRequest(message);
      if (request === undefined) return failure(idOf(message), INVALID_REQUEST, 'not a JSON-RPC 2.0 request');
      if (request.id === undefined) return undefined;
      const { id, method, params } = request;
      if (method === 'initialize') return success(id, initialize(options, params));
      if (method === 'ping') return success(id, {});
      if (method === 'tools/list') return success(id, { tools: tools().map(describeTool) });
      if (method === 'tools/call') return callTool(options, tools(), id, params);
      return failure(id, METHOD_NOT_FOUND, 'method not found');
    },
  };
}

/** What a transport answers to bytes that are not JSON. */
export const PARSE_FAILURE = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32700, message: 'not JSON' },
} as const;

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

type Id = string | number;
type Fields = Readonly<Record<string, unknown>>;

interface Request {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: Fields;
}

function readRequest(message: unknown): Request | undefined {
  if (!isFields(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return undefined;
  const id = idOf(message);
  if (id === null && 'id' in message) return undefined;
  return {
    id: id ?? undefined,
    method: message.method,
    params: isFields(message.params) ? message.params : {},
  };
}

function idOf(message: unknown): Id | null {
  const id = isFields(message) ? message.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function initialize({ name, version }: McpHandlerOptions, { protocolVersion }: Fields) {
  const spoken = MCP_VERSIONS.find((known) => known === protocolVersion) ?? MCP_VERSIONS.at(-1);
  return { protocolVersion: spoken, capabilities: { tools: {} }, serverInfo: { name, version } };
}

/** `inputSchema` has to be an object schema; a tool without arguments gets the empty one. */
function describeTool({ name, description, parameters }: ToolDefinition) {
  const inputSchema = { ...parameters, type: 'object' };
  return { name, ...(description === undefined ? {} : { description }), inputSchema };
}

async function callTool(
  { call }: McpHandlerOptions,
  tools: readonly ToolDefinition[],
  id: Id,
  params: Fields,
): Promise<unknown> {
  const { name, arguments: input = {} } = params;
  const known = tools.some((tool) => tool.name === name);
  if (guard('mcp.unknown-tool', !known)) return failure(id, INVALID_PARAMS, 'no such tool');
  if (!isFields(input)) return failure(id, INVALID_PARAMS, 'arguments have to be an object');
  const answer = await call(String(name), input as JsonValue, callId(params)).catch(
    (): ToolAnswer => ({ output: 'the tool failed', isError: true }),
  );
  const content = [{ type: 'text', text: cut(answer.output) }];
  return success(id, { content, isError: answer.isError ?? false });
}

/** Claude Code says which tool use a call belongs to; a JSON-RPC id alone repeats between connections. */
function callId({ _meta: meta }: Fields): string {
  const told = isFields(meta) ? meta['claudecode/toolUseId'] : undefined;
  return typeof told === 'string' && /^[\w-]{1,128}$/.test(told) ? told : `mcp_${randomUUID()}`;
}

function cut(text: string): string {
  if (!guard('mcp.output', text.length > MAX_TOOL_OUTPUT)) return text;
  return `${text.slice(0, MAX_TOOL_OUTPUT).toWellFormed()}\n[cut: the output is longer]`;
}

function success(id: Id, result: unknown) {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: Id | null, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
