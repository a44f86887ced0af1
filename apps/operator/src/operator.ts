import { setMaxListeners } from 'node:events';
import {
  createEventRecorder,
  createKeyQueue,
  createMetrics,
  elect,
  type InformerChange,
  type KitClock,
  type KubeClient,
  type KubeObject,
  keyOf,
  type Metrics,
  runController,
} from '@cuebook/controller';
import { canonical } from './plan/hash.js';
import { sourceKey } from './plan/sources.js';
import { type AgentStatus, readiness } from './plan/status.js';
import { type AgentGroup, MANAGER } from './resources.js';
import type { ReviewView } from './webhook/review.js';
import { reconcileAgent } from './work/reconcile.js';
import { useOf } from './work/source-use.js';
import { agentKeyOf, BY_SOURCE, type ClusterView, watchWorld } from './work/world.js';
import { createWriter } from './work/write.js';

export interface OperatorOptions {
  readonly client: KubeClient;
  readonly group: AgentGroup;
  /** The namespace whose Agents are looked after. Left out: all. */
  readonly namespace?: string | undefined;
  /** The image of agents that name none. */
  readonly image?: string | undefined;
  /** Who stands for leader, and where the lease is. */
  readonly identity: string;
  readonly leaseNamespace: string;
  readonly clock: KitClock;
  /** Ends it: what is at work ends, and the lease is given back. */
  readonly signal: AbortSignal;
  /** A line for each thing that people should know. No words of prompts. */
  readonly log: (line: string) => void;
  readonly workers?: number;
  /** How often every Agent is looked at though nothing was told of it. */
  readonly resyncMs?: number;
  readonly election?: Parameters<typeof elect>[0]['times'];
}

export interface Operator {
  /** Why it cannot work now; undefined: it can. */
  unready(): string | undefined;
  /** Why it should be ended and started anew; undefined: it lives. */
  sick(): string | undefined;
  readonly metrics: Metrics;
  /** What a webhook answers from. */
  readonly view: ReviewView;
  /** Once it was called off and all is done. */
  readonly ended: Promise<void>;
}

