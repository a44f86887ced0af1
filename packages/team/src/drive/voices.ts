import { createHash } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import {
  type CatalogEntry,
  createProvider,
  type Provider,
  type ProviderConfig,
  priceOf,
  pricesOf,
  providerCatalog,
} from '@cuebook/provider';
import { usesNativeTools } from '../call/native-tools.js';
import type { TeamNode } from '../graph/node.js';

/** The providers of a project, as the drivers of its runs know them. */
export interface Voices {
  /** All that can be spoken with. */
  readonly names: readonly string[];
  /** The provider of a name; made once. */
  find(name: string): Result<Provider, VoiceError>;
  /** What it can do; undefined: there is none of that name. */
  entry(name: string): CatalogEntry | undefined;
  /** Whether its agents use their own tools for files and commands. */
  ownTools(name: string): boolean;
  /** Dollars for a token of input, where the price is known. */
  priceOf(node: Pick<TeamNode, 'provider' | 'model'>): number | undefined;
}

export interface VoiceError {
  readonly code: string;
  readonly message: string;
}

export interface VoiceOptions {
  readonly config: ProviderConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which of them may be spoken with; for who may not, it is as if there were none. Left out: all. */
  readonly speaks?: (entry: CatalogEntry) => boolean;
}

export function createVoices({ config, env, speaks = () => true }: VoiceOptions): Voices {
  const speaking = providerCatalog(config).filter((entry) => !guard('voices.speaks', !speaks(entry)));
  const entries = new Map(speaking.map((entry) => [entry.name, entry]));
  const made = new Map<string, Provider>();
  const prices = pricesOf(config);
  const kindOf = (name: string): string =>
    (Object.hasOwn(config.providers, name) ? config.providers[name]?.kind : undefined) ?? name;
  return {
    names: [...entries.keys()],
    entry: (name) => entries.get(name),
    find(name) {
      const known = made.get(name);
      if (known) return ok(known);
      const { code, message } = unknownVoice(name, [...entries.keys()]);
      if (!entries.has(name)) return fail({ code, message });
      const provider = createProvider(name, { config, env });
      if (provider.ok) made.set(name, provider.value);
      return provider;
    },
    ownTools(name) {
      const kind = kindOf(name);
      // An agent over the Agent Client Protocol brings its tools, unless the person says otherwise.
      if (kind === 'acp') return env[nativeToolsName(name)] !== 'cuebook';
      return usesNativeTools(kind, {}) || usesNativeTools(name, env);
    },
    priceOf({ provider, model }) {
      const kind = kindOf(provider);
      // Both tell their own cost: nothing, and what the program counts itself.
      if (kind === 'rehearsal' || (kind === 'claude' && model === undefined)) return 0;
      const price = model === undefined ? undefined : priceOf(model, prices);
      return price === undefined ? undefined : price.input / 1_000_000;
    },
  };
}

/** What is said of a provider that is not there. */
export const unknownVoice = (name: string, known: readonly string[]): VoiceError => ({
  code: 'E_PROVIDER_CONFIG',
  message: `There is no provider called ${JSON.stringify(name.slice(0, 80))}. There are: ${known.join(', ')}.`,
});

const nativeToolsName = (provider: string): string =>
  `CUEBOOK_${provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_NATIVE_TOOLS`;

/** Hex digits of a text: ids that follow from what they name. */
export const shortDigest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 24);
