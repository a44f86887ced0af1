import type { GatedRequest } from '@cuebook/prompt';
import { explainWire, type WireDocument } from '@cuebook/prompt/wire';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { conversation, said } from '../../test/conversation.js';
import { play, redactor } from '../../test/play.js';
import { createApiProvider } from '../api/provider.js';
import type { ApiName } from '../api/vendor.js';
import { createRehearsalProvider } from '../rehearsal/provider.js';
import { type BodyOptions, turnBody } from './turn-body.js';

const MODELS: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  'openai-chat': 'gpt-4.1',
  google: 'gemini-2.5-flash',
  compatible: 'any-model',
  rehearsal: 'any-model',
  claude: 'any-model',
  codex: 'any-model',
  gemini: 'any-model',
};
const EVERY = Object.entries(MODELS);
const TOOL = {
  name: 'files.read',
  description: 'Reads "a file".\nWhole.',
  parameters: {
    type: 'object',
    properties: { zone: { type: 'number' }, path: { type: 'string', description: 'Which é' } },
    required: ['path'],
  },
};

const talk = (texts: readonly string[] = ['Be "brief".\nAlways.', 'Rule 😀 two.', 'Read.', 'hi\tthere']) =>
  conversation(
    [
      said('system', texts[0] ?? ''),
      said('system', texts[1] ?? ''),
      said('user', texts[2] ?? '', { media: [{ type: 'image/png', data: 'iVBORw0KGgo=' }] }),
      said('assistant', 'Reading.', {
        calls: [{ id: 'call.1', name: 'files.read', args: { path: 'a "b".txt', n: 3 } }],
      }),
      said('tool', texts[3] ?? '', { callId: 'call.1' }),
      said('user', 'Go on.'),
    ],
    { tools: [TOOL], params: { temperature: 0.5, maxOutputTokens: 100 } },
  );

async function bodyOf(options: BodyOptions): Promise<WireDocument> {
  const made = await turnBody(options);
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

/** What stands in the body for each part of the request, told once for each part. */
function partsOf({ text, spans }: WireDocument): ReadonlyMap<string, string> {
  const bytes = Buffer.from(text);
  const parts = new Map<string, string>();
  for (const { part, start, end } of spans) {
    const key =
      part.kind === 'tool'
        ? `tool ${part.pointer.split('/')[1]}`
        : part.kind === 'call'
          ? `call ${part.field}`
          : part.kind === 'block'
            ? part.block
            : part.kind === 'param'
              ? `param ${part.name}`
              : part.kind;
    parts.set(key, (parts.get(key) ?? '') + bytes.subarray(start, end).toString());
  }
  return parts;
}

it.each(EVERY)('%s: every part of a request is found in the body', async (provider, model) => {
  const request = talk();
  const document = await bodyOf({ provider, model, request });
  const parts = partsOf(document);
  const isJson = provider !== 'gemini';
  expect(parts.get('system 0')).toBe(isJson ? 'Be \\"brief\\".\\nAlways.' : 'Be "brief".\nAlways.');
  expect(parts.get('tool 4')).toBe(isJson ? 'hi\\tthere' : 'hi\tthere');
  expect(parts.get('call args')).toMatch(/path/);
  if (provider === 'gemini') return;
  expect(parts.get('attachment')).toBe('iVBORw0KGgo=');
  expect(parts.get('tool description')).toBe('Reads \\"a file\\".\\nWhole.');
  expect(parts.get('tool parameters')).toContain('Which é');
  if (provider === 'claude' || provider === 'codex') return;
  expect(parts.get('param maxOutputTokens')).toBe('100');
});

const said2 = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '\u2028', ' ', '\u0001') });
const word = said2.map((text) => `x${text}x`);

it.each(EVERY)('%s: spans are gapless, and escaped text leads back to its bytes', async (provider, model) => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(word, word, word, word), async (texts) => {
      const request = talk(texts);
      const document = await bodyOf({ provider, model, request });
      const bytes = Buffer.from(document.text);
      let end = 0;
      for (const span of document.spans) {
        expect(span.start).toBe(end);
        expect(span.end).toBeGreaterThan(span.start);
        end = span.end;
        const { part, escapes } = span;
        if (part.kind !== 'block') continue;
        const source = Buffer.from(blockText(request, part.block)).subarray(part.start, part.end).toString();
        expect(unescaped(bytes.subarray(span.start, span.end).toString(), escapes)).toBe(source);
      }
      expect(end).toBe(bytes.length);
      const told = document.spans.flatMap(({ part }) => (part.kind === 'block' ? [part.block] : []));
      expect(new Set(told).size).toBe(6);
    }),
    runs(3, 40),
  );
});

const unescaped = (text: string, escapes: number): string =>
  escapes === 0 ? text : unescaped(JSON.parse(`"${text}"`) as string, escapes - 1);

const blockText = ({ prompt }: GatedRequest, name: string): string =>
  prompt.blocks.find((block) => block.name === name)?.text ?? '';

it.each(EVERY.slice(0, 6))('%s: it is the very body that is sent', async (provider, model) => {
  const request = talk();
  const run = { run: 'run_1', lane: 'main' };
  const opened =
    provider === 'rehearsal'
      ? createRehearsalProvider()
      : createApiProvider({
          api: provider as ApiName,
          apiKey: 'sk-test-0123456789abcdef',
          baseUrl: 'http://127.0.0.1:9',
          fetch: async () => new Response('{}', { status: 400 }),
        });
  const { sent } = await play(opened.open({ model, redactor }), { request, conversation: run });
  expect(sent).toHaveLength(1);
  expect((await bodyOf({ provider, model, request, conversation: run })).text).toBe(sent[0]);
});

it('a byte within escaped text of a file answers with its own line and column', async () => {
  const request = conversation([
    said('user', 'one "two"\nthrée four', {
      pieces: [
        {
          text: 'one "two"\nthrée four',
          origin: { kind: 'file', ref: 'task.md', line: 7, column: 5 },
          trust: 'author',
          secrecy: 'public',
          volatility: 'build',
        },
      ],
    }),
  ]);
  const document = await bodyOf({ provider: 'openai-chat', model: 'gpt-4.1', request });
  const at = (words: string) =>
    explainWire(document, Buffer.byteLength(document.text.slice(0, document.text.indexOf(words))))?.origin;
  expect(at('two')).toMatchObject({ ref: 'task.md', line: 7, column: 10 });
  expect(at('four')).toMatchObject({ ref: 'task.md', line: 8, column: 7 });
  expect(explainWire(document, Buffer.byteLength(document.text))).toBeUndefined();
});

it('texts that look like marks change nothing', async () => {
  const plain = 'Qzxxxxx0000001zq Qzxxxxx1';
  const document = await bodyOf({
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    request: conversation([said('user', plain), said('assistant', 'Yes.'), said('user', plain)]),
  });
  expect(partsOf(document).get('user 0')).toBe(plain);
  expect(partsOf(document).get('user 2')).toBe(plain);
});

it('a name that is no provider is told', async () => {
  expect(await turnBody({ provider: 'nobody', request: talk() })).toMatchObject({
    ok: false,
    error: { code: 'E_PROVIDER_CONFIG' },
  });
});