/** Looks after the Agents of a cluster while it leads; every replica keeps its sight of the cluster warm. */
export function startOperator(options: OperatorOptions): Operator {
  const { client, clock, signal, log, workers = 8 } = options;
  const begun = new Map<string, number>();
  let isLeader = false;
  const metrics = createMetrics(METRICS, () => measureWorld(metrics, world, isLeader));
  // Every call that is under way listens to it.
  setMaxListeners(0, signal);
  const world = watchWorld({
    ...options,
    onFailure(kind, message) {
      metrics.count('cuebook_watch_failures_total', { kind });
      log(`watching ${kind}s failed, trying again: ${message}`);
    },
  });
  const lead = async (office: AbortSignal): Promise<void> => {
    await Promise.race([whenSynced(world), ended(office)]);
    if (office.aborted) return;
    log(`leads, with ${world.agents.cache.size} Agents`);
    isLeader = true;
    const events = createEventRecorder({
      ...{ client, clock, component: MANAGER, instance: options.identity },
      onDropped: () => metrics.count('cuebook_events_dropped_total'),
    });
    const queue = createKeyQueue({ clock });
    const writer = createWriter(client, {
      onWritten: (kind) => metrics.count('cuebook_writes_total', { kind }),
      onOther(object) {
        const key = agentKeyOf(object, 'Agent');
        if (key !== undefined) queue.add(key);
      },
    });
    // Of many edits in a row the last one counts: pods are not rolled for each of them.
    const looked = new Map<string, number>();
    const addSoon = (key: string): void => {
      const passed = clock.now() - (looked.get(key) ?? Number.NEGATIVE_INFINITY);
      if (passed < QUIET_MS) queue.addAfter(key, QUIET_MS - passed);
      else queue.add(key);
    };
    const stopListening = listen(world, writer.isWriting, {
      add: addSoon,
      // Spread, so that a look at all is no burst.
      addSome: (key) => queue.addAfter(key, Math.random() * RESYNC_SPREAD_MS),
    });
    for (const key of world.agents.cache.keys()) queue.add(key);
    await runController({
      queue,
      workers,
      signal: office,
      reconcile(key) {
        begun.set(key, clock.now());
        looked.set(key, clock.now());
        return reconcileAgent(key, { ...options, world, writer, events });
      },
      onReconciled(key, outcome, ms) {
        begun.delete(key);
        if (world.agents.cache.get(key) === undefined) looked.delete(key);
        else looked.set(key, clock.now());
        if (outcome.type === 'transient') metrics.count('cuebook_retries_total');
        metrics.count('cuebook_reconciles_total', { outcome: outcome.type });
        metrics.observe('cuebook_reconcile_seconds', ms / 1000);
        metrics.set('cuebook_queue_depth', queue.waiting);
        if (outcome.type !== 'done') log(`${key}: ${outcome.message}`);
      },
    });
    stopListening();
    isLeader = false;
    begun.clear();
    // Events are worth a moment, not the wait for a server that is away.
    await Promise.race([events.settled(), new Promise<void>((resolve) => clock.after(2_000, resolve))]);
  };
  const work = elect(
    {
      ...{ client, clock, signal, identity: options.identity },
      ...{ namespace: options.leaseNamespace, name: 'cuebook-operator' },
      onLeader: (identity) => log(`${identity} is the leader`),
      ...(options.election === undefined ? {} : { times: options.election }),
    },
    lead,
  );
  const all = [world.agents, world.configMaps, world.secrets, world.deployments];
  const { agents, configMaps, secrets, deployments } = world;
  return {
    // Secrets may be forbidden, and the Agents without them work.
    unready() {
      const waits = Object.entries({ Agents: agents, ConfigMaps: configMaps, Deployments: deployments });
      const [missing] = waits.filter(([, informer]) => !informer.state().isSynced);
      return missing === undefined ? undefined : `The ${missing[0]} are not known yet.`;
    },
    sick() {
      for (const [key, at] of begun)
        if (clock.now() - at > STUCK_MS) return `A look at ${key} does not come to an end.`;
      return undefined;
    },
    metrics,
    view: {
      find: (kind, key) => (kind === 'Secret' ? secrets : configMaps).cache.get(key),
      agentsOf: (kind, key) =>
        agents.cache
          .keysBy(BY_SOURCE, sourceKey(kind, key))
          .flatMap((each) => agents.cache.get(each) ?? [])
          .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    },
    ended: Promise.all([work, ...all.map((each) => each.ended)]).then(() => undefined),
  };
}

/** Secrets may be forbidden: then only the Agents that use them have to wait. */
const whenSynced = ({ agents, configMaps, deployments }: ClusterView): Promise<unknown> =>
  Promise.all([agents.synced, configMaps.synced, deployments.synced]);

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Adds the Agents that a change concerns. */
function listen(
  { agents, configMaps, secrets, deployments }: ClusterView,
  isWriting: (object: KubeObject) => boolean,
  { add, addSome }: { readonly add: (key: string) => void; readonly addSome: (key: string) => void },
): () => void {
  let isOver = false;
  const on = (informer: ClusterView['agents'], hear: (change: InformerChange) => void): void =>
    informer.onChange((change) => {
      if (!isOver) hear(change);
    });
  const sourceOf = (kind: 'ConfigMap' | 'Secret') => (change: InformerChange) => {
    const isUsed = useOf(kind, change);
    for (const key of agents.cache.keysBy(BY_SOURCE, sourceKey(kind, change.key))) {
      const agent = agents.cache.get(key);
      if (agent !== undefined && isUsed(agent)) add(key);
    }
  };
  const owned = (change: InformerChange): void => {
    const key = agentKeyOf(change.object, 'Agent');
    if (key !== undefined && !isWriting(change.object) && isWorthALook(change)) add(key);
  };
  on(agents, (change) => {
    if (change.type === 'resync') addSome(change.key);
    else if (change.type !== 'updated' || !isSameAgent(change.before, change.object)) add(change.key);
  });
  on(configMaps, sourceOf('ConfigMap'));
  on(secrets, sourceOf('Secret'));
  on(secrets, owned);
  on(deployments, owned);
  return () => {
    isOver = true;
  };
}

