import { guard, guarded } from '@cuebook/guard';
import { neutralBody, type Redactor } from '@cuebook/prompt';
import { cleanSchema } from './schema.js';
import type { ServerTool } from './servers.js';

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  /** What it says of its effects. Nothing else is taken from here. */
  readonly annotations?: unknown;
}

/** Tools of one server that are offered, and what a description may take up. */
const MAX_TOOLS = 64;
const MAX_DESCRIPTION = 500;

/**
 * The tools of a server as an agent is told of them. All of it is text from outside: names that are not plain are
 * left out, descriptions are one short line that says whose they are and can be read as nothing else, and of a
 * schema only its shape is told. A tool whose shape cannot be told is not offered, and `tell` hears its name and why.
 */
export function offeredTools(
  server: string,
  listed: readonly ListedTool[],
  redactor: Redactor,
  tell: (problem: string) => void = () => {},
): readonly ServerTool[] {
  const offered = new Map<string, ServerTool>();
  for (const [index, { name, description = '', inputSchema, annotations }] of listed.entries()) {
    if (offered.size >= MAX_TOOLS) {
      tell(problem(server, `the rest of ${listed.length - index} tools`, `only ${MAX_TOOLS} are offered`));
      break;
    }
    const isPlain = typeof name === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(name);
    if (guard('mcp.name', !isPlain)) continue;
    const schema = cleanSchema(inputSchema ?? {}, redactor);
    if (!schema.ok) {
      tell(problem(server, `the tool "${name}"`, schema.error));
      continue;
    }
    offered.set(name, {
      name: `mcp.${server}.${name}`,
      server,
      own: name,
      description: `From the server ${server}, in its words: ${oneLine(description, redactor)}`,
      parameters: schema.value,
      ...effectsOf(annotations),
    });
  }
  return [...offered.values()];
}

/** What a server says of the effects of a tool: only a plain yes counts. What changes nothing may be done again. */
function effectsOf(annotations: unknown): Pick<ServerTool, 'reads' | 'repeats'> {
  const { readOnlyHint, idempotentHint } = Object(annotations) as Record<string, unknown>;
  const reads = readOnlyHint === true;
  return { ...(reads && { reads }), ...((reads || idempotentHint === true) && { repeats: true as const }) };
}

const problem = (server: string, what: string, why: string): string =>
  `Of the MCP server "${server}", ${what} is not offered. E_MCP_SCHEMA: ${why}.`;

/** On one line, without hidden characters, private paths, or anything that lexes as structure. */
function oneLine(text: unknown, redactor: Redactor): string {
  if (typeof text !== 'string') return '';
  const neutral = (words: string): string => {
    const cut = words
      .slice(0, 4 * MAX_DESCRIPTION)
      .replace(/[\s\x1c-\x1e\u0085\u2028\u2029]+/g, ' ')
      .trim();
    const clean = redactor.redactValue(cut).value as string;
    return neutralBody(clean.slice(0, MAX_DESCRIPTION).toWellFormed());
  };
  return guarded('mcp.description', neutral, text);
}
