import type { JsonValue } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { conversation, said } from '../../test/conversation.js';
import type { LiveTurn } from '../stream/live-turn.js';
import type { TurnEvent } from '../turn.js';
import { createTurnTools } from './turn-tools.js';

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

it('tools are offered in schemas that any model API takes, and calls come with the names of the tool', async () => {
  const parameters = {
    type: 'object',
    properties: { $top: { type: 'integer' }, paths: { type: 'array' }, kind: { type: 'any' } },
    required: ['$top'],
  };
  const request = conversation([said('user', 'Go.')], { tools: [{ name: 'files.list', parameters }] });
  const called: unknown[] = [];
  const heard: unknown[] = [];
  const events: TurnEvent[] = [];
  const turn = {
    input: {
      request,
      callTool: async (call: { name: string; input: JsonValue }) => {
        called.push([call.name, call.input]);
        return { output: 'ok' };
      },
    },
    emit: (event: TurnEvent) => void events.push(event),
  } as unknown as LiveTurn;
  const tools = createTurnTools('1');
  tools.serve(turn, (call) => void heard.push(call));
  expect(await tools.handler.handle(rpc('tools/list'))).toMatchObject({
    result: {
      tools: [
        {
          name: 'files_list',
          inputSchema: {
            type: 'object',
            properties: { top: { type: 'integer' }, paths: { type: 'array', items: {} }, kind: {} },
            required: ['top'],
          },
        },
      ],
    },
  });
  await tools.handler.handle(rpc('tools/call', { name: 'files_list', arguments: { top: 3 } }));
  expect(called).toEqual([['files.list', { $top: 3 }]]);
  expect(heard).toEqual([{ name: 'files.list', input: { top: 3 } }]);
  expect(events.at(-1)).toMatchObject({ type: 'tool.end', input: { $top: 3 } });
});
