import type { OfferedTool } from '@cuebook/prompt';
import { fitNames } from '../../agent/fit-names.js';
import { MCP_FIT, MCP_SERVER_NAME } from '../../mcp/turn-tools.js';

/** Our tools under names that Claude Code takes, and the way back. */
export interface ClaudeToolNames {
  /** As they are listed over MCP. */
  readonly listed: readonly OfferedTool[];
  /** Our name of a tool by its name in the list. */
  ofList(name: string): string | undefined;
  /** Our name of a tool as the model sees it; undefined when it is none of ours. */
  ofModel(name: string): string | undefined;
}

/** The model sees `mcp__cuebook__NAME`, of at most 64 characters. */
export function nameTools(tools: readonly OfferedTool[]): ClaudeToolNames {
  const { toTold, toOwn } = fitNames(tools, MCP_FIT);
  return {
    listed: tools.map((tool) => ({ ...tool, name: toTold(tool.name) })),
    ofList: toOwn,
    ofModel: (name) => (name.startsWith(PREFIX) ? toOwn(name.slice(PREFIX.length)) : undefined),
  };
}

const PREFIX = `mcp__${MCP_SERVER_NAME}__`;
