import { HOOK_KINDS } from '@cuebook/define';
import { describe, expect } from 'vitest';
import { agent, desk, ECHO, hook, prompt, tool } from '../project.js';
import { root } from '../stand.js';
import { type Case, calls, expectSaid, testCases, toolTexts } from './case.js';

/** A hook that writes down that it was called, in a variable of the thread that tools can read. */
const LOG = 'const seen = (global.seen ??= []);';
const TELLS = tool('return { status: "success", result: JSON.stringify(global.seen ?? []) };');
const PASSES: Readonly<Record<string, string>> = {
  before_update_message: 'return args[1];',
  before_store_tool_result: 'return args[1];',
  after_tool_call_success: 'return args[1];',
  after_tool_call_failure: 'return args[1];',
  before_create_message: 'return args[0];',
  filter_messages: 'return args[0];',
  prefilter_llm_history: 'return args[0];',
};

/** What a hook was called with, in a word. */
const WORD: Readonly<Record<string, string>> = {
  before_create_message: "' ' + args[0].role",
  after_create_message: "' ' + args[0].role",
  after_tool_call_success: "' ' + args[0].name",
  after_tool_call_failure: "' ' + args[0].name",
  before_store_tool_result: "' ' + args[0].name",
  after_subagent_created: "' ' + args[0].agent",
};

const observers = Object.fromEntries(
  HOOK_KINDS.map((kind) => [
    `hooks/see_${kind}.ts`,
    hook(kind, `see_${kind}`, `${LOG} seen.push('${kind}' + ${WORD[kind] ?? "''"}); ${PASSES[kind] ?? ''}`),
  ]),
);
const ALL = HOOK_KINDS.map((kind) => `'see_${kind}'`).join(', ');

const asked = (word: string): readonly string[] => [
  'after_system_message',
  'filter_messages',
  'prefilter_llm_history',
  `before_create_message ${word}`,
  `after_create_message ${word}`,
];

const two = (kind: string, first: string, second: string): Readonly<Record<string, string>> => ({
  'hooks/first.ts': hook(kind, 'first', first),
  'hooks/second.ts': hook(kind, 'second', second),
});

const broken = (kind: string, body: string, code: string): Case => ({
  name: `${kind} that does "${body}" leaves the data as it was, and a diagnostic`,
  project: desk("tools: ['echo'], hooks: ['bad'],", {
    'tools/echo.ts': ECHO,
    'hooks/bad.ts': hook(kind, 'bad', body),
  }),
  lanes: { '*': [calls('echo', { text: 'a' }, 'Hm.'), { text: 'Well.' }] },
  see: ({ requests, state }) => {
    expectSaid(requests[1], ['system: I am clerk.', 'user: Hello.', 'assistant: Hm.', 'tool: echo a']);
    expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Well.' });
    expect(state.diagnostics.map((each) => each.code)).toContain(code);
    expect(state.diagnostics[0]?.message).toContain(`The hook "bad" (${kind})`);
  },
});

