import type { OfferedTool } from '@cuebook/prompt';
import type { WorkflowToolResult } from '../tool/result.js';

/** A tool of an MCP server, under the name that it has here: `mcp.SERVER.TOOL`. */
export interface ServerTool extends OfferedTool {
  readonly server: string;
  /** What the server calls it. */
  readonly own: string;
}

/** The MCP servers of a run. Nothing rejects: a server that does not answer is an error result. */
export interface Servers {
  /** The tools of the servers that could be reached when the run began. */
  readonly tools: readonly ServerTool[];
  /** Servers that could not be reached and tools that are not offered, each with a code, why, and what to do. */
  readonly problems: readonly string[];
  call(tool: ServerTool, args: unknown, signal: AbortSignal): Promise<WorkflowToolResult>;
  close(): Promise<void>;
}

/** A run without servers. */
export const NO_SERVERS: Servers = {
  tools: [],
  problems: [],
  call: async () => ({
    ok: false,
    error: { code: 'TOOL_NOT_AVAILABLE', message: 'There is no such server' },
  }),
  close: async () => undefined,
};
