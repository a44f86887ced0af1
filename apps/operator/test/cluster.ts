import {
  createKubeClient,
  createTransport,
  type KubeClient,
  type KubeObject,
  type Resource,
  startInformer,
  systemClock,
} from '@cuebook/controller';
import { expect } from 'vitest';
import type { ApiServer } from '../../../packages/controller/test/api-server/api-server.js';
import { until } from '../../../packages/controller/test/until.js';
import { type Operator, type OperatorOptions, startOperator } from '../src/operator.js';
import type { AgentStatus } from '../src/plan/status.js';
import { agentsOf, CONFIG_MAPS, DEPLOYMENTS, SECRETS } from '../src/resources.js';
import { type Backend, IS_REAL, openBackend, openDouble } from './backend.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';

export const RESOURCES = {
  agents: agentsOf('cuebook.dev'),
  configMaps: CONFIG_MAPS,
  secrets: SECRETS,
  deployments: DEPLOYMENTS,
} as const satisfies Record<string, Resource>;
export type KindName = keyof typeof RESOURCES;

/** How many times as fast as a real clock the operators of a test live. A real server needs its time. */
export const SPEED = IS_REAL ? 10 : 50;

/** What waits seconds in a cluster waits milliseconds here. */
const clock = {
  ...systemClock,
  after: (ms: number, call: () => void) => systemClock.after(ms / SPEED, call),
};

/** A cluster, in memory or the one of KUBECONFIG, and operators in it that reach it by a way which can be cut. */
export interface Cluster {
  /** The way of the operators. */
  readonly way: FaultProxy;
  readonly namespace: string;
  /** Not by that way. */
  readonly client: KubeClient;
  readonly logs: string[];
  /** An operator that works here. */
  start(more?: Partial<OperatorOptions>): Operator & { readonly leave: () => Promise<void> };
  put(kind: KindName, object: KubeObject): Promise<KubeObject>;
  remove(kind: KindName, name: string): Promise<void>;
  /** As it was last told: a moment behind the server. */
  get(kind: KindName, name: string): KubeObject | undefined;
  /** The system message that the agent would start with. */
  instruction(name: string): string | undefined;
  status(name: string): AgentStatus;
  /** `True`, or why not. */
  accepted(name: string): string | undefined;
  /** Secrets, Deployments and statuses that others than the test wrote since the last call, as `kind name`. */
  writes(): readonly string[];
  until(check: () => void): Promise<void>;
  end(): Promise<void>;
}

/** The cluster that the suite runs against. */
export const openCluster = async (): Promise<Cluster> => clusterAt(await openBackend());

/** One in memory, whatever the suite runs against. */
export async function openClusterInMemory(): Promise<Cluster & { readonly double: ApiServer }> {
  const backend = await openDouble();
  return { ...(await clusterAt(backend)), double: backend.double };
}

async function clusterAt(backend: Backend): Promise<Cluster> {
  const { namespace, connection } = backend;
  const way = await startFaultProxy(connection);
  const transport = createTransport(connection);
  const client = createKubeClient(transport);
  const logs: string[] = [];
  const leaves: (() => Promise<void>)[] = [];
  const mirror = startMirror(client, namespace);
  await mirror.synced;
  const get: Cluster['get'] = (kind, name) => mirror.get(kind, `${namespace}/${name}`);
  const cluster: Cluster = {
    ...{ way, namespace, client, logs },
    start(more = {}) {
      const calledOff = new AbortController();
      const identity = more.identity ?? `replica-${leaves.length + 1}`;
      const own = createTransport({ server: way.url, token: async () => identity });
      const operator = startOperator({
        ...{ client: createKubeClient(own), group: 'cuebook.dev', image: 'agent:1', identity, clock },
        ...{ namespace, leaseNamespace: namespace, signal: calledOff.signal },
        log: (line) => logs.push(line),
        ...more,
      });
      const leave = async (): Promise<void> => {
        calledOff.abort();
        await operator.ended;
        own.close();
      };
      leaves.push(leave);
      return { ...operator, leave };
    },
    async put(kind, object) {
      const resource = RESOURCES[kind];
      const placed = { ...object, metadata: { ...object.metadata, namespace } };
      for (;;) {
        const known = await client.get(resource, { namespace, name: object.metadata.name });
        const { resourceVersion } = known.ok ? known.value.metadata : {};
        const metadata = { ...placed.metadata, ...(resourceVersion && { resourceVersion }) };
        const written = known.ok
          ? await client.replace(resource, { ...placed, metadata })
          : await client.create(resource, placed);
        if (written.ok) return mirror.own(written.value);
        // Somebody else was first.
        if (written.error.status !== 409) throw new Error(written.error.message);
      }
    },
    async remove(kind, name) {
      const done = await client.remove(RESOURCES[kind], { namespace, name });
      if (!done.ok) throw new Error(done.error.message);
    },
    get,
    instruction(name) {
      const data = get('secrets', name)?.data as { readonly 'config.json'?: string } | undefined;
      if (data?.['config.json'] === undefined) return undefined;
      return (JSON.parse(Buffer.from(data['config.json'], 'base64').toString()) as { instruction: string })
        .instruction;
    },
    status: (name) => (get('agents', name)?.status ?? {}) as AgentStatus,
    accepted(name) {
      const found = cluster.status(name).conditions?.find(({ type }) => type === 'Accepted');
      return found?.status === 'True' ? 'True' : found?.message;
    },
    writes: mirror.take,
    until,
    async end() {
      for (const leave of leaves) await leave();
      await mirror.end();
      await way.stop();
      transport.close();
      await backend.end();
    },
  };
  return cluster;
}

