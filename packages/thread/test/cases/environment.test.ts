import { describe, expect } from 'vitest';
import { agent, desk, prompt, tool } from '../project.js';
import { root } from '../stand.js';
import { type Case, calls, testCases, toolNames, toolTexts } from './case.js';

/** Tells what it can read of X. */
const READS = tool(
  "try { return { status: 'success', result: 'X is ' + state.env('X') + ', a ' + state.envType('X') }; } catch (error) { return { status: 'error', error: error.message }; }",
  "variables: [{ name: 'X', type: 'text', required: false, description: 'Tried' }],",
);
const LAYERS = ['thread', 'account', 'instance', 'agent', 'tool', 'prompt'] as const;

/** X at all layers from one on; those above it are peeled off. */
function layersFrom(first: number): Case {
  const has = (layer: (typeof LAYERS)[number]): boolean => LAYERS.indexOf(layer) >= first;
  const at = (layer: (typeof LAYERS)[number]): { readonly X?: string } => (has(layer) ? { X: layer } : {});
  const env = (layer: (typeof LAYERS)[number]): string => (has(layer) ? `env: { X: '${layer}' },` : '');
  const winner = LAYERS[first];
  return {
    name: winner === undefined ? 'no layer has it: an error' : `the ${winner} wins over all below it`,
    project: {
      ...desk(`tools: [{ name: 'reads', ${env('tool')} }], ${env('prompt')}`, { 'tools/reads.ts': READS }),
      'agents/desk.ts': agent('desk', `sideA: { prompt: 'clerk' }, ${env('agent')}`),
    },
    lanes: { '*': [calls('reads'), { text: 'Well.' }] },
    start: { env: at('thread'), accountEnv: at('account'), instanceEnv: at('instance') },
    see: ({ requests }) => {
      const [text = ''] = toolTexts(requests[1]);
      if (winner === undefined) expect(text).toMatch(/X/);
      else expect(text).toBe(`X is ${winner}, a text`);
    },
  };
}

describe('layers, peeled off one by one', () =>
  testCases(Array.from({ length: 7 }, (_, first) => layersFrom(first))));

const SCOPED = "variables: [{ name: 'X', type: 'text', required: false, scoped: true, description: 'Own' }],";
const worker = (name: string, more: string, tools: string): Readonly<Record<string, string>> => ({
  [`prompts/${name}_a.ts`]: prompt(`${name}_a`, `tools: [${tools}], ${more}`),
  [`prompts/${name}_b.ts`]: prompt(`${name}_b`),
  [`agents/${name}.ts`]: agent(
    name,
    `type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', sideA: { prompt: '${name}_a', sessionStop: 'done' }, sideB: { prompt: '${name}_b' }`,
  ),
});

const CASES: readonly Case[] = [
  {
    name: 'a scoped variable is not inherited; a value that the child sets is seen by the grandchild',
    project: {
      ...desk("tools: ['child', 'reads'],", {
        'tools/reads.ts': READS,
        'tools/sets.ts': tool(
          "await state.setEnv('X', 'of the child', { type: 'text' }); return { status: 'success', result: 'set' };",
        ),
        'tools/done.ts': tool("return { status: 'success', result: 'done' };"),
      }),
      ...worker('child', SCOPED, "'reads', 'sets', 'grandchild', 'done'"),
      ...worker('grandchild', '', "'reads', 'done'"),
    },
    lanes: {
      clerk: [calls('reads'), calls('child', { message: 'Go.' }), calls('reads'), { text: 'Well.' }],
      child_a: [
        calls('reads'),
        calls('sets'),
        calls('reads'),
        calls('grandchild', { message: 'Go.' }),
        calls('done'),
      ],
      grandchild_a: [calls('reads'), calls('done')],
    },
    start: { env: { X: '1' } },
    see: ({ state }) => {
      const heard = Object.values(state.frames).map(({ agent: name, messages }) => [
        name,
        messages.filter((each) => each.name === 'reads').map(({ text }) => text.replace(/^.*X is/, 'X is')),
      ]);
      expect(Object.fromEntries(heard as [string, string[]][])).toMatchObject({
        desk: ['X is 1, a text', 'X is 1, a text'],
        child: [expect.not.stringContaining('1'), 'X is of the child, a text'],
        grandchild: ['X is of the child, a text'],
      });
    },
  },
  {
    name: 'an optional tool is there when its variable says yes, in any case and with blanks around it',
    project: {
      ...desk("tools: [{ name: 'child', optional: 'WITH_CHILD' }],"),
      'tools/done.ts': tool("return { status: 'success' };"),
      ...worker('child', '', "'done'"),
    },
    lanes: { '*': [{ text: 'One.' }] },
    start: { env: { WITH_CHILD: ' YES ' } },
    see: ({ requests }) => expect(toolNames(requests[0])).toEqual(['child']),
  },
  ...[undefined, 'no'].map(
    (value): Case => ({
      name: `an optional tool is not there when its variable is ${value ?? 'not set'}`,
      project: {
        ...desk("tools: [{ name: 'child', optional: 'WITH_CHILD' }],"),
        'tools/done.ts': tool("return { status: 'success' };"),
        ...worker('child', '', "'done'"),
      },
      lanes: { '*': [{ text: 'One.' }] },
      start: { env: value === undefined ? {} : { WITH_CHILD: value } },
      see: ({ requests }) => expect(toolNames(requests[0])).toEqual([]),
    }),
  ),
  {
    name: 'a variable that a tool sets is there from the next call on, in the text of the prompt too',
    project: desk(
      "tools: ['sets'], variables: [{ name: 'X', type: 'text', required: false, description: 'Mood' }],",
      {
        'tools/sets.ts': tool(
          "await state.setEnv('X', 'merry', { type: 'text' }); return { status: 'success', result: 'set' };",
        ),
        'prompts/clerk.ts': prompt(
          'clerk',
          "tools: ['sets'], variables: [{ name: 'X', type: 'text', required: false, description: 'Mood' }],",
          "[{ type: 'text', content: 'Mood: ' }, { type: 'env', property: 'X' }]",
        ),
      },
    ),
    lanes: { '*': [calls('sets'), { text: 'Well.' }] },
    see: ({ requests }) => {
      expect(JSON.stringify(requests[0]?.messages)).not.toContain('merry');
      expect(JSON.stringify(requests[1]?.messages)).toContain('merry');
    },
  },
  {
    name: 'a required variable of the prompt without a value: nothing is asked, and the reason names it',
    project: desk("variables: [{ name: 'CITY', type: 'text', required: true, description: 'Where' }],"),
    lanes: { '*': [{ text: 'Never.' }] },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(0);
      expect(root(state).outcome).toMatchObject({ status: 'failed', code: 'E_VARIABLE_MISSING' });
      expect(root(state).outcome?.text).toContain('"CITY"');
    },
  },
];

describe('variables', () => testCases(CASES));
