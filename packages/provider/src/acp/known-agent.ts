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
  /**
   * Set where a person is asked: its own settings may let it act by itself, and rules that ask go before rules that
   * allow, whoever wrote them.
   */
  readonly askFirst?: Readonly<Record<string, string>>;
}

/** By the program that the person has named: never by what the program says of itself. */
export function knownAgent(program: string): KnownAgent {
  const name = basename(program).replace(/\.(exe|cmd|m?js)$/, '');
  return Object.hasOwn(KNOWN, name) ? fieldsOf(KNOWN[name]) : {};
}

const CLAUDE: KnownAgent = {
  meta: { claudeCode: { options: { allowedTools: [`mcp__${MCP_SERVER_NAME}__*`] } } },
};

/** By itself it would ask for nothing. What only looks at the folder it does unasked; files of secrets are none of that. */
const OPENCODE: KnownAgent = {
  askFirst: {
    OPENCODE_PERMISSION: JSON.stringify({
      '*': 'ask',
      ...{ bash: 'ask', edit: 'ask', webfetch: 'ask', websearch: 'ask', external_directory: 'ask' },
      read: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask' },
      ...{ glob: 'allow', grep: 'allow', list: 'allow', todowrite: 'allow', todoread: 'allow' },
    }),
  },
};

const KNOWN: Readonly<Record<string, KnownAgent>> = {
  // In its settings the server's name is compared whole, so that no other server's tool is meant.
  gemini: { args: ['--allowed-tools', `mcp_${MCP_SERVER_NAME}_*`] },
  'claude-agent-acp': CLAUDE,
  'claude-code-acp': CLAUDE,
  opencode: OPENCODE,
};
