import { explainWire } from '@cuebook/prompt/wire';
import { expect, it } from 'vitest';
import { conversation, said } from '../../test/conversation.js';
import { turnBody } from './turn-body.js';

const TOOL = {
  name: 'files.read',
  description: 'Reads "a file".\nWhole.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Which é' } },
    required: ['path'],
  },
};
const request = conversation(
  [
    said('system', 'Be "brief".\nAlways.'),
    said('system', 'Second rule 😀.'),
    said('user', 'Read.', { media: [{ type: 'image/png', data: 'iVBORw0KGgo=' }] }),
    said('assistant', 'Reading.', {
      calls: [{ id: 'call_1', name: 'files.read', args: { path: 'a "b".txt', n: 3 } }],
    }),
    said('tool', 'hi\tthere', { callId: 'call_1' }),
  ],
  { tools: [TOOL], params: { temperature: 0.5, maxOutputTokens: 100 } },
);
const MODELS = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-4.1',
  'openai-chat': 'gpt-4.1',
  google: 'gemini-2.5-flash',
  compatible: 'any',
  rehearsal: 'x',
  claude: 'x',
  codex: 'x',
  gemini: 'x',
};
it.each(Object.entries(MODELS))('%s', async (provider, model) => {
  const made = await turnBody({ provider, model, request });
  if (!made.ok) throw new Error(JSON.stringify(made));
  const doc = made.value;
  const bytes = Buffer.from(doc.text);
  console.log(
    provider +
      '\n' +
      doc.spans
        .map((s) => `${JSON.stringify(s.part)} ${s.origin.ref} >${bytes.subarray(s.start, s.end)}<`)
        .join('\n'),
  );
  expect(doc.spans[0]?.start).toBe(0);
  expect(doc.spans.at(-1)?.end).toBe(bytes.length);
  for (const [i, s] of doc.spans.entries()) if (i > 0) expect(s.start).toBe(doc.spans[i - 1]?.end);
  expect(explainWire(doc, bytes.length)).toBeUndefined();
});
