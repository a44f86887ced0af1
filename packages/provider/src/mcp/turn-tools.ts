import type { JsonValue, OfferedTool } from '@cuebook/prompt';
import { type Fit, fitNames } from '../agent/fit-names.js';
import type { LiveTurn } from '../stream/live-turn.js';
import { nameArguments } from '../tool/argument-names.js';
import { toolSchema } from '../tool/tool-schema.js';
import { createMcpHandler, type McpHandler } from './handler.js';

/** Our own tools, offered to an agent over MCP: those of the turn that runs now, answered by its caller. */
export interface TurnTools {
  readonly handler: McpHandler;
  /** The choke point of the turn that runs now. Between turns only what was gated before is said. */
  readonly pass: (bytes: string) => Promise<void>;
  /** Serves this turn until the answer is called. `heard` is told of each call as it comes. */
  serve(
    turn: LiveTurn,
    heard?: (call: { readonly name: string; readonly input: JsonValue }) => void,
  ): () => void;
}

/** The name under which agents see our tools: `mcp__cuebook__spawn_node`, `mcp_cuebook_spawn_node`. */
export const MCP_SERVER_NAME = 'cuebook';

/** What is left of the 64 characters that model APIs take for a name behind the longest prefix of an agent. */
export const MCP_FIT: Fit = { max: 64 - `mcp__${MCP_SERVER_NAME}__`.length };

/**
 * An agent lists the tools when it connects, and most do so once: it sees those of the turn that was then, or
 * was last. Descriptions were gated with the request, and a live turn's `callTool` answers cleaned text. Each
 * call is reported in the stream of its turn.
 */
export function createTurnTools(version: string): TurnTools {
  let now: LiveTurn | undefined;
  let tools: readonly OfferedTool[] = [];
  let names = fitNames([], MCP_FIT);
  let args = nameArguments([]);
  let listener: Parameters<TurnTools['serve']>[1];
  const handler = createMcpHandler({
    name: MCP_SERVER_NAME,
    version,
    tools: () => tools,
    async call(told, toldInput, id) {
      const turn = now;
      const name = names.toOwn(told) ?? told;
      const input = args.toOwn(name, toldInput);
      if (turn?.input.callTool === undefined) return { output: 'No tool can be run now.', isError: true };
      listener?.({ name, input: toldInput });
      turn.emit({ type: 'tool.start', id, name, by: 'caller' });
      const { output, isError = false } = await turn.input.callTool({ id, name, input });
      turn.emit({ type: 'tool.end', id, name, by: 'caller', input, output, ...(isError ? { isError } : {}) });
      return { output, isError };
    },
  });
  return {
    handler,
    async pass(bytes) {
      if (now === undefined) return;
      await now.pass('http', bytes);
    },
    serve(turn, heard) {
      now = turn;
      listener = heard;
      names = fitNames(turn.input.request.tools, MCP_FIT);
      const offered = turn.input.request.tools.map(withSchema);
      args = nameArguments(offered);
      tools = offered.map((tool) => ({
        ...tool,
        name: names.toTold(tool.name),
        ...(tool.parameters && { parameters: args.toSchema(tool.name, tool.parameters) }),
      }));
      return () => {
        if (now === turn) now = undefined;
      };
    },
  };
}

/** An agent hands schemas on to a model API that it alone knows: they are as all of those take them. */
const withSchema = (tool: OfferedTool): OfferedTool =>
  tool.parameters === undefined ? tool : { ...tool, parameters: toolSchema(tool.parameters) };
