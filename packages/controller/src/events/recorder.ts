import { createHash } from 'node:crypto';
import type { KubeClient } from '../client/client.js';
import type { KitClock } from '../clock.js';
import type { KubeObject } from '../object.js';
import type { Resource } from '../resource.js';

/** Something that people who look at an object should know. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  /** One word, for filters: `ReconcileFailed`. */
  readonly reason: string;
  readonly message: string;
}

/** Tells events of objects. It never fails and never waits: an event that cannot be written is passed over. */
export interface EventRecorder {
  record(object: KubeObject, event: ObjectEvent): void;
  /** Once all that was told so far is written or passed over. */
  settled(): Promise<void>;
}

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: KitClock;
  /** Who tells it: the controller, and which replica of it. */
  readonly component: string;
  readonly instance: string;
  /** Told of every event that was not written. */
  readonly onDropped?: (why: string) => void;
}

const EVENTS: Resource = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
/** An object may tell so many at once, and then one each five minutes. */
const BURST = 25;
const REFILL_MS = 5 * 60_000;
/** The same event within this time is counted, not told again. */
const SAME_MS = 10 * 60_000;
const MAX_WAITING = 1_000;
const MAX_KNOWN = 5_000;
const MAX_MESSAGE = 1_000;

interface KnownEvent {
  readonly name: string;
  readonly first: string;
  readonly at: number;
  readonly count: number;
}

/** Events as `kubectl describe` shows them. One that repeats becomes a count; one object cannot flood the others. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, component, instance, onDropped } = options;
  const known = new Map<string, KnownEvent>();
  const budgets = new Map<string, { left: number; at: number }>();
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;

  const isAffordable = (uid: string): boolean => {
    const now = clock.now();
    const before = budgets.get(uid) ?? { left: BURST, at: now };
    const earned = Math.floor((now - before.at) / REFILL_MS);
    const left = Math.min(BURST, before.left + earned);
    budgets.delete(uid);
    budgets.set(uid, {
      left: Math.max(0, left - 1),
      at: earned > 0 ? before.at + earned * REFILL_MS : before.at,
    });
    forgetOldest(budgets);
    return left > 0;
  };

  const eventOf = (object: KubeObject, event: ObjectEvent): KubeObject => {
    const { name, namespace = 'default', uid = '', resourceVersion } = object.metadata;
    const message = event.message.slice(0, MAX_MESSAGE);
    const id = `${uid} ${event.type} ${event.reason} ${message}`;
    const stamp = `${clock.date().toISOString().slice(0, 19)}Z`;
    const before = known.get(id);
    const isSame = before !== undefined && clock.now() - before.at < SAME_MS;
    const digest = createHash('sha256').update(`${id} ${instance} ${stamp}`).digest('hex').slice(0, 16);
    const now: KnownEvent = isSame
      ? { ...before, at: clock.now(), count: before.count + 1 }
      : { name: `${name.slice(0, 200)}.${digest}`, first: stamp, at: clock.now(), count: 1 };
    known.delete(id);
    known.set(id, now);
    forgetOldest(known);
    const { apiVersion, kind } = object;
    return {
      ...{ apiVersion: 'v1', kind: 'Event', metadata: { name: now.name, namespace } },
      involvedObject: { apiVersion, kind, name, namespace, uid, ...(resourceVersion && { resourceVersion }) },
      ...{ type: event.type, reason: event.reason, message },
      ...{ firstTimestamp: now.first, lastTimestamp: stamp, count: now.count },
      ...{
        source: { component, host: instance },
        reportingComponent: component,
        reportingInstance: instance,
      },
    };
  };

  return {
    record(object, event) {
      if (!isAffordable(object.metadata.uid ?? '')) return onDropped?.('too many of one object');
      if (waiting >= MAX_WAITING) return onDropped?.('too many at once');
      const told = eventOf(object, event);
      waiting += 1;
      last = last.then(async () => {
        const written = await client.apply(EVENTS, told, { manager: component, force: true });
        waiting -= 1;
        if (!written.ok) onDropped?.(written.error.message);
      });
    },
    settled: () => last,
  };
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= MAX_KNOWN) return;
    map.delete(key);
  }
}
