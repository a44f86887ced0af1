import { runOf } from '@cuebook/host';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { messageWriter } from './told-message.js';

/** What is written of messages, one after the other. */
async function written(messages: readonly unknown[]): Promise<readonly unknown[]> {
  let text = '';
  const { say } = messageWriter({
    exact: async (part) => {
      text += part;
    },
  });
  await Promise.all(messages.map(say));
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const SECRET = `ghp_${'1bC2dE3fG4'.repeat(4).slice(0, 36)}`;
const ID = fc.oneof(
  fc.string().map(runOf),
  fc.uuid(),
  fc.constant(SECRET),
  fc.string({ minLength: 1 }),
  fc.integer({ min: 0 }),
);
const WORDS = fc.oneof(
  fc.constantFrom('Paid.', 'token', `Use ${SECRET} now`, `{"password":"${SECRET}"}`),
  fc.string(),
);

const MESSAGE = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id: ID, result: fc.record({ sessionId: ID, title: WORDS }) }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: ID,
    result: fc.record({ sessions: fc.array(fc.record({ sessionId: ID, title: WORDS })), nextCursor: ID }),
  }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    method: fc.constant('session/update'),
    params: fc.record({
      sessionId: ID,
      update: fc.record({ messageId: ID, toolCallId: ID, content: fc.record({ text: WORDS, id: WORDS }) }),
    }),
  }),
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: ID,
    result: fc.record({ structuredContent: fc.record({ token: WORDS, list: fc.array(WORDS) }) }),
  }),
);

/** A message with everything but its ids left out. */
const idsOf = (message: unknown): unknown =>
  JSON.parse(
    JSON.stringify(message, (name, value) => {
      if (['content', 'structuredContent', 'title'].includes(name)) return undefined;
      return value;
    }),
  );

it('messages keep their ids and their order, and tell no credential', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(MESSAGE, { minLength: 1, maxLength: 6 }), async (messages) => {
      const told = await written(messages);
      expect(told.map(idsOf)).toEqual(messages.map(idsOf));
      const rest = JSON.stringify(told, (name, value) =>
        ['id', 'sessionId', 'toolCallId', 'messageId', 'nextCursor'].includes(name) && value === SECRET
          ? undefined
          : value,
      );
      expect(rest).not.toContain(SECRET);
    }),
    runs(200, 5000),
  );
});

it('a message without a credential is written as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const message = { jsonrpc: '2.0', id: 1, result: value };
      const [told] = await written([message]);
      expect(told).toEqual(JSON.parse(JSON.stringify(message)));
    }),
    runs(200, 5000),
  );
});
