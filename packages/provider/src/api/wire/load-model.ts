import type { Endpoint } from '../endpoint.js';
import type { ApiName } from '../vendor.js';
import type { Model } from './model.js';

export interface ModelSettings extends Endpoint {
  readonly model: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof globalThis.fetch;
}

/** A model of one API. Its SDK is loaded when it is first used: each takes its time. */
export async function loadModel(api: ApiName, { model, ...settings }: ModelSettings): Promise<Model> {
  const { key, baseUrl, headers, fetch } = settings;
  const usual = { apiKey: key, baseURL: baseUrl, headers, fetch };
  switch (api) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(usual).responses(model);
    case 'openai-chat':
      return (await import('@ai-sdk/openai')).createOpenAI(usual).chat(model);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(usual)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(usual)(model);
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const { apiKey, ...open } = usual;
      const own = THINKS.test(model) ? { transformRequestBody: withReasoning } : {};
      const named = {
        name: 'compatible',
        ...{ includeUsage: true, supportsStructuredOutputs: true, ...own, ...open },
      };
      return createOpenAICompatible(apiKey === '' ? named : { ...named, apiKey }).chatModel(model);
    }
  }
}

/** Models that refuse a history in which an answer with calls does not tell what was thought before it. */
const THINKS = /deepseek/i;

/** Thoughts of another process are lost: an answer with calls tells that there were none. */
function withReasoning(body: Record<string, unknown>): Record<string, unknown> {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const told = messages.map((message: unknown) => {
    const isAnswer = typeof message === 'object' && message !== null && 'tool_calls' in message;
    return isAnswer && !('reasoning_content' in message) ? { ...message, reasoning_content: '' } : message;
  });
  return { ...body, messages: told };
}
