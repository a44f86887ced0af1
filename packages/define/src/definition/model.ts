import type { ModelName } from './names.js';

/** A model under a name of the project's own. */
export interface ModelDefinition<Name extends string = string> {
  readonly name: Name;
  /** A provider of `cuebook.yaml` by name, or a factory as the original takes it, told by its name. */
  readonly provider: string | ((...args: never[]) => unknown);
  /** The model's id at the provider. */
  readonly model: string;
  /** Models to try next, in order. */
  readonly fallbacks?: readonly ModelName[];
  readonly includedProviders?: readonly string[];
  /** US dollars per million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly cachedPrice?: number;
  readonly capabilities?: ModelCapabilities;
  /** By vendor, handed on as they are. */
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  readonly providerTools?: readonly string[];
}

export interface ModelCapabilities {
  /** Without it images are left out of requests. Taken as true when nothing is said. */
  readonly vision?: boolean;
  readonly reasoning?: boolean;
  readonly toolCalls?: boolean;
  readonly contextLength?: number;
  readonly maxOutputTokens?: number;
}
