import { guard } from '@cuebook/guard';
import { asText, type Fields } from '../agent/fields.js';
import { createMcpHandler } from '../mcp/handler.js';
import { MCP_SERVER_NAME } from '../mcp/turn-tools.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { AgentListener, ClaudeAgent } from './agent.js';
import { answerPermission, type ClaudeRights } from './permission.js';
import type { ClaudeToolNames } from './stream/tool-names.js';
import { jsonLine } from './user-line.js';

export interface Answering {
  readonly agent: ClaudeAgent;
  readonly turn: LiveTurn;
  readonly names: ClaudeToolNames;
  readonly rights: Pick<ClaudeRights, 'access' | 'ask'>;
}

/**
 * Answers what Claude Code asks while a turn runs: permission to act, and calls of our tools over its pipe.
 * Answers come when they are ready, in any order; each passes the choke point.
 */
export function answerRequests(options: Answering): Pick<AgentListener, 'request' | 'received' | 'garbage'> {
  const { agent, turn, names, rights } = options;
  let isGarbageTold = false;
  // Claude Code runs a tool by its name, and each name belongs to one server. Ours is the one that it speaks to
  // here: somebody else's server of the same name would be spoken to elsewhere.
  const isOurs = (tool: string) =>
    names.ofModel(tool) !== undefined && !guard('claude.channel', !agent.isServed());
  const handler = createMcpHandler({
    name: MCP_SERVER_NAME,
    version: '1',
    tools: names.listed,
    async call(listed, input, id) {
      const name = names.ofList(listed);
      if (!turn.input.callTool || name === undefined)
        return { output: 'No tool can be run now.', isError: true };
      return turn.input.callTool({ id, name, input });
    },
  });

  const answer = async (id: string, request: Fields): Promise<Fields | undefined> => {
    if (request.subtype === 'can_use_tool') return answerPermission(id, request, turn, { ...rights, isOurs });
    if (request.subtype !== 'mcp_message' || asText(request.server_name) !== MCP_SERVER_NAME)
      return undefined;
    agent.served();
    // A notification wants an answer too, if an empty one.
    return { mcp_response: (await handler.handle(request.message)) ?? { jsonrpc: '2.0', result: {}, id: 0 } };
  };
  const reply = async (id: string, request: Fields): Promise<void> => {
    const response = await answer(id, request);
    const line = jsonLine({
      type: 'control_response',
      response: response
        ? { subtype: 'success', request_id: id, response }
        : { subtype: 'error', request_id: id, error: 'Not supported.' },
    });
    await turn.pass('stdin', line);
    await agent.send(line);
  };

  return {
    request(id, request) {
      reply(id, request).catch(() => {
        // The choke point refused, and has ended the turn with its reason; nothing more is owed here.
      });
    },
    received: (bytes) => turn.received(bytes),
    garbage() {
      if (isGarbageTold) return;
      isGarbageTold = true;
      turn.emit({ type: 'log', level: 'warning', text: 'Claude Code wrote a line that is not JSON.' });
    },
  };
}
