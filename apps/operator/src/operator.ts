import { setMaxListeners } from 'node:events';
import {
  type CacheChange,
  createKeyQueue,
  createMetrics,
  elect,
  type KitClock,
  type KubeClient,
  type KubeObject,
  type Metrics,
  runController,
} from '@cuebook/controller';
import { canonical } from './plan/hash.js';
import { sourceKey } from './plan/sources.js';
import { readiness } from './plan/status.js';
import type { AgentGroup } from './resources.js';
import { reconcileAgent } from './work/reconcile.js';
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
  readonly election?: Parameters<typeof elect>[0]['times'];
}

export interface Operator {
  /** Why it cannot work now; undefined: it can. */
  unready(): string | undefined;
  readonly metrics: Metrics;
  /** Once it was called off and all is done. */
  readonly ended: Promise<void>;
}

/** Looks after the Agents of a cluster while it leads; every replica keeps its sight of the cluster warm. */
export function startOperator(options: OperatorOptions): Operator {
  const { client, clock, signal, log, workers = 8 } = options;
  const metrics = createMetrics(METRICS);
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
    const queue = createKeyQueue({ clock });
    const writer = createWriter(client, (object) => {
      const key = agentKeyOf(object, 'Agent');
      if (key !== undefined) queue.add(key);
    });
    const stopListening = listen(world, writer.isWriting, (key) => queue.add(key));
    for (const key of world.agents.cache.keys()) queue.add(key);
    await runController({
      queue,
      workers,
      signal: office,
      reconcile: (key) => reconcileAgent(key, { ...options, world, writer }),
      onReconciled(key, outcome, ms) {
        metrics.count('cuebook_reconciles_total', { outcome: outcome.type });
        metrics.observe('cuebook_reconcile_seconds', ms / 1000);
        metrics.set('cuebook_queue_depth', queue.waiting);
        if (outcome.type !== 'done') log(`${key}: ${outcome.message}`);
      },
    });
    stopListening();
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
  return {
    unready: () => (world.agents.state().isSynced ? undefined : 'The Agents are not known yet.'),
    metrics,
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
  add: (key: string) => void,
): () => void {
  let isOver = false;
  const on = (informer: ClusterView['agents'], hear: (change: CacheChange) => void): void =>
    informer.onChange((change) => {
      if (!isOver) hear(change);
    });
  const sourceOf = (kind: string) => (change: CacheChange) => {
    for (const key of agents.cache.keysBy(BY_SOURCE, sourceKey(kind, change.key))) add(key);
  };
  const owned = (change: CacheChange): void => {
    const key = agentKeyOf(change.object, 'Agent');
    if (key !== undefined && !isWriting(change.object) && isWorthALook(change)) add(key);
  };
  on(agents, (change) => {
    if (change.type !== 'updated' || !isSameAgent(change.before, change.object)) add(change.key);
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
function isWorthALook(change: CacheChange): boolean {
  if (change.type !== 'updated') return true;
  const { before, object } = change;
  const said = ({ metadata: { annotations, labels, ownerReferences }, spec, data }: KubeObject) =>
    canonical({ annotations, labels, ownerReferences, spec, data });
  return said(before) !== said(object) || readiness(before).message !== readiness(object).message;
}

const METRICS = {
  cuebook_reconciles_total: { kind: 'counter', help: 'Looks at Agents, by what came of them.' },
  cuebook_reconcile_seconds: { kind: 'histogram', help: 'Seconds that a look at an Agent takes.' },
  cuebook_queue_depth: { kind: 'gauge', help: 'Agents that wait for a look.' },
  cuebook_watch_failures_total: { kind: 'counter', help: 'Lists and watches that failed, by kind.' },
} as const;
