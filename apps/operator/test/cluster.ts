import { createKubeClient, createTransport, type KubeObject, systemClock } from '@cuebook/controller';
import { expect } from 'vitest';
import { type ApiServer, startApiServer } from '../../../packages/controller/test/api-server/api-server.js';
import { until } from '../../../packages/controller/test/until.js';
import { type Operator, type OperatorOptions, startOperator } from '../src/operator.js';
import type { AgentStatus } from '../src/plan/status.js';

export const KINDS = {
  agents: 'cuebook.dev/v1alpha1/agents',
  configMaps: 'v1/configmaps',
  secrets: 'v1/secrets',
  deployments: 'apps/v1/deployments',
} as const;

/** What waits seconds in a cluster waits milliseconds here. */
const clock = {
  ...systemClock,
  after: (ms: number, call: () => void) => systemClock.after(ms / 50, call),
};

/** A cluster in memory, and operators in it. */
export interface Cluster {
  readonly server: ApiServer;
  readonly logs: string[];
  /** An operator that works here. */
  start(more?: Partial<OperatorOptions>): Operator & { readonly leave: () => Promise<void> };
  put(kind: keyof typeof KINDS, object: KubeObject): KubeObject;
  remove(kind: keyof typeof KINDS, name: string): void;
  get(kind: keyof typeof KINDS, name: string): KubeObject | undefined;
  /** The system message that the agent would start with. */
  instruction(name: string): string | undefined;
  status(name: string): AgentStatus;
  /** `True`, or why not. */
  accepted(name: string): string | undefined;
  /** Writes since the last call, of everything but leases. */
  writes(): readonly string[];
  /** Once nothing was written for a while, and it is as told. */
  until(check: () => void): Promise<void>;
  end(): Promise<void>;
}

export async function openCluster(): Promise<Cluster> {
  const server = await startApiServer();
  const { storage } = server;
  const logs: string[] = [];
  const leaves: (() => Promise<void>)[] = [];
  let counted = 0;
  const at = (name: string) => `default/${name}`;
  const get: Cluster['get'] = (kind, name) => storage.get(KINDS[kind], at(name));
  const cluster: Cluster = {
    server,
    logs,
    start(more = {}) {
      const calledOff = new AbortController();
      const identity = more.identity ?? `replica-${leaves.length + 1}`;
      const transport = createTransport({ server: server.url, token: async () => identity });
      const operator = startOperator({
        ...{ client: createKubeClient(transport), group: 'cuebook.dev', image: 'agent:1', identity, clock },
        ...{ leaseNamespace: 'default', signal: calledOff.signal, log: (line) => logs.push(line) },
        ...more,
      });
      const leave = async (): Promise<void> => {
        calledOff.abort();
        await operator.ended;
        transport.close();
      };
      leaves.push(leave);
      return { ...operator, leave };
    },
    put(kind, object) {
      const key = at(object.metadata.name);
      const placed = { ...object, metadata: { ...object.metadata, namespace: 'default' } };
      const known = storage.get(KINDS[kind], key);
      const written =
        known === undefined
          ? storage.create(KINDS[kind], key, placed)
          : storage.replace(
              KINDS[kind],
              key,
              { ...placed, metadata: { ...known.metadata, ...placed.metadata } },
              false,
            );
      if (!('object' in written)) throw new Error(written.refusal.message);
      return written.object;
    },
    remove: (kind, name) => void storage.remove(KINDS[kind], at(name)),
    get,
    instruction(name) {
      const data = get('secrets', name)?.data as { readonly 'config.json': string } | undefined;
      if (data === undefined) return undefined;
      return (JSON.parse(Buffer.from(data['config.json'], 'base64').toString()) as { instruction: string })
        .instruction;
    },
    status: (name) => (get('agents', name)?.status ?? {}) as AgentStatus,
    accepted(name) {
      const found = cluster.status(name).conditions?.find(({ type }) => type === 'Accepted');
      return found?.status === 'True' ? 'True' : found?.message;
    },
    writes() {
      const all = storage.writes.filter((each) => !each.includes('/leases '));
      const rows = all.slice(counted);
      counted = all.length;
      return rows;
    },
    until,
    async end() {
      for (const leave of leaves) await leave();
      await server.stop();
    },
  };
  return cluster;
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

/** Nothing more is written for as long as a look takes. */
export async function settled(cluster: Cluster): Promise<void> {
  let last = -1;
  await expect
    .poll(
      () => {
        const now = cluster.server.storage.writes.filter((each) => !each.includes('/leases ')).length;
        const before = last;
        last = now;
        return now === before;
      },
      { interval: 200 },
    )
    .toBe(true);
}
