import type { OfferedTool } from '@cuebook/prompt';
import { MCP_SERVER_NAME } from '../../mcp/turn-tools.js';

/** Our tools under names that Claude Code takes, and the way back. */
export interface ClaudeToolNames {
  /** As they are listed over MCP. */
  readonly listed: readonly OfferedTool[];
  /** Our name of a tool by its name in the list. */
  ofList(name: string): string | undefined;
  /** Our name of a tool as the model sees it; undefined when it is none of ours. */
  ofModel(name: string): string | undefined;
}

/**
 * The model sees `mcp__cuebook__NAME`, of letters, digits, `_` and `-`. Names that fit stay as they are; others
 * are changed, and two that would become one get a number. The same tools always get the same names.
 */
export function nameTools(tools: readonly OfferedTool[]): ClaudeToolNames {
  const ours = new Map<string, string>();
  const fits = new Set(tools.map(({ name }) => name).filter((name) => fitting(name) === name));
  const listed = tools.map((tool) => {
    const name = free(
      fitting(tool.name),
      (taken) => ours.has(taken) || (taken !== tool.name && fits.has(taken)),
    );
    ours.set(name, tool.name);
    return { ...tool, name };
  });
  return {
    listed,
    ofList: (name) => ours.get(name),
    ofModel: (name) => (name.startsWith(PREFIX) ? ours.get(name.slice(PREFIX.length)) : undefined),
  };
}

const PREFIX = `mcp__${MCP_SERVER_NAME}__`;
const MAX_NAME = 64 - PREFIX.length;

function fitting(name: string): string {
  const fit = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME);
  return fit === '' ? 'tool' : fit;
}

function free(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const tail = number === 1 ? '' : `_${number}`;
    const candidate = name.slice(0, MAX_NAME - tail.length) + tail;
    if (!isTaken(candidate)) return candidate;
  }
}
