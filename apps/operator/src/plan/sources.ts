import { type KubeObject, keyOf } from '@cuebook/controller';
import { collectManifests, plainObject, referencesOf } from '@cuebook/manifest';

/** A ConfigMap or Secret that an Agent names, as an index says it: `ConfigMap default/prompts`. */
export const sourceKey = (kind: string, key: string): string => `${kind} ${key}`;

/** Every object that the system message of an Agent may depend on. One that does not fit names what can be read of it. */
export function sourcesOf(agent: KubeObject): readonly string[] {
  const { agents, partial } = collectManifests([plainObject('agent', agent)]);
  const read = agents.get(keyOf(agent)) ?? partial.get(keyOf(agent));
  if (read === undefined) return [];
  return referencesOf(read).map(({ kind, namespace, name }) => sourceKey(kind, `${namespace}/${name}`));
}
