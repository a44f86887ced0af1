import { basename } from 'node:path';
import { type Fields, fieldsOf } from '../agent/fields.js';
import { MCP_SERVER_NAME } from '../mcp/turn-tools.js';

/**
 * How a known agent is told that it need not ask before it calls a tool of ours: whoever runs them asks. What
 * it still asks for is then something of its own, or is asked for twice: no word of a request tells the two apart.
 */
export interface KnownAgent {
  readonly args?: readonly string[];
  /** Beside the parameters of `session/new` and of its like. */
  readonly meta?: Fields;
}

/** By the program that the person has named: never by what the program says of itself. */
export function knownAgent(program: string): KnownAgent {
  const name = basename(program).replace(/\.(exe|cmd|m?js)$/, '');
  return Object.hasOwn(KNOWN, name) ? fieldsOf(KNOWN[name]) : {};
}

const CLAUDE: KnownAgent = {
  meta: { claudeCode: { options: { allowedTools: [`mcp__${MCP_SERVER_NAME}__*`] } } },
};

const KNOWN: Readonly<Record<string, KnownAgent>> = {
  // In its settings the server's name is compared whole, so that no other server's tool is meant.
  gemini: { args: ['--allowed-tools', `mcp_${MCP_SERVER_NAME}_*`] },
  'claude-agent-acp': CLAUDE,
  'claude-code-acp': CLAUDE,
};
