import { backoffMs } from '../backoff.js';
import type { KubeClient, Scope, WatchEvent } from '../client/client.js';
import { isGone, type KubeFailure } from '../client/failure.js';
import { type KitClock, pause } from '../clock.js';
import type { KubeObject } from '../object.js';
import type { Resource } from '../resource.js';

/** Who is told what the server has. */
export interface Reflection {
  /** All there is now. The first call means that the beginning is known. */
  replace(items: readonly KubeObject[]): void;
  put(object: KubeObject): void;
  remove(object: KubeObject): void;
}

export interface ReflectOptions {
  readonly client: KubeClient;
  readonly resource: Resource;
  readonly scope?: Scope;
  readonly clock: KitClock;
  readonly random?: () => number;
  readonly signal: AbortSignal;
  /** Told of every failure, with the time until the next try. */
  readonly onFailure?: (failure: KubeFailure, waitMs: number) => void;
  /** Told whenever the server answers after a failure. */
  readonly onRecovery?: () => void;
}

const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** A watch is ended by the server after so many seconds, each at another moment. */
const WATCH_SECONDS = { least: 300, more: 300 };

/**
 * Keeps telling what a kind has, until it is called off: a list, then every change. Whatever breaks is begun again: a
 * dropped connection goes on from the last version that was told, a version that the server does not keep any more leads
 * to a new list, and a server that is away is asked again, less and less often. Never rejects.
 */
export async function reflect(into: Reflection, options: ReflectOptions): Promise<void> {
  const { client, resource, scope = {}, clock, random = Math.random, signal } = options;
  let failures = 0;
  const failed = async (failure: KubeFailure): Promise<void> => {
    const waitMs = Math.max(backoffMs(failures, { ...BACKOFF, random }), failure.retryAfterMs ?? 0);
    failures += 1;
    options.onFailure?.(failure, waitMs);
    await pause(clock, waitMs, signal);
  };
  const answered = (): void => {
    if (failures > 0) options.onRecovery?.();
    failures = 0;
  };
  let from: string | undefined;
  while (!signal.aborted) {
    if (from === undefined) {
      const listed = await client.list(resource, scope, signal);
      if (signal.aborted) return;
      if (!listed.ok) {
        await failed(listed.error);
        continue;
      }
      answered();
      from = listed.value.resourceVersion;
      into.replace(listed.value.items);
    }
    const seconds = Math.round(WATCH_SECONDS.least + WATCH_SECONDS.more * random());
    const watched = client.watch(resource, { ...scope, resourceVersion: from, seconds }, signal);
    const end = await follow(watched, into, (version) => {
      answered();
      from = version;
    });
    if (signal.aborted || end === 'ended') continue;
    if (isGone(end)) from = undefined;
    else await failed(end);
  }
}

/** Tells the events of one watch. Answers why it is over. */
async function follow(
  events: AsyncIterable<WatchEvent>,
  into: Reflection,
  onVersion: (version: string) => void,
): Promise<KubeFailure | 'ended'> {
  for await (const event of events) {
    if (event.type === 'ERROR') return event.failure;
    if (event.type === 'ADDED' || event.type === 'MODIFIED') into.put(event.object);
    if (event.type === 'DELETED') into.remove(event.object);
    const version = event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion;
    if (version) onVersion(version);
  }
  return 'ended';
}
