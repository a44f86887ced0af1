import type { JsonValue } from '@cuebook/prompt';
import { type Fields, fieldsOf, jsonOf, listOf, textOf } from '../../agent/fields.js';
import type { ToolRunner } from '../../turn.js';

/** How tools of ours are known: Codex dispatches by these names, and the model cannot give a name to another tool. */
export interface OwnTools {
  /** Our own name of a tool. */
  readonly ours: (name: string) => string | undefined;
  /** The MCP server that is ours in this process; left out: none, whatever one may be called. */
  readonly ownServer?: string | undefined;
}

/** A tool call of Codex, begun or over. */
export interface ToolItem {
  readonly id: string;
  readonly name: string;
  readonly by: ToolRunner;
  readonly input: JsonValue;
  readonly output: string;
  readonly isError: boolean;
}

/**
 * An item of a turn as a tool call; undefined when it is something else. Items of the app-server and of
 * `codex exec` differ in spelling alone. The working folder is left out: it names a place of this machine.
 */
export function readToolItem(raw: Fields, { ours, ownServer }: OwnTools): ToolItem | undefined {
  const item = camelKeys(raw);
  const id = textOf(item.id);
  const status = camelWord(textOf(item.status));
  const isError = status === 'failed' || status === 'declined';
  const note = status === 'declined' ? 'declined' : '';
  const own = (name: string, input: JsonValue, output = ''): ToolItem => ({
    ...{ id, name, by: 'agent', input, isError },
    output: output === '' ? note : output,
  });
  switch (camelWord(textOf(item.type))) {
    case 'commandExecution': {
      const call = own('commandExecution', { command: textOf(item.command) }, textOf(item.aggregatedOutput));
      return { ...call, isError: isError || (typeof item.exitCode === 'number' && item.exitCode !== 0) };
    }
    case 'fileChange':
      return own('fileChange', { changes: listOf(item.changes).map(readChange) });
    case 'mcpToolCall':
      return readMcpCall(item, own, ownServer);
    case 'dynamicToolCall': {
      const tool = textOf(item.tool);
      const call = own(ours(tool) ?? tool, jsonOf(item.arguments), contentText(item.contentItems));
      return { ...call, by: 'caller', isError: isError || item.success === false };
    }
    case 'collabAgentToolCall':
      return own(`collab.${textOf(item.tool)}`, { prompt: textOf(item.prompt) });
    case 'webSearch':
      return own('webSearch', { query: textOf(item.query) });
    case 'imageView':
      return own('imageView', { path: textOf(item.path) });
    case 'imageGeneration':
      return own('imageGeneration', { prompt: textOf(item.revisedPrompt) });
    default:
      return undefined;
  }
}

/** A call of our own server is told by that server, with the answer as it was. */
function readMcpCall(
  item: Fields,
  own: (name: string, input: JsonValue, output?: string) => ToolItem,
  ownServer: string | undefined,
): ToolItem | undefined {
  const [server, tool] = [textOf(item.server), textOf(item.tool)];
  if (server === ownServer) return undefined;
  const output = textOf(fieldsOf(item.error).message) || contentText(fieldsOf(item.result).content);
  return own(`mcp__${server}__${tool}`, jsonOf(item.arguments), output);
}

function readChange(value: unknown): JsonValue {
  const { path, kind, diff } = fieldsOf(value);
  const how = typeof kind === 'string' ? kind : textOf(fieldsOf(kind).type);
  const { move_path, movePath = move_path } = fieldsOf(kind);
  return {
    path: textOf(path),
    kind: how,
    // A change that is also a move writes there.
    ...(typeof movePath === 'string' ? { movePath } : {}),
    ...(typeof diff === 'string' ? { diff } : {}),
  };
}

/** The texts of MCP content or of a dynamic tool's answer; pictures and sounds are told by kind. */
const contentText = (content: unknown): string =>
  listOf(content)
    .map((part) => {
      const { text, type } = fieldsOf(part);
      return typeof text === 'string' ? text : `[${textOf(type)}]`;
    })
    .join('\n');

const camelKeys = (item: Fields): Fields =>
  Object.fromEntries(Object.entries(item).map(([key, value]) => [camelWord(key), value]));

const camelWord = (word: string): string =>
  word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