/** A status is what we write: only what people say is news. */
const isSameAgent = (a: KubeObject, b: KubeObject): boolean =>
  a.metadata.generation === b.metadata.generation &&
  a.metadata.deletionTimestamp === b.metadata.deletionTimestamp;

/** Whether an object of ours is another than it was, beyond what its own controller counts. */
function isWorthALook(change: InformerChange): boolean {
  if (change.type !== 'updated') return true;
  const { before, object } = change;
  const said = ({ metadata: { annotations, labels, ownerReferences }, spec, data }: KubeObject) =>
    canonical({ annotations, labels, ownerReferences, spec, data });
  return said(before) !== said(object) || readiness(before).message !== readiness(object).message;
}

/** A look takes milliseconds, and its calls end after half a minute without a byte. */
const STUCK_MS = 10 * 60_000;
/** Between two looks at an Agent, where edits come faster than that. */
const QUIET_MS = 1_000;
const RESYNC_SPREAD_MS = 60_000;

/** Numbers that are looked up when somebody asks. */
function measureWorld(metrics: Metrics, world: ClusterView, isLeader: boolean): void {
  const { agents, configMaps, secrets, deployments } = world;
  metrics.set('cuebook_leader', isLeader ? 1 : 0);
  for (const [kind, { cache }] of Object.entries({ agents, configMaps, secrets, deployments }))
    metrics.set('cuebook_cached_objects', cache.size, { kind });
  const accepted = { True: 0, False: 0, Unknown: 0 };
  for (const key of agents.cache.keys()) {
    const status = (agents.cache.get(key)?.status ?? {}) as AgentStatus;
    accepted[status.conditions?.find(({ type }) => type === 'Accepted')?.status ?? 'Unknown'] += 1;
  }
  for (const [status, number] of Object.entries(accepted))
    metrics.set('cuebook_agents', number, { accepted: status });
  const { rss } = process.memoryUsage();
  metrics.set('process_resident_memory_bytes', rss);
  const { user, system } = process.cpuUsage();
  metrics.set('process_cpu_seconds_total', (user + system) / 1e6);
}

const METRICS = {
  cuebook_reconciles_total: { kind: 'counter', help: 'Reconciliations of Agents, by outcome.' },
  cuebook_reconcile_seconds: { kind: 'histogram', help: 'Seconds that a look at an Agent takes.' },
  cuebook_queue_depth: { kind: 'gauge', help: 'Agents that wait for a look.' },
  cuebook_watch_failures_total: { kind: 'counter', help: 'Lists and watches that failed, by kind.' },
  cuebook_writes_total: { kind: 'counter', help: 'Objects that were written, by kind.' },
  cuebook_retries_total: { kind: 'counter', help: 'Looks that are tried again by themselves.' },
  cuebook_events_dropped_total: { kind: 'counter', help: 'Events of objects that were not written.' },
  cuebook_reviews_total: { kind: 'counter', help: 'Reviews of the webhook, by answer.' },
  cuebook_leader: { kind: 'gauge', help: 'Whether this replica leads.' },
  cuebook_agents: { kind: 'gauge', help: 'Agents, by their Accepted condition.' },
  cuebook_cached_objects: { kind: 'gauge', help: 'Objects in memory, by kind.' },
  process_resident_memory_bytes: { kind: 'gauge', help: 'Resident memory in bytes.' },
  process_cpu_seconds_total: { kind: 'counter', help: 'Processor time in seconds.' },
} as const;
