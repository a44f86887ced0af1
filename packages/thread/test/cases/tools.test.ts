import { describe, expect } from 'vitest';
import { agent, desk, ECHO, model, prompt, tool } from '../project.js';
import { root } from '../stand.js';
import { type Case, calls, expectSaid, testCases, toolNames, toolTexts } from './case.js';

const withEcho = (more: string): Readonly<Record<string, string>> =>
  desk(`tools: ['echo'], ${more}`, { 'tools/echo.ts': ECHO });
const SAY = calls('echo', { text: 'a' });

const CASES: readonly Case[] = [
  {
    name: "'none': no tool is told, and one that the model makes up is refused",
    project: withEcho("toolChoice: 'none',"),
    lanes: { '*': [SAY, { text: 'Well.' }] },
    see: ({ requests }) => {
      expect(toolNames(requests[0])).toEqual([]);
      expect(toolTexts(requests[1])[0]).toContain('There are no tools. Nothing was run.');
    },
  },
  {
    name: "'required': an answer without a call is asked for again, with a word about it",
    project: withEcho("toolChoice: 'required',"),
    lanes: { '*': [{ text: 'Just words.' }, SAY, { text: 'It says a.' }] },
    see: ({ requests, state }) => {
      expect(requests.map(({ params }) => params.toolChoice)).toEqual(['required', 'required', 'auto']);
      expect(requests[1]?.messages.at(-1)?.content).toContain('demands a tool call');
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'It says a.' });
    },
  },
  {
    name: "'required': after three answers without a call it fails, and says so",
    project: withEcho("toolChoice: 'required',"),
    lanes: { '*': [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }] },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(3);
      expect(root(state).outcome).toMatchObject({ status: 'failed', code: 'E_TOOL_CHOICE_IGNORED' });
    },
  },
  {
    name: 'a tool that is not listed is refused, and the thread goes on',
    project: { ...withEcho(''), 'tools/hidden.ts': tool("throw new Error('it ran');") },
    lanes: { '*': [calls('hidden'), { text: 'Well.' }] },
    see: ({ requests, state }) => {
      expect(toolTexts(requests[1])[0]).toContain(
        'There is no tool "hidden". There are: echo. Nothing was run.',
      );
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Well.' });
    },
  },
  {
    name: 'a tool that throws is a result, and the next request is sent',
    project: desk("tools: ['fails'],", { 'tools/fails.ts': tool("throw new Error('kaput');") }),
    lanes: { '*': [calls('fails'), { text: 'Well.' }] },
    see: ({ requests, state }) => {
      expect(toolTexts(requests[1])).toEqual(['kaput']);
      expect(root(state).messages.find(({ role }) => role === 'tool')).toMatchObject({ isError: true });
    },
  },
  {
    name: 'defaults and transforms reach the function, and so do its options',
    project: desk("tools: [{ name: 'count', options: { unit: 'cm' } }],", {
      'tools/count.ts': tool(
        'return { status: "success", result: JSON.stringify([args, state.options]) };',
        'args: z.object({ of: z.string().trim(), n: z.number().default(7) }),',
      ),
    }),
    lanes: { '*': [calls('count', { of: ' rope ' }), { text: 'Well.' }] },
    see: ({ requests }) => expect(toolTexts(requests[1])).toEqual(['[{"of":"rope","n":7},{"unit":"cm"}]']),
  },
  {
    name: 'arguments that are not an object, or of a wrong shape, are refused with the field',
    project: withEcho(''),
    lanes: { '*': [calls('echo', { text: 3 }), calls('echo', [] as never), { text: 'Well.' }] },
    see: ({ requests }) => {
      expect(toolTexts(requests[1])[0]).toMatch(/^Bad arguments: text: /);
      expect(toolTexts(requests[2])[1]).toMatch(/^Bad arguments: /);
    },
  },
  {
    name: 'a required variable that nobody has: the function does not run, and the result says which',
    project: desk("tools: ['needs'],", {
      'tools/needs.ts': tool(
        "return { status: 'success', result: 'it ran' };",
        "variables: [{ name: 'CITY', type: 'text', required: true, description: 'Where' }],",
      ),
    }),
    lanes: { '*': [calls('needs'), { text: 'Well.' }] },
    see: ({ requests }) => {
      expect(toolTexts(requests[1])[0]).toContain('requires CITY');
      expect(toolTexts(requests[1])[0]).toContain('Nothing was run.');
    },
  },
  {
    name: 'a function that reports a file that is not there says so in its result',
    project: desk("tools: ['draws'],", {
      'tools/draws.ts': tool(
        "return { status: 'success', result: 'drawn', attachments: ['/attachments/no.png'] };",
      ),
    }),
    lanes: { '*': [calls('draws'), { text: 'Well.' }] },
    see: ({ requests }) =>
      expect(toolTexts(requests[1])[0]).toBe('drawn\n\nThe attachment "/attachments/no.png" is not there.'),
  },
  {
    name: 'a long result is cut for the model, and kept whole',
    project: desk("tools: ['long'],", {
      'tools/long.ts': tool("return { status: 'success', result: 'x'.repeat(200_000) };"),
    }),
    lanes: { '*': [calls('long'), { text: 'Well.' }] },
    see: ({ requests }) => {
      const [text = ''] = toolTexts(requests[1]);
      expect(text).toMatch(/\[cut: 200000 bytes in all\]$/);
      expect(text.length).toBeLessThan(60_000);
    },
  },
  {
    name: 'the next model speaks when one fails, and the one after that',
    project: {
      ...desk(),
      'models/fast.ts': model('fast', "fallbacks: ['slow', 'last'],"),
      'models/slow.ts': model('slow'),
      'models/last.ts': model('last'),
    },
    lanes: {
      fast: [{ error: { status: 503 } }, { text: 'Fast again.' }],
      slow: [{ error: { status: 400 } }],
      last: [{ text: 'Here I am.' }],
    },
    says: ['And now?'],
    see: ({ requests, state }) => {
      expect(requests.map((body) => body.model)).toEqual(['fast-1', 'slow-1', 'last-1', 'fast-1']);
      expect(root(state).messages.map(({ text }) => text)).toEqual([
        'Hello.',
        'Here I am.',
        'And now?',
        'Fast again.',
      ]);
    },
  },
  {
    name: 'a tool that is not there any more: nothing is asked without it, and the reason names it',
    project: desk("tools: ['gone'],"),
    lanes: { '*': [{ text: 'Never.' }] },
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(0);
      expect(root(state).outcome).toMatchObject({ status: 'failed', code: 'E_NAME_UNKNOWN' });
      expect(root(state).outcome?.text).toContain('"gone"');
    },
  },
  {
    name: 'a model whose definition has a price is counted in money by it',
    project: { ...desk(), 'models/fast.ts': model('fast', 'inputPrice: 1_000_000, outputPrice: 2_000_000,') },
    lanes: { '*': [{ text: 'four' }] },
    see: ({ state }) => {
      const { tokens = 0, usd } = state.budget.scopes.run?.spent ?? {};
      expect(usd).toBe(tokens + 1);
    },
  },
  {
    name: 'a model that always fails ends the turn with its reason, and the thread can be spoken to again',
    project: desk(),
    lanes: { '*': [{ error: { status: 400, message: 'not today' } }, { text: 'Better now.' }] },
    says: ['Again?'],
    see: ({ state, requests }) => {
      expect(requests).toHaveLength(2);
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Better now.' });
    },
  },
  {
    name: 'the same call with the same answer again and again is a stall that waits for a person',
    project: withEcho(''),
    lanes: { '*': [SAY, SAY, SAY, { text: 'Sorry.' }] },
    says: ['Stop that.'],
    see: ({ requests, state }) => {
      expect(requests).toHaveLength(4);
      expect(root(state).outcome).toMatchObject({ status: 'done', text: 'Sorry.' });
    },
  },
  {
    name: 'a handoff: the same thread goes on with the other agent, which sees the history',
    project: {
      ...desk("tools: [{ name: 'expert', initUserMessageProperty: 'question' }],"),
      'prompts/expert_prompt.ts': prompt('expert_prompt', 'includeChat: true, includePastTools: true,'),
      'agents/expert.ts': agent(
        'expert',
        "sideA: { prompt: 'expert_prompt' }, exposeAsTool: true, toolDescription: 'Knows more'",
      ),
    },
    lanes: {
      clerk: [calls('expert', { question: 'How deep?' }, 'I ask.')],
      expert_prompt: [{ text: 'Very deep.' }],
    },
    see: ({ requests, state }) => {
      expectSaid(requests[1], [
        'system: I am expert_prompt.',
        'user: Hello.',
        'assistant: I ask.',
        'tool: Handoff complete',
        'user: How deep?',
      ]);
      expect(root(state)).toMatchObject({ agent: 'expert', outcome: { status: 'done', text: 'Very deep.' } });
    },
  },
];

describe('tools and models', () => testCases(CASES));
