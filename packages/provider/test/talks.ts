import fc from 'fast-check';
import { conversation, said } from './conversation.js';
import { strangeSchema } from './schemas.js';

/**
 * Requests of any history: parallel calls, results that are missing, doubled, late or of nobody, odd ids and names,
 * blank texts of every kind, pictures anywhere, and settings that do not go together.
 */

type Blocks = Parameters<typeof conversation>[0];
type Made = Parameters<typeof said>[2];

const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\u0085',
  '\x1c',
  '\u00a0',
  '\ufeff',
  '\u200b',
  '\u3000',
  '\u2028',
  '\t\x1f',
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Hi.', 'Yes ', 'json', 'a\n') },
  { weight: 2, arbitrary: blank },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
);
const FILES = [
  { type: 'image/png', data: 'iVBORw0KGgo=' },
  { type: 'image/gif', data: 'R0lGODlh' },
  { type: 'application/pdf', data: 'JVBERi0xLjQ=' },
];
const media = fc.oneof(
  fc.constant({}),
  fc.subarray(FILES, { minLength: 1, maxLength: 2 }).map((some) => ({ media: some })),
);
const id = fc.oneof(
  fc.constantFrom('c1', 'c2', 'c3', '', 'toolu_1', 'x'.repeat(90), 'ü:1', 'call_1', 'abcdefghi'),
  fc.string({ maxLength: 6 }),
);
const NAMES = ['fs.read', 'fs_read', 'ui.ask', 'n'.repeat(90), '日本', '1x', '', 'constructor', 'a/b', 'a.b'];
const args = fc.oneof(
  fc.constantFrom<unknown>({}, { path: 'a' }, null, 'broken', [1], 3, { $top: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const call = fc.record({ id, name: fc.constantFrom(...NAMES, 'gone'), args });
const block = fc.oneof(
  { weight: 1, arbitrary: text.map((words) => said('system', words)) },
  { weight: 3, arbitrary: fc.tuple(text, media).map(([words, more]) => said('user', words, more as Made)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(text, fc.array(call, { maxLength: 4 }))
      .map(([words, calls]) => said('assistant', words, (calls.length > 0 ? { calls } : {}) as Made)),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(text, id, media)
      .map(([words, callId, more]) => said('tool', words, { callId, ...more } as Made)),
  },
);
const blocks: fc.Arbitrary<Blocks> = fc
  .array(block, { maxLength: 14 })
  .map((some) => [...some, said('user', 'Go on.')]);

const stop = fc.oneof(
  fc.constantFrom<unknown>('\n', ' ', '\u0085', 'END', ['\n\n', 'x'], [...'abcdefg']),
  fc.array(fc.constantFrom('a', '\n', '\t'), { minLength: 1, maxLength: 3 }),
);
const settings = fc.record(
  {
    temperature: fc.constantFrom(0, 0.5, 1, 1.7),
    topP: fc.constantFrom(0.1, 1),
    topK: fc.constantFrom(1, 40),
    maxOutputTokens: fc.constantFrom(1, 15, 1_024, 1_025, 40_000, 200_000),
    reasoningEffort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
    reasoningTokens: fc.constantFrom(1, 1_024, 5_000, 500_000),
    stop,
    toolChoice: fc.constantFrom<unknown>('auto', 'none', 'required', { tool: 'fs.read' }, { tool: 'no one' }),
    parallelToolCalls: fc.boolean(),
    seed: fc.constantFrom(0, -1, 7),
    presencePenalty: fc.constantFrom(-2, 1),
    frequencyPenalty: fc.constantFrom(0, 2),
    responseFormat: fc.oneof(
      fc.constantFrom<unknown>('text', 'json'),
      strangeSchema.map((schema) => ({ schema: { ...schema, type: 'object' }, name: 'ä b' })),
    ),
  },
  { requiredKeys: [] },
);
const tools = fc.uniqueArray(
  fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'grapheme', maxLength: 70 })),
  { maxLength: 6 },
);

export const anyRequest = fc
  .tuple(blocks, tools, settings)
  .map(([talk, names, params]) =>
    conversation(talk, { tools: names.map((name) => ({ name })), params: params as Record<string, unknown> }),
  );
