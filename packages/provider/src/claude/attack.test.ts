import { describe, expect, it } from 'vitest';
import { ACTS, NAMES, OUR_TOOL } from '../../test/forged.js';
import { requestOf } from '../../test/play.js';
import type { Fields } from '../agent/fields.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { ApprovalRequest } from '../turn.js';
import type { ClaudeAgent } from './agent.js';
import { answerRequests } from './answer-requests.js';
import { nameTools } from './stream/tool-names.js';

/** What Claude Code is answered when it asks for these tools; `served`: it has spoken to our server over its pipe. */
async function answers(asked: readonly Fields[], served: boolean) {
  const said: Record<string, unknown>[] = [];
  const requests: ApprovalRequest[] = [];
  let isServed = false;
  const agent = {
    served: () => {
      isServed = true;
    },
    isServed: () => isServed,
    send: async (line: string) => said.push(JSON.parse(line).response.response) > 0,
  } as unknown as ClaudeAgent;
  const turn = {
    input: {
      request: requestOf('x'),
      onApproval: async (request: ApprovalRequest) => {
        requests.push(request);
        return { decision: 'deny' };
      },
    },
    emit: () => {},
    pass: async () => {},
  } as unknown as LiveTurn;
  const names = nameTools([{ name: OUR_TOOL }]);
  const { request } = answerRequests({ agent, turn, names, rights: { access: 'full', ask: true } });
  const settled = async (count: number) => {
    while (said.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  if (served) {
    request('m', {
      subtype: 'mcp_message',
      server_name: 'cuebook',
      message: { jsonrpc: '2.0', id: 1, method: 'ping' },
    });
    await settled(1);
    said.splice(0);
  }
  for (const [at, fields] of asked.entries()) {
    request(`r${at}`, { subtype: 'can_use_tool', ...fields });
    await settled(at + 1);
  }
  return { behaviours: said.map(({ behavior }) => behavior), requests };
}

const OURS = `mcp__cuebook__${OUR_TOOL}`;
const asks = (tool_name: string) => Object.values(ACTS).map(({ input }) => ({ tool_name, input }));

describe('Claude Code asks for a tool', () => {
  it('by any name but that of ours: a person is asked, and no is no', async () => {
    const asked = NAMES.filter((name) => name !== OURS).flatMap(asks);
    const { behaviours, requests } = await answers(asked, true);
    expect(new Set(behaviours)).toEqual(new Set(['deny']));
    expect(requests.map(({ tool, input }) => [tool, input])).toEqual(
      asked.map(({ tool_name, input }) => [tool_name, input]),
    );
  });

  it('with words of ours anywhere but in its name', async () => {
    const words = { server_name: 'cuebook', title: OURS, display_name: OURS, mcp_server: 'cuebook' };
    const asked = asks('Bash').map((ask) => ({
      ...words,
      ...ask,
      input: { ...Object(ask.input), server: 'cuebook' },
    }));
    const { behaviours, requests } = await answers(asked, true);
    expect(new Set(behaviours)).toEqual(new Set(['deny']));
    expect(requests).toHaveLength(asked.length);
  });

  it.each([
    ['is ours once it has spoken to our server over its pipe', true, 'allow', 0],
    ['is not ours while it has not: another server may have the name', false, 'deny', 1],
  ])('by the name of ours: it %s', async (_name, served, behaviour, count) => {
    const { behaviours, requests } = await answers([{ tool_name: OURS, input: {} }], served);
    expect([behaviours, requests.length]).toEqual([[behaviour], count]);
  });
});
