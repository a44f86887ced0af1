import { json } from './large-file.js';

// What files of Langfuse and LangChain are made of.

export const langfuse = (prompt: unknown, more: object = {}): object => ({
  name: 'p',
  version: 1,
  type: typeof prompt === 'string' ? 'text' : 'chat',
  prompt,
  config: {},
  tags: [],
  labels: ['production'],
  commitMessage: null,
  ...more,
});
const prompts = (id: string): readonly string[] => ['langchain_core', 'prompts', 'x', id];
export const lc = (id: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: prompts(id),
  kwargs,
});
export const human = (template: string, format: string): object =>
  lc('HumanMessagePromptTemplate', {
    prompt: lc('PromptTemplate', { input_variables: [], template_format: format, template }),
  });
export const chat = (messages: readonly object[], more: object = {}): string =>
  json(lc('ChatPromptTemplate', { input_variables: [], messages, ...more }));
