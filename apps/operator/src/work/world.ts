import {
  type Informer,
  type KitClock,
  type KubeClient,
  keyOf,
  splitKey,
  startInformer,
} from '@cuebook/controller';
import { sourcesOf } from '../plan/sources.js';
import {
  type AgentGroup,
  agentsOf,
  CONFIG_MAPS,
  DEPLOYMENTS,
  MANAGED_BY,
  MANAGER,
  SECRETS,
} from '../resources.js';

/** What the operator sees of the cluster, kept up to date. */
export interface ClusterView {
  readonly agents: Informer;
  readonly configMaps: Informer;
  readonly secrets: Informer;
  readonly deployments: Informer;
}

export interface ClusterViewOptions {
  readonly client: KubeClient;
  readonly group: AgentGroup;
  /** Left out: all namespaces. */
  readonly namespace?: string | undefined;
  readonly clock: KitClock;
  readonly signal: AbortSignal;
  readonly resyncMs?: number | undefined;
  readonly onFailure?: (kind: string, message: string) => void;
}

const RESYNC_MS = 10 * 60_000;

/** The index that finds the Agents of a source. */
export const BY_SOURCE = 'source';

export function watchWorld(options: ClusterViewOptions): ClusterView {
  const { client, group, namespace, clock, signal, onFailure, resyncMs = RESYNC_MS } = options;
  const follow = (
    resource: typeof SECRETS,
    more: {
      readonly labelSelector?: string;
      readonly indexes?: Record<string, typeof sourcesOf>;
      readonly resyncMs?: number;
    } = {},
  ): Informer => {
    const { indexes = {}, resyncMs: again, ...scope } = more;
    return startInformer({
      ...{ client, resource, clock, signal, indexes },
      scope: { namespace, ...scope },
      ...(again === undefined ? {} : { resyncMs: again }),
      onFailure: ({ message }) => onFailure?.(resource.kind, message),
    });
  };
  return {
    agents: follow(agentsOf(group), { indexes: { [BY_SOURCE]: sourcesOf }, resyncMs }),
    configMaps: follow(CONFIG_MAPS),
    secrets: follow(SECRETS),
    deployments: follow(DEPLOYMENTS, { labelSelector: `${MANAGED_BY}=${MANAGER}` }),
  };
}

/** The Agent that an object was made for, if one was: the name is enough, its look finds out the rest. */
export function agentKeyOf(object: Parameters<typeof keyOf>[0], kind: string): string | undefined {
  const owner = object.metadata.ownerReferences?.find(
    (each) => each.controller === true && each.kind === kind,
  );
  if (owner === undefined) return undefined;
  return keyOf({ metadata: { ...splitKey(keyOf(object)), name: owner.name } });
}
