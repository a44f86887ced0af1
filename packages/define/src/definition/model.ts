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
  /** Not used here: `check` says so. Route at the provider, in `cuebook.yaml`. */
  readonly includedProviders?: readonly string[];
  /** US dollars per million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly cachedPrice?: number;
  readonly capabilities?: ModelCapabilities;
  /** By vendor, handed on as they are. */
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  /** Not used here: `check` says so. Tools are those of the prompt. */
  readonly providerTools?: readonly string[];
}

export interface ModelCapabilities {
  /** Without it images are left out of requests. Taken as true when nothing is said. */
  readonly vision?: boolean;
  /** False: it is not told how much to think. */
  readonly reasoning?: boolean;
  /** False: it is told of no tools. */
  readonly toolCalls?: boolean;
  /** Tokens of a whole request: the history of a thread is condensed to fit. 120,000 when nothing is said. */
  readonly contextLength?: number;
  /** The most tokens that an answer may have. */
  readonly maxOutputTokens?: number;
}
