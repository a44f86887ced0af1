import type { JsonValue, OfferedTool, SpanSource } from '@cuebook/prompt';

/** A tool of an MCP server, under the name that it has here: `mcp.SERVER.TOOL`. */
export interface ServerTool extends OfferedTool {
  readonly server: string;
  /** What the server calls it. */
  readonly own: string;
  /** A person allows each call: the operator says so of the server. */
  readonly asks?: true;
  /** The server says that it changes nothing. */
  readonly reads?: true;
  /** The server says that calling it twice is calling it once: a call that a crash cut off is made again. */
  readonly repeats?: true;
}

/** Where the words about a tool come from: a stranger wrote them. */
export const serverSource = ({ server, name }: Pick<ServerTool, 'server' | 'name'>): SpanSource => ({
  origin: { kind: 'input', ref: `MCP server ${server}`, subject: name },
  trust: 'external',
  secrecy: 'public',
  volatility: 'session',
});

/** What a tool of a server answers. */
export type ServerAnswer =
  | ({ readonly ok: true; readonly text: string } & { readonly [key: string]: JsonValue })
  | {
      readonly ok: false;
      readonly error: { readonly code: string; readonly message: string; readonly details?: JsonValue };
    };

/** An answer as a model is told of it: its words, or what stands beside them where there are none. */
export function answerText(answer: ServerAnswer): { readonly ok: boolean; readonly text: string } {
  if (!answer.ok) return { ok: false, text: `${answer.error.code}: ${answer.error.message}` };
  const { text, structured, truncated } = answer;
  const said = text === '' && structured !== undefined ? JSON.stringify(structured) : text;
  return { ok: true, text: truncated === true ? `${said}\n[cut]` : said };
}

/** The MCP servers of a run. Nothing rejects: a server that does not answer is an error result. */
export interface Servers {
  /** The tools of the servers that could be reached, as of the last look; another list after each change. */
  readonly tools: readonly ServerTool[];
  /** The names of the servers that could be reached. */
  readonly reached: readonly string[];
  /** Servers that could not be reached and tools that are not offered, each with a code, why, and what to do. */
  readonly problems: readonly string[];
  /**
   * Takes over what servers have said of changes of their tools since the last look. It is called between turns, so
   * that a turn has the tools that it began with. Answers what is wrong with tools that came.
   */
  refresh(): Promise<readonly string[]>;
  call(tool: ServerTool, args: unknown, signal: AbortSignal): Promise<ServerAnswer>;
  close(): Promise<void>;
}

/** A run without servers. */
export const NO_SERVERS: Servers = {
  tools: [],
  reached: [],
  problems: [],
  refresh: async () => [],
  call: async () => ({
    ok: false,
    error: { code: 'TOOL_NOT_AVAILABLE', message: 'There is no such server' },
  }),
  close: async () => undefined,
};
