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
      const named = { name: 'compatible', includeUsage: true, supportsStructuredOutputs: true, ...open };
      return createOpenAICompatible(apiKey === '' ? named : { ...named, apiKey }).chatModel(model);
    }
  }
}
