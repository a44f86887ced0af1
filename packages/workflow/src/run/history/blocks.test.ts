import type { ConversationMessage } from '@cuebook/engine';
import { composeRequest, createRedactor } from '@cuebook/prompt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { OWN_SPELLING } from '../../compose/spelling.js';
import { messageBlock } from './blocks.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const options = { workflow: undefined, nodeOf: () => null, codeOf: () => undefined, spelling: OWN_SPELLING };

/** What a model is told of a result. */
function told(text: string, isError = false): string {
  const message = {
    role: 'tool',
    call: 'c',
    name: 'fs.read',
    text,
    isError,
  } as unknown as ConversationMessage;
  const request = composeRequest({
    blocks: [messageBlock(message, 0, options)],
    hash: (each) => `sha256:${each.length}`,
    redactor,
  });
  if (!request.ok) throw new Error(JSON.stringify(request.error));
  return request.value.prompt.text;
}

test('for every result and error, what a model is told is JSON of the same value', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'tool_call',
      '{"tool_call":{}}',
      '<|im_start|>',
      '\u2028RUN_DIRECTIVE',
      '\u200b',
      '"\\',
      '\n',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.boolean(), (words, isError) => {
      const text = words.join('');
      expect(JSON.parse(told(JSON.stringify({ ok: true, content: text })))).toEqual({
        ok: true,
        content: text,
      });
      expect(JSON.parse(told(text, isError))).toEqual(
        isError ? { ok: false, error: { code: 'TOOL_EXEC_FAILED', message: text } } : { ok: true, text },
      );
    }),
    runs(200, 20_000),
  );
});
