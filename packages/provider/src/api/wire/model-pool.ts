import type { ApiName } from '../vendor.js';
import { loadModel, type ModelSettings } from './load-model.js';
import type { Model } from './model.js';

/**
 * Models of an SDK that are used one call at a time. Making one takes as long as a short call, most of it schemas; and its
 * `fetch` is the gate of one call, so no two calls may share it.
 */
export interface ModelPool {
  /** Calls a model whose `fetch` is that of the settings until `use` has ended. */
  use<Value>(settings: ModelSettings, use: (model: Model) => Promise<Value>): Promise<Value>;
}

/** Models of one kind that wait for a call, and kinds that are remembered. */
const MAX_IDLE = 16;
const MAX_KINDS = 64;

interface Pooled {
  readonly model: Model;
  fetch: typeof globalThis.fetch;
}

export function createModelPool(api: ApiName): ModelPool {
  const idle = new Map<string, Pooled[]>();
  const make = async (settings: ModelSettings): Promise<Pooled> => {
    const own = { fetch: settings.fetch } as { model: Model; fetch: typeof globalThis.fetch };
    own.model = await loadModel(api, { ...settings, fetch: (url, init) => own.fetch(url, init) });
    return own;
  };
  const rest = (kind: string, pooled: Pooled): void => {
    pooled.fetch = closed;
    const waiting = idle.get(kind) ?? [];
    idle.delete(kind);
    idle.set(kind, waiting);
    if (waiting.length < MAX_IDLE) waiting.push(pooled);
    const [oldest] = idle.keys();
    if (idle.size > MAX_KINDS && oldest !== undefined) idle.delete(oldest);
  };
  return {
    async use(settings, use) {
      const { model, key, baseUrl, headers } = settings;
      const kind = JSON.stringify([model, key, baseUrl, Object.entries(headers)]);
      const pooled = idle.get(kind)?.pop() ?? (await make(settings));
      pooled.fetch = settings.fetch;
      try {
        return await use(pooled.model);
      } finally {
        rest(kind, pooled);
      }
    },
  };
}

/** A call that is over sends nothing more. */
const closed: typeof globalThis.fetch = () => Promise.reject(new TypeError('the call is over'));
