import { type Cache, type CacheChange, type CacheOptions, createCache } from '../cache/cache.js';
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
  onChange(listener: (change: CacheChange) => void): void;
  /** Ends when it was called off. */
  readonly ended: Promise<void>;
}

export interface InformerState {
  readonly isSynced: boolean;
  readonly failure?: string;
}

export type InformerOptions = Omit<ReflectOptions, 'onRecovery'> & CacheOptions;

export function startInformer(options: InformerOptions): Informer {
  const cache = createCache(options);
  const listeners: ((change: CacheChange) => void)[] = [];
  let isSynced = false;
  let failure: string | undefined;
  let tellSynced: () => void = () => undefined;
  const synced = new Promise<void>((resolve) => {
    tellSynced = resolve;
  });
  const tell = (changes: readonly CacheChange[]): void => {
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
  return {
    cache,
    synced,
    state: () => ({ isSynced, ...(failure === undefined ? {} : { failure }) }),
    onChange: (listener) => void listeners.push(listener),
    ended,
  };
}
