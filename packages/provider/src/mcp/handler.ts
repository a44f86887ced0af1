import { randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import type { JsonValue, OfferedTool } from '@cuebook/prompt';
import { wordCut } from '@cuebook/prompt';
import { type Fields, isFields } from '../agent/fields.js';
import type { ToolAnswer } from '../turn.js';
import { pageOf } from './page.js';
import { getPrompt, type McpPrompts } from './prompts.js';
import { type McpResources, readResource } from './resources.js';
import {
  failure,
  type Id,
  INVALID_PARAMS,
  INVALID_REQUEST,
  idOf,
  METHOD_NOT_FOUND,
  readRequest,
  success,
} from './rpc.js';

/** Answers the Model Context Protocol for one set of tools, over any transport. Never rejects. */
export interface McpHandler {
  /**
   * One JSON-RPC message in, its answer out; undefined for notifications, which get none, and for requests that
   * the client has cancelled.
   */
  handle(message: unknown): Promise<unknown | undefined>;
}

export interface McpHandlerOptions {
  readonly name: string;
  readonly version: string;
  /** What the server is for, in the words that a client hands to its model. */
  readonly instructions?: string;
  /** A function where they change from turn to turn: clients that ask again see the tools of now. */
  readonly tools: readonly OfferedTool[] | (() => readonly OfferedTool[]);
  /**
   * `id` is the model's own call id where the client says it, else a fresh one. What it answers is what the
   * client is told: it is cleaned before. A rejection becomes an error result that tells nothing.
   */
  readonly call: (name: string, input: JsonValue, id: string, signal: AbortSignal) => Promise<ToolAnswer>;
  /** Left out, the server has no prompts. */
  readonly prompts?: McpPrompts;
  /** Left out, the server has no resources. */
  readonly resources?: McpResources;
  /** The transport tells the client when a list has changed. */
  readonly tellsChanges?: boolean;
  /** The client is ready for what a server says by itself. */
  readonly onReady?: () => void;
  /**
   * Whether all messages come from one client. Only then a cancellation can be told which request it means: the
   * ids of two clients are the same numbers.
   */
  readonly onePeer?: boolean;
}

/** Versions whose parts are what is spoken here; a client that asks for another is offered the last. */
export const MCP_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** UTF-16 units of one tool's output; the rest is cut, and the text says so. */
export const MAX_TOOL_OUTPUT = 1_000_000;

/**
 * Tools, and prompts and resources where there are any: all else, such as discovery, is answered with "method not
 * found", which clients that probe for it wait for.
 */
export function createMcpHandler(options: McpHandlerOptions): McpHandler {
  const tools = () => (typeof options.tools === 'function' ? options.tools() : options.tools);
  const running = new Map<Id, AbortController>();

  const answer = async (id: Id, method: string, params: Fields): Promise<unknown> => {
    if (method === 'initialize') return success(id, initialize(options, params));
    if (method === 'ping') return success(id, {});
    if (method === 'tools/list') return list(id, 'tools', tools().map(describeTool), params);
    if (method === 'tools/call') {
      return cancellable(running, id, (signal) => callTool(options, tools(), { id, params, signal }));
    }
    const { prompts, resources } = options;
    if (prompts !== undefined && method === 'prompts/list')
      return list(id, 'prompts', prompts.list(), params);
    if (prompts !== undefined && method === 'prompts/get')
      return cancellable(running, id, () => getPrompt(prompts, id, params));
    if (resources !== undefined && method.startsWith('resources/')) {
      const asked = resourceAnswer(resources, { id, method, params });
      if (asked !== undefined) return cancellable(running, id, () => asked);
    }
    return failure(id, METHOD_NOT_FOUND, 'method not found');
  };

  return {
    async handle(message) {
      const request = readRequest(message);
      if (request === undefined) return failure(idOf(message), INVALID_REQUEST, 'not a JSON-RPC 2.0 request');
      const { id, method, params } = request;
      if (id !== undefined) return answer(id, method, params);
      if (method === 'notifications/initialized') options.onReady?.();
      const isCancelled = method === 'notifications/cancelled' && options.onePeer === true;
      if (guard('mcp.cancel', isCancelled)) running.get(params.requestId as Id)?.abort();
      return undefined;
    },
  };
}

function initialize(
  { name, version, instructions, prompts, resources, tellsChanges }: McpHandlerOptions,
  { protocolVersion }: Fields,
) {
  const spoken = MCP_VERSIONS.find((known) => known === protocolVersion) ?? MCP_VERSIONS.at(-1);
  const changing = tellsChanges === true ? { listChanged: true } : {};
  return {
    protocolVersion: spoken,
    capabilities: {
      tools: changing,
      ...(prompts === undefined ? {} : { prompts: changing }),
      ...(resources === undefined ? {} : { resources: changing }),
    },
    serverInfo: { name, version },
    ...(instructions === undefined ? {} : { instructions }),
  };
}

/** Undefined for what resources do not have, such as subscriptions. */
function resourceAnswer(
  resources: McpResources,
  { id, method, params }: { readonly id: Id; readonly method: string; readonly params: Fields },
): Promise<unknown> | undefined {
  if (method === 'resources/list')
    return resources
      .list()
      .catch(() => [])
      .then((found) => list(id, 'resources', found, params));
  if (method === 'resources/templates/list')
    return Promise.resolve(list(id, 'resourceTemplates', resources.templates, params));
  return method === 'resources/read' ? readResource(resources, id, params.uri) : undefined;
}

function list(id: Id, key: string, items: readonly unknown[], { cursor }: Fields) {
  const page = pageOf(items, cursor);
  if (page === undefined) return failure(id, INVALID_PARAMS, 'no such cursor');
  const { items: shown, ...rest } = page;
  return success(id, { [key]: shown, ...rest });
}

/** `inputSchema` has to be an object schema; a tool without arguments gets the empty one. */
function describeTool({ name, description, parameters }: OfferedTool) {
  const inputSchema = { ...parameters, type: 'object' };
  return { name, ...(description === undefined ? {} : { description }), inputSchema };
}

/** A cancelled request gets no answer. */
async function cancellable(
  running: Map<Id, AbortController>,
  id: Id,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const controller = new AbortController();
  running.set(id, controller);
  const answer = await work(controller.signal);
  if (running.get(id) === controller) running.delete(id);
  return controller.signal.aborted ? undefined : answer;
}

interface Called {
  readonly id: Id;
  readonly params: Fields;
  readonly signal: AbortSignal;
}

async function callTool(
  { call }: McpHandlerOptions,
  tools: readonly OfferedTool[],
  { id, params, signal }: Called,
): Promise<unknown> {
  const { name, arguments: input = {} } = params;
  const known = tools.some((tool) => tool.name === name);
  if (guard('mcp.unknown-tool', !known)) return failure(id, INVALID_PARAMS, 'no such tool');
  if (!isFields(input)) return failure(id, INVALID_PARAMS, 'arguments have to be an object');
  const answer = await call(String(name), input as JsonValue, callId(params), signal).catch(
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
  return `${text.slice(0, wordCut(text, MAX_TOOL_OUTPUT)).toWellFormed()}\n[cut: the output is longer]`;
}
