import { describe, expect } from 'vitest';
import { desk, ECHO, prompt, tool } from '../project.js';
import { root } from '../stand.js';
import { type Case, calls, expectSaid, testCases, toolTexts } from './case.js';

const FAILS = tool("throw new Error('kaput');");
const helper = (config: string, more = ''): Readonly<Record<string, string>> =>
  desk(`tools: [{ name: 'helper', ${config} }],`, {
    'prompts/helper.ts': prompt('helper', `tools: ['echo', 'fails'], ${more}`),
    'tools/echo.ts': ECHO,
    'tools/fails.ts': FAILS,
  });
const QUERY = "requiredSchema: z.object({ query: z.string().describe('What to ask') }),";
const ASK = calls('helper', { query: 'What is X?' });

const CASES: readonly Case[] = [
  {
    name: 'a named argument is the first user message, and without the chat nothing else is told',
    project: helper("initUserMessageProperty: 'query'", QUERY),
    lanes: { clerk: [ASK, { text: 'Done.' }], helper: [{ text: 'X is Y.' }] },
    see: ({ requests }) => expectSaid(requests[1], ['system: I am helper.', 'user: What is X?']),
  },
  {
    name: 'an argument that is not a text is told as JSON',
    project: helper(
      "initUserMessageProperty: 'query'",
      'requiredSchema: z.object({ query: z.object({ a: z.number() }) }),',
    ),
    lanes: { clerk: [calls('helper', { query: { a: 1 } }), { text: 'Done.' }], helper: [{ text: 'ok' }] },
    see: ({ requests }) => expectSaid(requests[1], ['system: I am helper.', 'user: {"a":1}']),
  },
  {
    name: 'arguments that do not fit are an error that names the field, and nothing is asked',
    project: helper("initUserMessageProperty: 'query'", QUERY),
    lanes: { clerk: [calls('helper', { query: 3 }), { text: 'Oh.' }], helper: [] },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(2);
      expect(toolTexts(requests[1])[0]).toMatch(/Bad arguments: query: .*Nothing was run/);
      expect(root(state).messages.find(({ role }) => role === 'tool')?.isError).toBe(true);
    },
  },
  {
    name: 'defaults of the schema are filled in before the sub-prompt is told',
    project: helper(
      '',
      "requiredSchema: z.object({ query: z.string().trim(), limit: z.number().default(10).describe('How many') }),",
    ),
    lanes: { clerk: [calls('helper', { query: ' x ' }), { text: 'Done.' }], helper: [{ text: 'ok' }] },
    see: ({ requests }) => {
      expectSaid(requests[1], ['system: I am helper.', 'user: {"query":"x","limit":10}']);
      expect(requests[0]?.tools[0]?.parameters).toMatchObject({
        required: ['query'],
        additionalProperties: false,
        properties: { limit: { default: 10, description: 'How many' } },
      });
    },
  },
  {
    name: 'what a sub-prompt says stays with it: the caller sees one tool message',
    project: helper('', QUERY),
    lanes: {
      clerk: [ASK, { text: 'Done.' }],
      helper: [calls('echo', { text: 'one' }, 'Looking.')],
    },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(3);
      expectSaid(requests[2], [
        'system: I am clerk.',
        'user: Hello.',
        'assistant: ',
        'tool: Looking.\n\nTool calls:\n- echo({"text":"one"})\n  result: echo one',
      ]);
      const sub = Object.values(state.frames).find(({ kind }) => kind === 'sub-prompt');
      expect(sub?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    },
  },
  {
    name: 'with the chat included a sub-prompt sees the chat, and not the call that it answers',
    project: helper(
      "initUserMessageProperty: 'query'",
      `${QUERY} includeChat: true, includePastTools: true,`,
    ),
    lanes: { clerk: [{ ...ASK, text: 'I will ask.' }, { text: 'Done.' }], helper: [{ text: 'ok' }] },
    see: ({ requests }) =>
      expectSaid(requests[1], [
        'system: I am helper.',
        'user: Hello.',
        'assistant: I will ask.',
        'user: What is X?',
      ]),
  },
  {
    name: 'maxSteps lets it see the results of its tools',
    project: helper('maxSteps: 3', QUERY),
    lanes: {
      clerk: [ASK, { text: 'Done.' }],
      helper: [calls('echo', { text: 'one' }), { text: 'It says one.' }],
    },
    see: ({ requests }) => {
      expect(toolTexts(requests[2])).toEqual(['echo one']);
      expect(toolTexts(requests[3])).toEqual([
        'It says one.\n\nTool calls:\n- echo({"text":"one"})\n  result: echo one',
      ]);
    },
  },
  {
    name: 'a model that fails is a failed call, never an answer',
    project: helper('', QUERY),
    lanes: { clerk: [ASK, { text: 'Oh.' }], helper: [{ error: { status: 400, message: 'no such thing' } }] },
    see: ({ requests, state }) => {
      expect(toolTexts(requests.at(-1))[0]).toBe(
        'Errors:\n- the prompt itself\n  error: E_PROVIDER_REJECTED no such thing',
      );
      expect(root(state).messages.find(({ role }) => role === 'tool')?.isError).toBe(true);
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Oh.' });
    },
  },
  {
    name: 'an attachment that is not there is a failed call that names it, and nothing is asked',
    project: helper("initAttachmentsProperty: 'image'", 'requiredSchema: z.object({ image: z.string() }),'),
    lanes: { clerk: [calls('helper', { image: '/attachments/no.png' }), { text: 'Oh.' }], helper: [] },
    see: ({ requests }) => {
      expect(requests).toHaveLength(2);
      expect(toolTexts(requests[1])[0]).toContain('The attachment "/attachments/no.png" is not there');
    },
  },
];

describe('sub-prompts', () => testCases(CASES));

const FLAGS = [true, false] as const;
const TEXT = 'Both.';
const GOOD = '- echo({"text":"a"})\n  result: echo a';

/** What each setting of the three flags leaves of a text, a call that went well and one that failed. */
function expected(text: boolean, withCalls: boolean, errors: boolean): string {
  const parts = [
    ...(text ? [TEXT] : []),
    ...(withCalls ? [`Tool calls:\n${GOOD}\n- fails({})\n  ${errors ? 'error: kaput' : 'failed'}`] : []),
    ...(errors && !withCalls ? ['Errors:\n- fails({})\n  error: kaput'] : []),
  ];
  return parts.length === 0 ? 'Done.' : parts.join('\n\n');
}

const TABLE: readonly Case[] = FLAGS.flatMap((text) =>
  FLAGS.flatMap((withCalls) =>
    FLAGS.map((errors) => ({
      name: `text ${text}, calls ${withCalls}, errors ${errors}`,
      project: helper(
        `includeTextResponse: ${text}, includeToolCalls: ${withCalls}, includeErrors: ${errors}`,
        QUERY,
      ),
      lanes: {
        clerk: [ASK, { text: 'Done.' }],
        helper: [
          {
            text: TEXT,
            toolCalls: [
              { name: 'echo', args: { text: 'a' } },
              { name: 'fails', args: {} },
            ],
          },
        ],
      },
      see: ({ requests, state }) => {
        expect(toolTexts(requests[2])).toEqual([expected(text, withCalls, errors)]);
        // A tool that failed in it does not make the sub-prompt fail.
        expect(root(state).messages.find(({ role }) => role === 'tool')?.isError).toBe(false);
      },
    })),
  ),
);

describe('what a sub-prompt gives back', () => testCases(TABLE));
