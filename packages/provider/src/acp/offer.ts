import { type Fields, fieldsOf } from '../agent/fields.js';
import { stdioBridge } from '../mcp/bridge.js';
import { joinLoopbackMcp, type SharedLoopback } from '../mcp/join-loopback.js';
import type { LoopbackAdmission } from '../mcp/loopback.js';
import { createTurnTools, MCP_SERVER_NAME, type TurnTools } from '../mcp/turn-tools.js';

/** Our own tools as one session's agent is offered them. */
export interface Offer {
  readonly tools: TurnTools;
  /** The servers for `session/new`: over HTTP where the agent says that it can, else through a program. */
  servers(capabilities: Fields): Promise<readonly Fields[]>;
  close(): Promise<void>;
}

export function createOffer(): Offer {
  const tools = createTurnTools('0.1.0');
  let joined: Promise<SharedLoopback> | undefined;
  let admission: LoopbackAdmission | undefined;
  return {
    tools,
    async servers(capabilities) {
      joined ??= joinLoopbackMcp();
      const { server } = await joined;
      admission ??= server.admit(tools);
      const { token } = admission;
      return [
        fieldsOf(capabilities.mcpCapabilities).http === true
          ? httpServer(server.url, token)
          : stdioServer(server.url, token),
      ];
    },
    async close() {
      admission?.release();
      await (await joined)?.leave();
    },
  };
}

const httpServer = (url: string, token: string): Fields => ({
  type: 'http',
  name: MCP_SERVER_NAME,
  url,
  headers: [{ name: 'Authorization', value: `Bearer ${token}` }],
});

function stdioServer(url: string, token: string): Fields {
  const { command, args, env } = stdioBridge(url, token);
  const pairs = Object.entries(env).map(([name, value]) => ({ name, value }));
  return { name: MCP_SERVER_NAME, command, args, env: pairs };
}
