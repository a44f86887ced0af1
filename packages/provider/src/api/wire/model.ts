import type { OpenAIProvider } from '@ai-sdk/openai';

/** A model of the AI SDK, one level below its loops: one request, one stream, no retries and no prompts of its own. */
export type Model = ReturnType<OpenAIProvider['responses']>;

export type CallOptions = Parameters<Model['doStream']>[0];
export type ModelMessage = CallOptions['prompt'][number];
export type ModelTool = Extract<NonNullable<CallOptions['tools']>[number], { readonly type: 'function' }>;
export type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/** Options and metadata that only one vendor knows, by the vendor's name. */
export type VendorOptions = NonNullable<CallOptions['providerOptions']>;
