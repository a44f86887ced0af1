import { type JsonValue, neutralBody, type Redactor } from '@cuebook/prompt';
import { guard } from '../guard.js';
import type { ServerTool } from './servers.js';

/** A tool as a server lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
}

/** Tools of one server that are offered, and what they may take up. */
const MAX_TOOLS = 64;
const MAX_DESCRIPTION = 500;
const MAX_SCHEMA = 20_000;

/**
 * The tools of a server as an agent is told of them. All of it is text from outside: names that are not plain are
 * left out, and descriptions are one short line that says whose they are and can be read as nothing else.
 */
export function offeredTools(
  server: string,
  listed: readonly ListedTool[],
  redactor: Redactor,
): readonly ServerTool[] {
  const offered = new Map<string, ServerTool>();
  for (const { name, description = '', inputSchema } of listed) {
    if (offered.size >= MAX_TOOLS) break;
    if (guard('mcp.name', !/^[A-Za-z0-9_-]{1,60}$/.test(name))) continue;
    const { value } = redactor.redactValue((inputSchema ?? {}) as JsonValue);
    const schema = JSON.stringify(value).length > MAX_SCHEMA ? {} : value;
    offered.set(name, {
      name: `mcp.${server}.${name}`,
      server,
      own: name,
      description: `From the server ${server}, in its words: ${oneLine(description, redactor)}`,
      parameters: { type: 'object', ...plain(schema) },
    });
  }
  return [...offered.values()];
}

/** On one line, without hidden characters, private paths, or anything that lexes as structure. */
function oneLine(text: string, redactor: Redactor): string {
  if (!guard('mcp.description', true)) return text;
  const cut = text
    .slice(0, 4 * MAX_DESCRIPTION)
    .replace(/[\s\x1c-\x1e\u0085\u2028\u2029]+/g, ' ')
    .trim();
  const clean = redactor.redactValue(cut).value as string;
  return neutralBody(clean.slice(0, MAX_DESCRIPTION).toWellFormed());
}

/** Texts inside a schema are somebody's words too: descriptions go, the shape stays. */
function plain(schema: JsonValue): Record<string, JsonValue> {
  const strip = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, each]) => !(TEXT_KEYS.has(key) && typeof each === 'string'))
        .map(([key, each]) => [key, strip(each)]),
    );
  };
  const stripped = strip(schema);
  return typeof stripped === 'object' && !Array.isArray(stripped) && stripped !== null
    ? (stripped as Record<string, JsonValue>)
    : {};
}

const TEXT_KEYS: ReadonlySet<string> = new Set(['description', 'title', '$comment']);
