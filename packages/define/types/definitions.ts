import {
  defineAgent,
  defineHook,
  defineModel,
  definePrompt,
  defineTool,
  type PromptInput,
  type ToolInput,
} from '@cuebook/define';
import { z } from 'zod';

// Every wrong name, schema and field is a type error; every line marked so is checked to be one.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isTrue = <T extends true>(): T | undefined => undefined;

const search = definePrompt({
  name: 'search',
  toolDescription: 'Searches',
  model: 'fast',
  prompt: [
    { type: 'text', content: 'Search.' },
    { type: 'include', prompt: 'rules' },
    { type: 'env', property: 'SHOP' },
  ],
  requiredSchema: z.object({ query: z.string(), limit: z.number().default(10) }),
  tools: [
    'look_up',
    { name: 'create_ticket', env: { QUEUE: 'a' }, options: { urgent: true } },
    { name: 'rules', includeTextResponse: true, initUserMessageProperty: 'query', maxSteps: 2 },
    {
      name: 'pair',
      blocking: false,
      resumable: { receives_messages: 'side_a', maxInstances: 2 },
      immediate: { nameEnv: 'N' },
    },
  ],
  variables: [{ name: 'SHOP', type: 'text', required: true, description: 'Which shop', scoped: true }],
  reasoning: { effort: 'low', maxTokens: 10, exclude: true, include: true },
  recentImageThreshold: 3,
  hooks: ['short'],
});

isTrue<Same<PromptInput<typeof search>, { query: string; limit: number }>>();
isTrue<Same<typeof search.name, 'search'>>();

const plain = definePrompt({ name: 'rules', toolDescription: 'Rules', model: 'heavy', prompt: 'Be kind.' });
isTrue<Same<PromptInput<typeof plain>, never>>();

const base = { name: 'p', toolDescription: 'P', model: 'fast', prompt: 'P' } as const;

// @ts-expect-error a name is needed
definePrompt({ toolDescription: 'P', model: 'fast', prompt: 'P' });
// @ts-expect-error a description is needed
definePrompt({ name: 'p', model: 'fast', prompt: 'P' });
// @ts-expect-error a text is needed
definePrompt({ name: 'p', toolDescription: 'P', model: 'fast' });
// @ts-expect-error a model is needed
definePrompt({ name: 'p', toolDescription: 'P', prompt: 'P' });
// @ts-expect-error no such model
definePrompt({ ...base, model: 'fats' });
// @ts-expect-error no such tool
definePrompt({ ...base, tools: ['lookup'] });
// @ts-expect-error no such tool
definePrompt({ ...base, tools: [{ name: 'lookup', env: {} }] });
// @ts-expect-error no such hook
definePrompt({ ...base, hooks: ['long'] });
// @ts-expect-error no such prompt
definePrompt({ ...base, prompt: [{ type: 'include', prompt: 'ruels' }] });
// @ts-expect-error no such kind of part
definePrompt({ ...base, prompt: [{ type: 'txet', content: 'x' }] });
// @ts-expect-error a text part has content
definePrompt({ ...base, prompt: [{ type: 'text', prompt: 'x' }] });
// @ts-expect-error not a choice
definePrompt({ ...base, toolChoice: 'sometimes' });
// @ts-expect-error not an effort
definePrompt({ ...base, reasoning: { effort: 'turbo' } });
// @ts-expect-error a number
definePrompt({ ...base, recentImageThreshold: '10' });
// @ts-expect-error a schema of an object
definePrompt({ ...base, requiredSchema: z.string() });
// @ts-expect-error a schema of zod
definePrompt({ ...base, requiredSchema: { type: 'object' } });
// @ts-expect-error values are strings
definePrompt({ ...base, env: { A: 1 } });
// @ts-expect-error a variable says whether it is required
definePrompt({ ...base, variables: [{ name: 'A', type: 'text', description: '' }] });
// @ts-expect-error not a type of variable
definePrompt({ ...base, variables: [{ name: 'A', type: 'number', required: true, description: '' }] });
// @ts-expect-error who receives the messages
definePrompt({ ...base, tools: [{ name: 'pair', resumable: { maxInstances: 1 } }] });
// @ts-expect-error no such property
definePrompt({ ...base, toolchoice: 'auto' });

const lookUp = defineTool({
  description: 'Looks up',
  args: z.object({ q: z.string(), limit: z.number().default(10) }),
  execute: async (state, args) => {
    isTrue<Same<typeof args, { q: string; limit: number }>>();
    return { status: 'success', result: `${args.q} ${state.env('SHOP')}` };
  },
});
isTrue<Same<ToolInput<typeof lookUp>, { q: string; limit: number }>>();
defineTool({ description: 'Nothing to hand in', execute: () => ({ status: 'success' }) });

defineTool({ description: 'x', approval: 'always', execute: () => ({ status: 'success' }) });
defineTool({
  description: 'x',
  args: z.object({ q: z.string() }),
  approval: async ({ q }) => q !== '' && `It asks for ${q}.`,
  execute: () => ({ status: 'success' }),
});

// @ts-expect-error not when to ask
defineTool({ description: 'x', approval: 'sometimes', execute: () => ({ status: 'success' }) });
defineTool({
  description: 'x',
  args: z.object({ q: z.string() }),
  // @ts-expect-error the arguments have no such field
  approval: ({ p }) => p === '',
  execute: () => ({ status: 'success' }),
});
// @ts-expect-error a description is needed
defineTool({ execute: () => ({ status: 'success' }) });
// @ts-expect-error something to do is needed
defineTool({ description: 'x' });
// @ts-expect-error not a status
defineTool({ description: 'x', execute: () => ({ status: 'fine' }) });
// @ts-expect-error the arguments have no such field
defineTool({ description: 'x', args: z.object({ q: z.string() }), execute: (_, a) => a.p });

defineModel({ name: 'fast', provider: 'anthropic', model: 'claude', fallbacks: ['heavy'], inputPrice: 1 });
// @ts-expect-error a model id is needed
defineModel({ name: 'fast', provider: 'anthropic' });
// @ts-expect-error no such model to fall back to
defineModel({ name: 'fast', provider: 'anthropic', model: 'claude', fallbacks: ['heavier'] });

defineAgent({ name: 'desk', sideA: { prompt: 'search', stopOnResponse: false } });
defineAgent({
  name: 'pair',
  type: 'dual_ai',
  sideA: { prompt: 'search' },
  sideB: { prompt: 'rules' },
  exposeAsTool: true,
  toolDescription: 'Pair',
});
// @ts-expect-error a side is needed
defineAgent({ name: 'desk' });
// @ts-expect-error a pair has two sides
defineAgent({ name: 'pair', type: 'dual_ai', sideA: { prompt: 'search' } });
// @ts-expect-error an exposed agent has a description
defineAgent({ name: 'desk', sideA: { prompt: 'search' }, exposeAsTool: true });
// @ts-expect-error no such prompt
defineAgent({ name: 'desk', sideA: { prompt: 'serach' } });

defineHook({ hook: 'after_system_message', id: 'short', execute: (_, text) => text.slice(0, 10) });
// @ts-expect-error no such hook
defineHook({ hook: 'after_lunch', id: 'short', execute: () => undefined });
// @ts-expect-error a system message is text
defineHook({ hook: 'after_system_message', id: 'short', execute: (_, text) => text.push('x') });
