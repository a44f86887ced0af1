import { describe, expect, it } from 'vitest';
import { fixture, listener } from '../../../test/fixture.js';
import { HOME, redactor, requestOf } from '../../../test/play.js';
import { type Fields, fieldsOf, textOf } from '../../agent/fields.js';
import type { ApprovalAnswer, ApprovalRequest, TurnInput } from '../../turn.js';
import { replyTo } from './requests.js';

/** Answers a request as the caller would have it, and says what the caller was asked. */
async function reply(
  method: string,
  params: Fields,
  answers: Pick<TurnInput, 'callTool'> & { answer?: ApprovalAnswer },
) {
  const { events, emit } = listener();
  const { answer, callTool } = answers;
  const input: TurnInput = {
    request: requestOf('x'),
    ...(answer && { onApproval: async () => answer }),
    ...(callTool && { callTool }),
  };
  const turn = { emit, input };
  const tools = {
    inputOf: (id: string) => (id === 'p-1' ? { changes: [{ path: 'a.txt', kind: 'add' }] } : undefined),
  };
  const ours = (name: string) => (name === 'spawn_node' ? 'spawn.node' : undefined);
  const said = await replyTo(method, params, { turn, redactor, tools, ours });
  return { ...said, asked: events as readonly ApprovalRequest[] };
}

const COMMAND = 'item/commandExecution/requestApproval';
const ALLOW: ApprovalAnswer = { decision: 'allow' };
const DENY: ApprovalAnswer = { decision: 'deny', message: 'not now' };
const CHANGE: ApprovalAnswer = { decision: 'change', input: { command: 'ls' } };

describe('what the app-server asks', () => {
  const DECISIONS: readonly [string, ApprovalAnswer | undefined, string, unknown][] = [
    ['allowed', ALLOW, 'accept', undefined],
    ['denied', DENY, 'decline', 'The request for commandExecution was denied: not now'],
    ['denied without a word', { decision: 'deny' }, 'decline', undefined],
    ['changed', CHANGE, 'decline', expect.stringContaining('{"command":"ls"}')],
    ['answered by nobody', undefined, 'decline', undefined],
  ];
  it.each(DECISIONS)('a command, %s', async (_name, answer, decision, remark) => {
    const params = { itemId: 'c-1', command: `cat ${HOME}/x`, reason: null };
    const said = await reply(COMMAND, params, { ...(answer && { answer }) });
    expect(said.result).toEqual({ decision });
    expect(said.remark).toEqual(remark);
    expect(said.asked).toMatchObject([{ tool: 'commandExecution', callId: 'c-1' }]);
    expect(JSON.stringify(said.asked)).not.toContain(HOME);
  });

  it('a change of files, with what it changes', async () => {
    const { asked, result } = await reply(
      'item/fileChange/requestApproval',
      { itemId: 'p-1' },
      { answer: ALLOW },
    );
    expect(asked[0]?.input).toEqual({ changes: [{ path: 'a.txt', kind: 'add' }] });
    expect(result).toEqual({ decision: 'accept' });
  });

  it('more rights, for the turn alone', async () => {
    const params = { permissions: { network: { enabled: true } }, itemId: 'c-1' };
    const method = 'item/permissions/requestApproval';
    expect((await reply(method, params, { answer: ALLOW })).result).toEqual({
      ...fieldsOf({ permissions: params.permissions }),
      scope: 'turn',
    });
    expect((await reply(method, params, { answer: DENY })).result).toEqual({
      permissions: {},
      scope: 'turn',
    });
  });

  it('a question of an MCP server: a permission, or something that only a person can fill in', async () => {
    const recorded = fixture('codex/mcp').find(({ method }) => method === 'mcpServer/elicitation/request');
    const method = textOf(recorded?.method);
    const params = fieldsOf(recorded?.params);
    const accept = { action: 'accept', content: {}, _meta: null };
    const decline = { action: 'decline', content: null, _meta: null };
    expect((await reply(method, params, { answer: ALLOW })).result).toEqual(accept);
    expect((await reply(method, params, { answer: DENY })).result).toEqual(decline);
    expect((await reply(method, params, {})).result).toEqual(decline);
    const form = { ...params, requestedSchema: { type: 'object', required: ['city'] } };
    expect((await reply(method, form, { answer: ALLOW })).result).toEqual(decline);
    const filled: ApprovalAnswer = { decision: 'change', input: { city: 'Ulm' } };
    expect((await reply(method, form, { answer: filled })).result).toEqual({
      ...accept,
      content: { city: 'Ulm' },
    });
  });

  it('questions to a person: answered by a change, else left open', async () => {
    const method = 'item/tool/requestUserInput';
    const params = { questions: [{ id: 'q1', question: 'Which?' }], itemId: 'c' };
    const filled: ApprovalAnswer = { decision: 'change', input: { q1: 'this one' } };
    expect((await reply(method, params, { answer: filled })).result).toEqual({
      answers: { q1: { answers: ['this one'] } },
    });
    expect((await reply(method, params, { answer: ALLOW })).result).toEqual({ answers: {} });
  });

  it('a tool of ours, by our own name for it', async () => {
    const calls: unknown[] = [];
    const callTool: TurnInput['callTool'] = async (call) => {
      calls.push(call);
      return { output: 'done' };
    };
    const params = { callId: 'd-1', tool: 'spawn_node', arguments: { name: 'x' } };
    expect((await reply('item/tool/call', params, { callTool })).result).toEqual({
      success: true,
      contentItems: [{ type: 'inputText', text: 'done' }],
    });
    expect(calls).toEqual([{ id: 'd-1', name: 'spawn.node', input: { name: 'x' } }]);
    const failing = await reply('item/tool/call', params, {
      callTool: async () => ({ output: 'no', isError: true }),
    });
    expect(failing.result).toMatchObject({ success: false });
  });

  it('a tool that is not ours, or that nobody runs', async () => {
    const callTool: TurnInput['callTool'] = async () => ({ output: 'must not be run' });
    const other = await reply('item/tool/call', { callId: 'd', tool: 'other', arguments: {} }, { callTool });
    expect(other.result).toMatchObject({
      success: false,
      contentItems: [{ text: 'This tool is not offered now.' }],
    });
    const nobody = await reply('item/tool/call', { callId: 'd', tool: 'spawn_node', arguments: {} }, {});
    expect(nobody.result).toMatchObject({ success: false });
  });

  it('what it is, and what is not known here', async () => {
    expect((await reply('currentTime/read', {}, {})).result).toEqual({ currentTimeAt: expect.any(Number) });
    expect((await reply('attestation/generate', {}, {})).result).toBeUndefined();
  });
});
