import { createRequire } from 'node:module';
import { interpolateFString, interpolateMustache } from '@langchain/core/prompts';
import type { ChatPromptClient as Chat } from '@langfuse/client';
import { Dotprompt } from 'dotprompt';
import type { Message } from './render.js';

const require = createRequire(import.meta.url);
const { ChatPromptClient } = require('@langfuse/client') as { ChatPromptClient: typeof Chat };
const { Environment } = require('nunjucks') as {
  Environment: new (
    loader: null,
    options: object,
  ) => { renderString: (template: string, values: object) => string };
};
const engine = new Environment(null, { autoescape: false });
const ROLES: Readonly<Record<string, string>> = { System: 'system', Human: 'user', AI: 'assistant' };

interface LangchainMessage {
  readonly id: readonly string[];
  readonly kwargs: {
    readonly prompt: { readonly kwargs: { readonly template: string; readonly template_format?: string } };
  };
}

/** What the official library of a format makes of one of its files, as our writers write them. It may throw. */
export const LIBRARIES: Readonly<
  Record<string, (file: string, values: Readonly<Record<string, unknown>>) => Promise<readonly Message[]>>
> = {
  dotprompt: async (file, values) =>
    (await new Dotprompt().render(file, { input: values })).messages.map(({ role, content }) => ({
      role: role === 'model' ? 'assistant' : role,
      content: content.map((part) => ('text' in part ? part.text : '')).join(''),
    })),
  langfuse: async (file, values) => {
    const [{ type, prompt }] = JSON.parse(file) as [{ type: string; prompt: unknown }];
    const list = type === 'text' ? [{ role: 'user', content: prompt }] : prompt;
    const about = { config: {}, labels: [], tags: [], version: 1, name: 'p', type: 'chat' };
    const client = new ChatPromptClient({ ...about, prompt: list } as never);
    return (
      (client.compile(values as Record<string, string>, {}) as Message[])
        // A place of earlier messages stays where none are given.
        .filter(({ role }) => role !== undefined)
        .map(({ role, content }) => ({ role, content }))
    );
  },
  langchain: async (file, values) =>
    (JSON.parse(file).kwargs.messages as readonly LangchainMessage[]).flatMap(({ id, kwargs }) => {
      if (id.at(-1) === 'MessagesPlaceholder') return [];
      const { template, template_format: format } = kwargs.prompt.kwargs;
      const fill = format === 'mustache' ? interpolateMustache : interpolateFString;
      const role = ROLES[(id.at(-1) ?? '').replace('MessagePromptTemplate', '')] ?? '';
      return [{ role, content: fill(template, values) }];
    }),
  promptfoo: async (file, values) => {
    const { prompts } = JSON.parse(file) as { prompts: readonly { raw: string }[] };
    const chat = JSON.parse(prompts[0]?.raw ?? '') as readonly Message[];
    return chat.map(({ role, content }) => ({ role, content: engine.renderString(content, values) }));
  },
};
