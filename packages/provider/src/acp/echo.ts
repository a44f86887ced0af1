import { isDeepStrictEqual } from 'node:util';
import { guard } from '@cuebook/guard';
import { type Fields, fieldsOf, isFields, textOf } from '../agent/fields.js';
import { fitNames } from '../agent/fit-names.js';
import { MCP_FIT, MCP_SERVER_NAME } from '../mcp/turn-tools.js';

/** A call of one of our tools, as it came over our own channel. */
export interface ChannelCall {
  readonly name: string;
  readonly input: unknown;
}

/** Tells an agent's report of a call that came over our channel from a report of something else. */
export interface Echoes {
  /** A call came over the channel. */
  heard(call: ChannelCall): void;
  /** Whether the report reads as one of a call of ours. It may be anything: nothing is decided by it. */
  readsAsOurs(report: Fields): boolean;
  /**
   * Whether a finished report repeats a call that came over the channel and that no other report has repeated:
   * the same tool with the same arguments. Only then it is not told a second time.
   */
  claim(report: Fields): boolean;
}

/**
 * A report is words of the agent and its model. It never decides about a permission, and it is left out of the
 * record only where the record has the very same call from the channel.
 */
export function createEchoes(tools: readonly { readonly name: string }[]): Echoes {
  const calls: ChannelCall[] = [];
  const { toTold } = fitNames(tools, MCP_FIT);
  const names = new Map(tools.flatMap(({ name }) => spellings(toTold(name)).map((each) => [each, name])));
  const toolOf = ({ name, title }: Fields): string | undefined =>
    names.get(textOf(name)) ?? names.get(textOf(title));
  return {
    heard: (call) => void calls.push(call),
    readsAsOurs: (report) => toolOf(report) !== undefined,
    claim(report) {
      const tool = toolOf(report);
      const at = calls.findIndex(
        ({ name, input }) => name === tool && isSameInput(report, toTold(tool ?? ''), input),
      );
      if (guard('acp.echo', at === -1)) return false;
      calls.splice(at, 1);
      return true;
    },
  };
}

/** How the agents write the name of such a tool. */
const spellings = (tool: string): readonly string[] => [
  `mcp__${MCP_SERVER_NAME}__${tool}`,
  `mcp_${MCP_SERVER_NAME}_${tool}`,
  `mcp.${MCP_SERVER_NAME}.${tool}`,
  `${MCP_SERVER_NAME}_${tool}`,
  `${MCP_SERVER_NAME}-${tool}`,
  `${tool} (${MCP_SERVER_NAME} MCP Server)`,
];

/** Some agents show no arguments, some the arguments, some the whole call. */
function isSameInput({ rawInput }: Fields, tool: string, input: unknown): boolean {
  if (rawInput === undefined || rawInput === null) return true;
  if (isDeepStrictEqual(rawInput, input)) return true;
  const { server, tool: named, arguments: args, ...rest } = fieldsOf(rawInput);
  const isWhole = isFields(rawInput) && Object.keys(rest).length === 0;
  return isWhole && server === MCP_SERVER_NAME && named === tool && isDeepStrictEqual(args, input);
}
