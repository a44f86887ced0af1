import { BUILT_IN_PRICES } from '../price/built-in.js';
import type { PriceTable } from '../price/price.js';
import { type StreamClock, systemClock } from '../stream/clock.js';
import { runTurn } from '../stream/run-turn.js';
import { type Sleep, sleep } from '../stream/sleep.js';
import type { Provider, ProviderCapabilities, Session, SessionOptions } from '../turn.js';
import { type EndpointOptions, findEndpoint } from './endpoint.js';
import { createAnswerForms } from './request/answer-forms.js';
import { createForecast, estimateTokens } from './request/cache-forecast.js';
import { createThoughtMemory } from './request/thoughts.js';
import { type SpeakParts, speakOnce } from './speak.js';
import { type ApiName, VENDORS } from './vendor.js';
import { createModelPool } from './wire/model-pool.js';

export interface ApiOptions extends EndpointOptions {
  readonly api: ApiName;
  /** How the provider is called; left out: the name of the API. */
  readonly name?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where keys and addresses are looked up when a session opens; left out: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For predictions; left out: an estimate. */
  readonly countTokens?: (text: string) => number;
  readonly prices?: PriceTable;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: StreamClock;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

/**
 * What a model API can do. It keeps no session: the history travels in each request, so any process goes on.
 * Tools are run by the caller, who asks whom it likes before.
 */
export const API_CAPABILITIES: ProviderCapabilities = {
  streams: true,
  resumes: true,
  interrupts: true,
  approves: false,
  changesInput: false,
  planning: false,
  nativeTools: true,
};

/** A model API as a provider. Every turn sends the full prompt; `delta` is for those who keep the history. */
export function createApiProvider(options: ApiOptions): Provider {
  const vendor = VENDORS[options.api];
  const name = options.name ?? vendor.name;
  const { clock = systemClock } = options;
  const forecast = createForecast(vendor.cache, clock);
  const forms = createAnswerForms(vendor.name);
  const models = createModelPool(vendor.name);
  return {
    name,
    kind: 'api',
    capabilities: API_CAPABILITIES,
    open: (session) => openSession(session),
  };

  function openSession({ model, redactor }: SessionOptions): Session {
    const endpoint = findEndpoint(vendor, options, options.env ?? process.env);
    const closing = new AbortController();
    const thoughts = createThoughtMemory();
    const voice = (found: SpeakParts['endpoint']): SpeakParts => ({
      vendor,
      endpoint: found,
      ...(model !== undefined && { model }),
      headers: { ...options.headers },
      models,
      fetch: options.fetch ?? globalThis.fetch,
      redactor,
      thoughts,
      forms,
      forecast,
      countTokens: options.countTokens ?? estimateTokens,
      prices: options.prices ?? BUILT_IN_PRICES,
      clock,
      sleep: options.sleep ?? sleep,
      random: options.random ?? Math.random,
    });
    return {
      turn: (input) =>
        runTurn({
          provider: name,
          session: model === undefined ? {} : { model },
          input: {
            ...input,
            signal: AbortSignal.any([closing.signal, ...(input.signal ? [input.signal] : [])]),
          },
          redactor,
          telemetry: { operation: 'chat', vendor: vendor.system },
          clock,
          speak: async (turn) => {
            if (!endpoint.ok) return { reason: 'error', error: endpoint.error };
            return speakOnce(turn, voice(endpoint.value));
          },
        }),
      close: async () => closing.abort(),
    };
  }
}
