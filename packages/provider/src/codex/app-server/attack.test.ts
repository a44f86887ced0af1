import { describe, expect, it } from 'vitest';
import { listener } from '../../../test/fixture.js';
import { ACTS, NAMES, OUR_TOOL } from '../../../test/forged.js';
import { redactor, requestOf } from '../../../test/play.js';
import { type Fields, fieldsOf } from '../../agent/fields.js';
import { createToolLog } from '../report/tool-log.js';
import { replyTo } from './requests.js';

const ours = (name: string) => (name === OUR_TOOL ? OUR_TOOL : undefined);

/** Codex asks, and whoever is asked says no. */
async function denied(method: string, params: Fields) {
  const { events, emit } = listener();
  const turn = {
    emit,
    input: { request: requestOf('x'), onApproval: async () => ({ decision: 'deny' }) as const },
  };
  const { result } = await replyTo(method, params, {
    turn,
    redactor,
    tools: { inputOf: () => undefined },
    ours,
  });
  return { result, asked: events.length };
}

const METHODS: readonly (readonly [
  method: string,
  params: (word: string, input: Fields) => Fields,
  no: Fields,
])[] = [
  [
    'item/commandExecution/requestApproval',
    (word, input) => ({
      itemId: word,
      command: word,
      reason: word,
      server: 'cuebook',
      tool: OUR_TOOL,
      ...input,
    }),
    { decision: 'decline' },
  ],
  [
    'item/fileChange/requestApproval',
    (word, input) => ({ itemId: word, reason: word, server: 'cuebook', name: word, ...input }),
    { decision: 'decline' },
  ],
  [
    'item/permissions/requestApproval',
    (word, input) => ({ itemId: word, permissions: { [word]: true, ...input }, reason: word }),
    { permissions: {}, scope: 'turn' },
  ],
  [
    'mcpServer/elicitation/request',
    (word, input) => ({ serverName: word, message: word, _meta: { tool: OUR_TOOL, ...input } }),
    { action: 'decline', content: null, _meta: null },
  ],
];

describe.each(METHODS)('%s', (method, params, no) => {
  it('whatever words it holds is asked for, and no is no', async () => {
    for (const word of NAMES) {
      for (const { input } of Object.values(ACTS)) {
        expect([word, await denied(method, params(word, fieldsOf(input)))]).toEqual([
          word,
          { result: no, asked: 1 },
        ]);
      }
    }
  });
});

describe('a tool of a server that is called as ours would be', () => {
  it.each([
    ['is told, where we have none', undefined, 1],
    ['is told by our own server, where that is the one', 'cuebook', 0],
  ])('%s', (_name, ownServer, count) => {
    const { events, emit } = listener();
    const log = createToolLog({ emit, clean: (text) => text, redactor, ours, ownServer });
    log.completed({ id: 'm', type: 'mcpToolCall', server: 'cuebook', tool: OUR_TOOL, status: 'completed' });
    expect(events.filter((event) => (event as { type: string }).type === 'tool.end')).toHaveLength(count);
  });
});
