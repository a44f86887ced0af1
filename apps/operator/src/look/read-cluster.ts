import { isTransient, type KubeClient, type KubeFailure, type KubeObject } from '@cuebook/controller';
import { fail, ok, type Result } from '@cuebook/prompt';
import { sourcesOf } from '../plan/sources.js';
import { type AgentGroup, agentsOf, CONFIG_MAPS, SECRETS } from '../resources.js';

export interface ReadClusterOptions {
  readonly group: AgentGroup;
  /** Left out: all. */
  readonly namespaces?: readonly string[];
  /** Agents that are not in the cluster yet: the Secrets that they name are read too. */
  readonly more?: readonly KubeObject[];
}

/** The objects that Agents are resolved from, as they are now. */
export interface ReadCluster {
  readonly objects: readonly KubeObject[];
  /** Secrets that this caller may not read, as `namespace/name`, with the server's word. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Reads Agents and ConfigMaps of namespaces, and of Secrets only those that an Agent names. */
export async function readCluster(
  client: KubeClient,
  { group, namespaces, more = [] }: ReadClusterOptions,
): Promise<Result<ReadCluster, KubeFailure>> {
  const objects: KubeObject[] = [];
  for (const resource of [agentsOf(group), CONFIG_MAPS])
    for (const namespace of namespaces ?? [undefined]) {
      const listed = await client.list(resource, { namespace });
      if (!listed.ok) return fail(listed.error);
      objects.push(...listed.value.items);
    }
  const unread = new Map<string, string>();
  const named = [...objects.filter(({ kind }) => kind === 'Agent'), ...more].flatMap(sourcesOf);
  for (const key of new Set(named.filter((each) => each.startsWith('Secret ')))) {
    const [namespace = '', name = ''] = key.slice('Secret '.length).split('/');
    const got = await client.get(SECRETS, { namespace, name });
    if (got.ok) objects.push(got.value);
    else if (isTransient(got.error)) return fail(got.error);
    else if (got.error.status !== 404) unread.set(`${namespace}/${name}`, got.error.message);
  }
  return ok({ objects, unread });
}
