import { json, type LargeFile, list } from './large-file.js';

/** What services kept or answered: OpenAI, MCP servers. */
export const SERVICES: readonly LargeFile[] = [
  {
    reader: 'openai',
    what: 'versions',
    path: 'o.json',
    text: (n) =>
      json({
        openai_prompt_id: 'pmpt_1',
        name: 's',
        production_version: '1',
        versions: list(n, (i) => ({
          version: String(i + 1),
          messages: [{ role: 'user', content: 'Hi {{a}}' }],
          config: {},
        })),
      }),
    how: { all: true },
  },
  {
    reader: 'openai',
    what: 'messages',
    path: 'o.json',
    text: (n) =>
      json({
        openai_prompt_id: 'pmpt_1',
        name: 's',
        production_version: '1',
        versions: [
          { version: '1', messages: list(n, () => ({ role: 'user', content: 'Hi {{a}}' })), config: {} },
        ],
      }),
  },
  {
    reader: 'openai',
    what: 'tools',
    path: 'o.json',
    text: (n) =>
      json({
        openai_prompt_id: 'pmpt_1',
        name: 's',
        production_version: '1',
        versions: [
          {
            version: '1',
            messages: [{ role: 'user', content: 'Hi' }],
            config: { tools: list(n, (i) => ({ type: 'function', name: `t${i}`, parameters: {} })) },
          },
        ],
      }),
  },
  {
    reader: 'openai',
    what: 'variables of a response',
    path: 'r.json',
    text: (n) =>
      json({
        object: 'response',
        instructions: [
          { role: 'user', content: [{ type: 'input_text', text: list(n, (i) => `⟦v${i}⟧ `).join('') }] },
        ],
        prompt: {
          id: 'pmpt_1',
          version: '1',
          variables: Object.fromEntries(list(n, (i) => [`v${i}`, `⟦v${i}⟧`])),
        },
      }),
  },
  {
    reader: 'mcp',
    what: 'prompts without answers',
    path: 'm.json',
    text: (n) => json({ prompts: list(n, (i) => ({ prompt: { name: `p${i}` }, renders: [] })) }),
  },
  {
    reader: 'mcp',
    what: 'prompts',
    path: 'm.json',
    text: (n) => json({ prompts: list(n, (i) => answered(`p${i}`, ['a'], ['⟦a⟧ ', '⟦a2⟧ '])) }),
  },
  {
    reader: 'mcp',
    what: 'places of one argument',
    path: 'm.json',
    text: (n) => json({ prompts: [answered('p', ['a'], ['⟦a⟧ '.repeat(n), '⟦a2⟧ '.repeat(n)])] }),
  },
  {
    reader: 'mcp',
    what: 'arguments',
    path: 'm.json',
    text: (n) => {
      const names = list(n, (i) => `v${i}`);
      const texts = ['', '2'].map((more) => names.map((name) => `⟦${name}${more}⟧`).join(' '));
      return json({ prompts: [answered('p', names, texts)] });
    },
  },
  {
    reader: 'mcp',
    what: 'brackets of markers',
    path: 'm.json',
    text: (n) => json({ prompts: [answered('p', ['a'], ['⟦'.repeat(n), '⟦'.repeat(n)])] }),
  },
];

/** A prompt whose arguments are all needed, and what it answers to two calls with markers. */
const answered = (name: string, names: readonly string[], texts: readonly string[]): object => ({
  prompt: { name, arguments: names.map((each) => ({ name: each, required: true })) },
  renders: texts.map((text, call) => ({
    arguments: Object.fromEntries(names.map((each) => [each, `⟦${each}${call === 0 ? '' : '2'}⟧`])),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  })),
});
