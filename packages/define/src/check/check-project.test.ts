import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { brief, check, define, MODEL, prompt, tool } from '../../test/project.js';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** `CODE file:line path`, in any order. */
  readonly found: readonly string[];
  /** Words that the messages hold. */
  readonly says?: readonly string[];
}

const AGENT = (body: string): string => define('Agent', body);

const CASES: readonly Case[] = [
  { name: 'a sound project', files: { ...MODEL, 'prompts/a.ts': prompt('a') }, found: [] },
  {
    name: 'an empty name',
    files: { ...MODEL, 'prompts/a.ts': prompt('a').replace("name: 'a'", "name: ''") },
    found: ['E_DEFINITION prompts/a.ts:5 name'],
  },
  {
    name: 'a missing and an empty toolDescription',
    files: {
      ...MODEL,
      'prompts/a.ts': prompt('a').replace("  toolDescription: 'Does a',\n", ''),
      'prompts/b.ts': prompt('b').replace('Does b', ''),
    },
    found: ['E_DEFINITION prompts/a.ts:4 toolDescription', 'E_DEFINITION prompts/b.ts:6 toolDescription'],
  },
  {
    name: 'a model that nobody defines',
    files: { ...MODEL, 'prompts/a.ts': prompt('a').replace("'fast'", "'fats'") },
    found: ['E_NAME_UNKNOWN prompts/a.ts:7 model'],
    says: ['"a"', '"fats"', 'Did you mean "fast"?'],
  },
  {
    name: 'a prompt that is neither text nor parts',
    files: { ...MODEL, 'prompts/a.ts': prompt('a', '', '42') },
    found: ['E_DEFINITION prompts/a.ts:8 prompt'],
    says: ['a string or a list of parts'],
  },
  {
    name: 'parts that do not fit, by their index',
    files: {
      ...MODEL,
      'prompts/a.ts': prompt(
        'a',
        '',
        "[\n    { type: 'text', content: 'ok' },\n    { type: 'txet', content: 'x' },\n    { type: 'text' },\n  ]",
      ),
    },
    found: ['E_DEFINITION prompts/a.ts:10 prompt[1].type', 'E_DEFINITION prompts/a.ts:11 prompt[2].content'],
  },
  {
    name: 'a text without its content, first of all',
    files: { ...MODEL, 'prompts/a.ts': prompt('a', '', "[\n    { type: 'text' },\n  ]") },
    found: ['E_DEFINITION prompts/a.ts:9 prompt[0].content'],
  },
  {
    name: 'a tool choice that there is not',
    files: { ...MODEL, 'prompts/a.ts': prompt('a', "  toolChoice: 'sometimes',") },
    found: ['E_DEFINITION prompts/a.ts:9 toolChoice'],
    says: ['auto, none, required'],
  },
  {
    name: 'a reasoning effort that there is not',
    files: { ...MODEL, 'prompts/a.ts': prompt('a', "  reasoning: {\n    effort: 'turbo',\n  },") },
    found: ['E_DEFINITION prompts/a.ts:10 reasoning.effort'],
    says: ['low, medium, high'],
  },
  ...['0', '-1', '1.5', "'10'"].map((value) => ({
    name: `an image threshold of ${value}`,
    files: { ...MODEL, 'prompts/a.ts': prompt('a', `  recentImageThreshold: ${value},`) },
    found: ['E_DEFINITION prompts/a.ts:9 recentImageThreshold'],
  })),
  {
    name: 'an image threshold of 1 is fine',
    files: { ...MODEL, 'prompts/a.ts': prompt('a', '  recentImageThreshold: 1,') },
    found: [],
  },
  {
    name: 'two prompts with one name',
    files: { ...MODEL, 'prompts/a.ts': prompt('a'), 'prompts/b.ts': prompt('a') },
    found: ['E_NAME_TWICE prompts/b.ts:5 name'],
    says: ['agents/prompts/a.ts'],
  },
  {
    name: 'two hooks with one id',
    files: {
      'hooks/a.ts': define('Hook', "  hook: 'filter_messages',\n  id: 'short',\n  execute: () => undefined"),
      'hooks/b.ts': define('Hook', "  hook: 'filter_messages',\n  id: 'short',\n  execute: () => undefined"),
    },
    found: ['E_NAME_TWICE hooks/b.ts:6 id'],
    says: ['agents/hooks/a.ts'],
  },
  {
    name: 'a hook of no kind that there is',
    files: {
      'hooks/a.ts': define('Hook', "  hook: 'after_lunch',\n  id: 'short',\n  execute: () => undefined"),
    },
    found: ['E_DEFINITION hooks/a.ts:5 hook'],
  },
  {
    name: 'a cycle of two includes, with its path',
    files: {
      ...MODEL,
      'prompts/p.ts': prompt('p', '', "[{ type: 'include', prompt: 'q' }]"),
      'prompts/q.ts': prompt('q', '', "[{ type: 'include', prompt: 'p' }]"),
    },
    found: ['E_INCLUDE_CYCLE prompts/q.ts:8 prompt[0].prompt'],
    says: ['p -> q -> p'],
  },
  {
    name: 'a prompt that includes itself',
    files: { ...MODEL, 'prompts/p.ts': prompt('p', '', "[{ type: 'include', prompt: 'p' }]") },
    found: ['E_INCLUDE_CYCLE prompts/p.ts:8 prompt[0].prompt'],
    says: ['p -> p'],
  },
  {
    name: 'an include of nothing',
    files: {
      ...MODEL,
      'prompts/rules.ts': prompt('rules'),
      'prompts/p.ts': prompt('p', '', "[{ type: 'include', prompt: 'ruels' }]"),
    },
    found: ['E_INCLUDE_UNKNOWN prompts/p.ts:8 prompt[0].prompt'],
    says: ['Did you mean "rules"?'],
  },
  {
    name: 'tools and hooks that nobody defines',
    files: { ...MODEL, 'prompts/p.ts': prompt('p', "  tools: ['nope'],\n  hooks: ['nope'],") },
    found: ['E_NAME_UNKNOWN prompts/p.ts:10 hooks[0]', 'E_NAME_UNKNOWN prompts/p.ts:9 tools[0]'],
  },
  {
    name: 'a required call without tools',
    files: { ...MODEL, 'prompts/p.ts': prompt('p', "  toolChoice: 'required',") },
    found: ['E_TOOL_CHOICE prompts/p.ts:9 toolChoice'],
  },
  {
    name: 'tools for a model that calls none',
    files: {
      'models/fast.ts': MODEL['models/fast.ts'].replace('name:', 'capabilities: { toolCalls: false }, name:'),
      'tools/find.ts': tool(),
      'prompts/p.ts': prompt('p', "  tools: ['find'],"),
      'prompts/q.ts': prompt('q', "  tools: ['find'], toolChoice: 'required',"),
    },
    found: ['E_TOOL_CHOICE prompts/q.ts:9 tools', 'W_TOOL_OPTION prompts/p.ts:9 tools'],
    says: ['capabilities.toolCalls: false'],
  },
  {
    name: 'parts of a model and an agent that do nothing here',
    files: {
      'models/fast.ts': MODEL['models/fast.ts'].replace(
        'name:',
        "includedProviders: ['a'], providerTools: ['b'], capabilities: { colour: true }, name:",
      ),
      'prompts/p.ts': prompt('p'),
      'agents/a.ts': AGENT(
        "  name: 'a', maxSessionTurns: 2, sideA: { prompt: 'p', stopToolResponseProperty: 'x' }",
      ),
    },
    found: [
      'W_AGENT agents/a.ts:5 maxSessionTurns',
      'W_AGENT agents/a.ts:5 sideA.stopToolResponseProperty',
      'W_DEFINITION_KEY models/fast.ts:5 capabilities.colour',
      'W_DEFINITION_UNUSED models/fast.ts:5 includedProviders',
      'W_DEFINITION_UNUSED models/fast.ts:5 providerTools',
    ],
  },
  {
    name: 'an argument that the agent’s prompt does not take',
    files: {
      ...MODEL,
      'prompts/s.ts': prompt('s', '  requiredSchema: z.object({ query: z.string() }),'),
      'prompts/p.ts': prompt('p', "  tools: [{ name: 'desk', initUserMessageProperty: 'qeury' }],"),
      'agents/desk.ts': AGENT(
        "  name: 'desk', exposeAsTool: true, toolDescription: 'x', sideA: { prompt: 's' }",
      ),
    },
    found: ['E_TOOL_PROPERTY prompts/p.ts:9 tools[0]'],
    says: ['Did you mean "query"?'],
  },
  {
    name: 'an agent that is not exposed, or is not a subagent',
    files: {
      ...MODEL,
      'prompts/s.ts': prompt('s'),
      'prompts/p.ts': prompt(
        'p',
        "  tools: [\n    'closed',\n    { name: 'desk', resumable: { receives_messages: 'side_a' } },\n    { name: 's', blocking: false },\n  ],",
      ),
      'agents/closed.ts': AGENT(
        "  name: 'closed', type: 'dual_ai', sideA: { prompt: 's' }, sideB: { prompt: 's' }",
      ),
      'agents/desk.ts': AGENT(
        "  name: 'desk', sideA: { prompt: 's' }, exposeAsTool: true, toolDescription: 'Desk'",
      ),
    },
    found: [
      'E_SUBAGENT prompts/p.ts:10 tools[0]',
      'E_SUBAGENT prompts/p.ts:11 tools[1]',
      'E_SUBAGENT prompts/p.ts:12 tools[2]',
    ],
    says: ['"closed" is not exposed', '"desk" is an ai_human agent', '"s" is a prompt'],
  },
  {
    name: 'a dual_ai agent without its other side, and one without a description',
    files: {
      ...MODEL,
      'prompts/s.ts': prompt('s'),
      'agents/a.ts': AGENT("  name: 'a',\n  type: 'dual_ai',\n  sideA: { prompt: 's' }"),
      'agents/b.ts': AGENT("  name: 'b',\n  exposeAsTool: true,\n  sideA: { prompt: 's' }"),
    },
    found: ['E_AGENT agents/a.ts:6 type', 'E_AGENT agents/b.ts:6 exposeAsTool'],
  },
  {
    name: 'an agent whose side names what is not there',
    files: {
      ...MODEL,
      'prompts/s.ts': prompt('s', "  tools: ['finish'],"),
      'tools/finish.ts': tool(),
      'agents/a.ts': AGENT("  name: 'a',\n  sideA: { prompt: 'x' }"),
      'agents/b.ts': AGENT("  name: 'b',\n  sideA: { prompt: 's', stopTool: 'finsh' }"),
    },
    found: ['E_AGENT agents/b.ts:6 sideA.stopTool', 'E_NAME_UNKNOWN agents/a.ts:6 sideA.prompt'],
    says: ['Did you mean "finish"?'],
  },
  {
    name: 'a misspelled property is an error, a strange one is a warning',
    files: {
      ...MODEL,
      'prompts/p.ts': prompt('p', '  toolchoice: 1,'),
      'prompts/q.ts': prompt('q', '  colour: 1,'),
    },
    found: ['E_DEFINITION prompts/p.ts:9 toolchoice', 'W_DEFINITION_KEY prompts/q.ts:9 colour'],
    says: ['Did you mean "toolChoice"?'],
  },
  {
    name: 'a secret in the text, through two includes',
    files: {
      ...MODEL,
      'prompts/a.ts': prompt(
        'a',
        "  variables: [{ name: 'KEY', type: 'secret', required: false, description: '' }],",
        "[{ type: 'include', prompt: 'b' }]",
      ),
      'prompts/b.ts': prompt('b', '', "[{ type: 'include', prompt: 'c' }]"),
      'prompts/c.ts': prompt('c', '', "[{ type: 'env', property: 'KEY' }]"),
    },
    found: ['E_SECRET_IN_PROMPT prompts/c.ts:8 prompt[0].property'],
    says: ['a -> b -> c'],
  },
  {
    name: 'the value of a secret in the text',
    files: {
      ...MODEL,
      'tools/pay.ts': tool(
        "  variables: [{ name: 'KEY', type: 'secret', required: true, description: '' }],",
      ),
      'prompts/a.ts': prompt(
        'a',
        "  tools: [{ name: 'pay', env: { KEY: 'kx-9431-aa' } }],",
        "'Pay with kx-9431-aa.'",
      ),
    },
    found: ['E_SECRET_IN_PROMPT prompts/a.ts:8 prompt', 'W_SECRET_IN_SOURCE prompts/a.ts:9 tools[0].env.KEY'],
  },
  {
    name: 'required variables that no definition supplies',
    files: {
      ...MODEL,
      'tools/find.ts': tool(
        "  variables: [{ name: 'STORE', type: 'text', required: true, description: '' }],",
      ),
      'prompts/a.ts': prompt(
        'a',
        "  tools: ['find'],\n  variables: [{ name: 'REGION', type: 'text', required: true, description: '' }],",
      ),
      'prompts/b.ts': prompt(
        'b',
        "  tools: [{ name: 'find', env: { STORE: 'x' } }],\n  env: { REGION: 'eu' },\n  variables: [{ name: 'REGION', type: 'text', required: true, description: '' }],",
      ),
    },
    found: ['W_VARIABLE_OPEN prompts/a.ts:10 variables[0].name', 'W_VARIABLE_OPEN prompts/a.ts:9 tools[0]'],
  },
  {
    name: 'a variable that nobody declares',
    files: { ...MODEL, 'prompts/a.ts': prompt('a', '', "[{ type: 'env', property: 'NOBODY' }]") },
    found: ['E_VARIABLE_UNKNOWN prompts/a.ts:8 prompt[0].property'],
  },
  {
    name: 'settings that are for something else, and an argument that is not there',
    files: {
      ...MODEL,
      'tools/find.ts': tool(),
      'prompts/sub.ts': prompt('sub', '  requiredSchema: z.object({ query: z.string() }),'),
      'prompts/a.ts': prompt(
        'a',
        "  tools: [\n    { name: 'find', includeErrors: true },\n    { name: 'sub', initUserMessageProperty: 'qeury' },\n    'sub',\n  ],",
      ),
    },
    found: [
      'E_TOOL_PROPERTY prompts/a.ts:11 tools[1]',
      'E_TOOL_TWICE prompts/a.ts:12 tools[2]',
      'W_TOOL_OPTION prompts/a.ts:10 tools[0]',
    ],
    says: ['Did you mean "query"?'],
  },
  {
    name: 'schemas that models cannot be told',
    files: {
      ...MODEL,
      'tools/a.ts': tool('  args: z.object({ when: z.date() }),'),
      'tools/b.ts': tool('  args: z.string(),'),
      'tools/c.ts': tool("  args: { type: 'object' },"),
    },
    found: [
      'E_DEFINITION tools/a.ts:7 args',
      'E_DEFINITION tools/b.ts:7 args',
      'E_DEFINITION tools/c.ts:7 args',
    ],
  },
  {
    name: 'a folder that is nearly called right, and one that is for something else',
    files: { 'prompt/a.ts': prompt('a'), 'lib/a.ts': 'export {};', 'types/a.d.ts': 'export {};' },
    found: ['W_DEFINITION_FOLDER prompt/a.ts:1'],
    says: ['Did you mean agents/prompts/?'],
  },
  {
    name: 'a name whose file did not load is told as that',
    files: {
      ...MODEL,
      'tools/find.ts': 'throw new Error("no");',
      'prompts/a.ts': prompt('a', "  tools: ['find'],"),
    },
    found: ['E_DEFINITION_LOAD tools/find.ts:1', 'E_NAME_UNKNOWN prompts/a.ts:9 tools[0]'],
    says: ['did not load: see agents/tools/find.ts'],
  },
  ...["''", "'  \\n'", '[]', "[{ type: 'text', content: '' }, { type: 'text', content: ' ' }]"].map(
    (text) => ({
      name: `a prompt that says nothing: ${text}`,
      files: { ...MODEL, 'prompts/a.ts': prompt('a', '', text) },
      found: ['W_PROMPT_EMPTY prompts/a.ts:8 prompt'],
    }),
  ),
  {
    name: 'what is wrong with the shape hides nothing else',
    files: {
      ...MODEL,
      'prompts/a.ts': prompt(
        'a',
        "  toolChoice: 'sometimes', includeChat: 'yes', tols: [],\n  tools: ['gone', 7, 'lost'], hooks: ['none'],\n  variables: [{ name: 'KEY', type: 'secret', required: true }],",
        "[{ type: 'include', prompt: 'b' }, { type: 'env', property: 'KEY' }, { type: 'include', prompt: 'nowhere' }]",
      ).replace("'fast'", "'fats'"),
      'prompts/b.ts': prompt('b', '', "[{ type: 'include', prompt: 'a' }]"),
      'agents/x.ts': AGENT(
        "  name: 'x', type: 'odd', sideA: { prompt: 'b', stopTool: 'stop' }, hooks: ['none']",
      ),
    },
    found: [
      'E_DEFINITION agents/x.ts:5 type',
      'E_AGENT agents/x.ts:5 sideA.stopTool',
      'E_NAME_UNKNOWN agents/x.ts:5 hooks[0]',
      'E_NAME_UNKNOWN prompts/a.ts:7 model',
      'E_SECRET_IN_PROMPT prompts/a.ts:8 prompt[1].property',
      'E_INCLUDE_UNKNOWN prompts/a.ts:8 prompt[2].prompt',
      'E_INCLUDE_CYCLE prompts/b.ts:8 prompt[0].prompt',
      'E_INCLUDE_UNKNOWN prompts/b.ts:8 prompt[0].prompt',
      'E_DEFINITION prompts/a.ts:9 toolChoice',
      'E_DEFINITION prompts/a.ts:9 includeChat',
      'E_DEFINITION prompts/a.ts:9 tols',
      'E_NAME_UNKNOWN prompts/a.ts:10 tools[0]',
      'E_DEFINITION prompts/a.ts:10 tools[1]',
      'E_NAME_UNKNOWN prompts/a.ts:10 tools[2]',
      'E_NAME_UNKNOWN prompts/a.ts:10 hooks[0]',
      'E_DEFINITION prompts/a.ts:11 variables[0].description',
      'W_VARIABLE_OPEN prompts/a.ts:11 variables[0].name',
    ],
  },
  {
    name: 'the second of two with one name is looked at too',
    files: {
      ...MODEL,
      'prompts/a.ts': prompt('a'),
      'prompts/b.ts': prompt('a', "  tools: ['gone'],"),
    },
    found: ['E_NAME_TWICE prompts/b.ts:5 name', 'E_NAME_UNKNOWN prompts/b.ts:9 tools[0]'],
  },
];

describe('check', () => {
  it.each(CASES.map((each) => [each.name, each] as const))('%s', async (_, { files, found, says = [] }) => {
    const diagnostics = await check(files);
    expect([...brief(diagnostics)].sort()).toEqual([...found].sort());
    const words = diagnostics.map(({ message }) => message).join('\n');
    for (const each of says) expect(words).toContain(each);
  });
});
