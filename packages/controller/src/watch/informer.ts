import { type Cache, type CacheChange, type CacheOptions, createCache } from '../cache/cache.js';
import { pause } from '../clock.js';
import type { KubeObject } from '../object.js';
import { type ReflectOptions, reflect } from './reflect.js';

/** A cache that follows the server, and tells its changes to any number of listeners. */
export interface Informer {
  readonly cache: Cache;
  /** Once the first list is in. */
  readonly synced: Promise<void>;
  /** Whether the server answers; the last failure where it does not. */
  readonly state: () => InformerState;
  /** Listeners are called after the cache has changed. One that throws stops nobody else. */
  onChange(listener: (change: InformerChange) => void): void;
  /** Ends when it was called off. */
  readonly ended: Promise<void>;
}

/** A change of the cache; or, from time to time, that an object is as it was: nothing that was missed stays missed. */
export type InformerChange =
  | CacheChange
  | { readonly type: 'resync'; readonly key: string; readonly object: KubeObject };

export interface InformerState {
  readonly isSynced: boolean;
  readonly failure?: string;
}

export type InformerOptions = Omit<ReflectOptions, 'onRecovery'> &
  CacheOptions & {
    /** How often listeners are told every object again. Left out: never. */
    readonly resyncMs?: number;
  };

export function startInformer(options: InformerOptions): Informer {
  const cache = createCache(options);
  const listeners: ((change: InformerChange) => void)[] = [];
  let isSynced = false;
  let failure: string | undefined;
  let tellSynced: () => void = () => undefined;
  const synced = new Promise<void>((resolve) => {
    tellSynced = resolve;
  });
  const tell = (changes: readonly InformerChange[]): void => {
    for (const change of changes)
      for (const listener of listeners)
        try {
          listener(change);
        } catch {
          // A listener only enqueues; what it fails at is its own.
        }
  };
  const ended = reflect(
    {
      replace(items) {
        const changes = cache.replace(items);
        isSynced = true;
        tellSynced();
        tell(changes);
      },
      put: (object: KubeObject) => tell(cache.put(object)),
      remove: (object: KubeObject) => tell(cache.remove(object)),
    },
    {
      ...options,
      onFailure(told, waitMs) {
        failure = told.message;
        options.onFailure?.(told, waitMs);
      },
      onRecovery: () => {
        failure = undefined;
      },
    },
  );
  const { resyncMs, clock, signal, random = Math.random } = options;
  const resync = async (everyMs: number): Promise<void> => {
    await synced;
    while (!signal.aborted) {
      await pause(clock, everyMs * (0.9 + 0.2 * random()), signal);
      if (signal.aborted) return;
      tell(
        cache.keys().flatMap((key) => {
          const object = cache.get(key);
          return object === undefined ? [] : [{ type: 'resync' as const, key, object }];
        }),
      );
    }
  };
  if (resyncMs !== undefined) void resync(resyncMs);
  return {
    cache,
    synced,
    state: () => ({ isSynced, ...(failure === undefined ? {} : { failure }) }),
    onChange: (listener) => void listeners.push(listener),
    ended,
  };
}