/** Follows the objects of a namespace, and tells what others than the test wrote. */
function startMirror(client: KubeClient, namespace: string) {
  const calledOff = new AbortController();
  const own = new Set<string>();
  let writes: { readonly version: string; readonly line: string }[] = [];
  const informers = Object.fromEntries(
    Object.entries(RESOURCES).map(([kind, resource]) => {
      const informer = startInformer({
        ...{ client, resource, clock: systemClock, signal: calledOff.signal, scope: { namespace } },
      });
      informer.onChange((change) => {
        if (change.type === 'removed' || change.type === 'resync' || kind === 'configMaps') return;
        if (change.type === 'updated' && said(change.before) === said(change.object)) return;
        const { name, resourceVersion = '' } = change.object.metadata;
        writes.push({ version: resourceVersion, line: `${kind} ${name}` });
      });
      return [kind, informer];
    }),
  );
  return {
    synced: Promise.all(Object.values(informers).map((each) => each.synced)),
    get: (kind: KindName, key: string) => informers[kind]?.cache.get(key),
    own(object: KubeObject): KubeObject {
      own.add(object.metadata.resourceVersion ?? '');
      return object;
    },
    take(): readonly string[] {
      const taken = writes.filter(({ version }) => !own.has(version)).map(({ line }) => line);
      writes = [];
      return taken;
    },
    count: () => writes.length,
    async end() {
      calledOff.abort();
      await Promise.all(Object.values(informers).map((each) => each.ended));
    },
  };
}

/** What is said of an object, but for what a Deployment's own controller counts. */
function said({ kind, metadata: { labels, annotations = {} }, spec, data, status }: KubeObject): string {
  const kept = Object.entries(annotations).filter(([name]) => !name.startsWith('deployment.kubernetes.io/'));
  return JSON.stringify({ labels, kept, spec, data, ...(kind === 'Agent' ? { status } : {}) });
}

export const configMap = (name: string, data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

export const secret = (name: string, data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  data: Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ),
});

/** An Agent whose message is a template over the sources named. */
export const agent = (
  name: string,
  systemMessage: string,
  sources: readonly (string | { readonly kind: string; readonly name: string })[] = [],
  more: object = {},
): KubeObject => ({
  apiVersion: 'cuebook.dev/v1alpha1',
  kind: 'Agent',
  metadata: { name },
  spec: {
    description: 'A helper',
    declarative: {
      modelConfig: 'default',
      systemMessage,
      promptTemplate: {
        dataSources: sources.map((each) =>
          typeof each === 'string' ? { kind: 'ConfigMap', name: each } : each,
        ),
      },
      ...more,
    },
  },
});

/** The operators ask for nothing more for as long as a look takes. */
export async function settled({ way }: Cluster): Promise<void> {
  let last = -1;
  await expect
    .poll(
      () => {
        const now = way.requests.filter((each) => !/leases|watch$/.test(each)).length;
        const before = last;
        last = now;
        return now === before;
      },
      { interval: IS_REAL ? 600 : 200 },
    )
    .toBe(true);
}