const CASES: readonly Case[] = [
  {
    name: 'every kind is told once of each event, in the order of a step',
    project: {
      ...desk(`tools: ['echo', 'tells', 'child'], hooks: [${ALL}],`, {
        'tools/echo.ts': ECHO,
        'tools/tells.ts': TELLS,
        'tools/done.ts': tool("return { status: 'success', result: 'over' };"),
        ...observers,
      }),
      'prompts/child_a.ts': prompt('child_a', "tools: ['done'], hooks: [],"),
      'prompts/child_b.ts': prompt('child_b', 'hooks: [],'),
      'agents/child.ts': agent(
        'child',
        "type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', sideA: { prompt: 'child_a', sessionStop: 'done' }, sideB: { prompt: 'child_b' }",
      ),
    },
    lanes: {
      clerk: [
        calls('echo', { text: 'a' }),
        calls('echo', { text: 3 }),
        calls('child', { message: 'Go.' }),
        calls('tells'),
        { text: 'Well.' },
      ],
      child_a: [calls('done')],
    },
    see: ({ state }) => {
      const told = JSON.parse(
        root(state).messages.find(({ name }) => name === 'tells')?.text ?? '[]',
      ) as string[];
      const answered = ['before_update_message', 'after_update_message'];
      const stored = (name: string, how: 'success' | 'failure'): readonly string[] => [
        `after_tool_call_${how} ${name}`,
        `before_store_tool_result ${name}`,
        'before_create_message tool',
        'after_create_message tool',
      ];
      expect(told).toEqual([
        'before_create_message user',
        'after_create_message user',
        'after_thread_created',
        ...asked('assistant'),
        ...answered,
        ...stored('echo', 'success'),
        ...asked('assistant'),
        ...answered,
        ...stored('echo', 'failure'),
        ...asked('assistant'),
        ...answered,
        'after_subagent_created child',
        ...stored('child', 'success'),
        ...asked('assistant'),
        ...answered,
      ]);
    },
  },
  {
    name: 'hooks of one kind follow each other in the order of the list',
    project: desk(
      "hooks: ['second', 'first'],",
      two('after_system_message', "return args[0] + ' First.';", "return args[0] + ' Second.';"),
    ),
    lanes: { '*': [{ text: 'Well.' }] },
    see: ({ requests }) => expectSaid(requests[0], ['system: I am clerk. Second. First.', 'user: Hello.']),
  },
  {
    name: 'filter_messages changes what is told, and not what is stored',
    project: desk(
      "includeChat: true, hooks: ['first', 'second'],",
      two(
        'filter_messages',
        'return args[0].slice(-1);',
        "return args[0].map((message) => ({ ...message, content: message.content + '!' }));",
      ),
    ),
    lanes: { '*': [{ text: 'One.' }, { text: 'Two.' }] },
    says: ['And?'],
    see: ({ requests, state }) => {
      expectSaid(requests[1], ['system: I am clerk.', 'user: And?!']);
      expect(root(state).messages.map(({ text }) => text)).toEqual(['Hello.', 'One.', 'And?', 'Two.']);
    },
  },
  ...(['filter_messages', 'prefilter_llm_history'] as const).map(
    (kind): Case => ({
      name: `${kind} that leaves nothing: the model is told to begin`,
      project: desk("hooks: ['first'],", two(kind, 'return [];', 'return args[0];')),
      lanes: { '*': [{ text: 'Well.' }] },
      see: ({ requests }) => expectSaid(requests[0], ['system: I am clerk.', 'user: Begin.']),
    }),
  ),
  {
    name: 'prefilter_llm_history is the last to change what is told',
    project: desk(
      "includeChat: true, hooks: ['first'],",
      two(
        'prefilter_llm_history',
        "return [{ role: 'user', content: 'In short:' }, ...args[0].slice(-1)];",
        'return args[0];',
      ),
    ),
    lanes: { '*': [{ text: 'One.' }, { text: 'Two.' }] },
    says: ['And?'],
    see: ({ requests }) => expectSaid(requests[1], ['system: I am clerk.', 'user: In short:', 'user: And?']),
  },
  {
    name: 'what prefilter_llm_history returns is told in the order that it returns',
    project: desk(
      "includeChat: true, hooks: ['first'],",
      two(
        'prefilter_llm_history',
        "return [...args[0].slice(-1), { role: 'assistant', content: 'Before that:' }, ...args[0].slice(0, -1)];",
        'return args[0];',
      ),
    ),
    lanes: { '*': [{ text: 'One.' }, { text: 'Two.' }] },
    says: ['And?'],
    see: ({ requests }) =>
      expectSaid(requests[1], [
        'system: I am clerk.',
        'user: And?',
        'assistant: Before that:',
        'user: Hello.',
        'assistant: One.',
      ]),
  },
  {
    name: 'what a hook takes out of a result before it is stored is in no record',
    project: desk("tools: ['card'], hooks: ['first', 'second'],", {
      'tools/card.ts': tool("return { status: 'success', result: 'the card is ' + ['ze', 'bra'].join('') };"),
      ...two(
        'before_store_tool_result',
        "return { ...args[1], result: args[1].result.replace('ze' + 'bra', '####') };",
        'return args[1];',
      ),
    }),
    lanes: { '*': [calls('card'), { text: 'Well.' }] },
    see: async ({ requests, stand }) => {
      expect(toolTexts(requests[1])).toEqual(['the card is ####']);
      expect(await stand.everything()).not.toContain('zebra');
    },
  },
  {
    name: 'null after a failure takes the call and its result out of the history',
    project: desk("tools: ['fails'], hooks: ['first'],", {
      'tools/fails.ts': tool("throw new Error('kaput');"),
      ...two('after_tool_call_failure', 'return null;', 'return args[1];'),
    }),
    lanes: { '*': [calls('fails', {}, 'Hm.'), { text: 'Well.' }] },
    see: ({ requests }) => expectSaid(requests[1], ['system: I am clerk.', 'user: Hello.', 'assistant: Hm.']),
  },
  {
    name: 'an empty list runs no hook, also not those of the agent',
    project: {
      ...desk('hooks: [],', two('after_system_message', "return 'Changed.';", '')),
      'agents/desk.ts': agent('desk', "sideA: { prompt: 'clerk' }, hooks: ['first']"),
    },
    lanes: { '*': [{ text: 'Well.' }] },
    see: ({ requests }) => expectSaid(requests[0], ['system: I am clerk.', 'user: Hello.']),
  },
  {
    name: 'without a list those of the agent run',
    project: {
      ...desk('', two('after_system_message', "return 'Changed.';", '')),
      'agents/desk.ts': agent('desk', "sideA: { prompt: 'clerk' }, hooks: ['first']"),
    },
    lanes: { '*': [{ text: 'Well.' }] },
    see: ({ requests }) => expectSaid(requests[0], ['system: Changed.', 'user: Hello.']),
  },
  broken('filter_messages', "throw new Error('no');", 'W_HOOK_FAILED'),
  broken('filter_messages', '', 'W_HOOK_EMPTY'),
  broken('prefilter_llm_history', 'return 3;', 'W_HOOK_EMPTY'),
  broken('before_create_message', '', 'W_HOOK_EMPTY'),
  broken('before_update_message', "throw new Error('no');", 'W_HOOK_FAILED'),
  broken('before_store_tool_result', '', 'W_HOOK_EMPTY'),
  broken('after_tool_call_success', 'return { status: 7 };', 'W_HOOK_EMPTY'),
  broken('after_create_message', "throw new Error('no');", 'W_HOOK_FAILED'),
];

describe('hooks', () => testCases(CASES));
