import { type InformerChange, type KubeObject, splitKey } from '@cuebook/controller';
import { liveAgent, mayUseKeys } from '@cuebook/manifest';
import type { AgentStatus } from '../plan/status.js';

/**
 * Whether a change of a source concerns an Agent that names it: an edit does where the Agent may include one of the keys
 * that differ, everything else always. An Agent that is not accepted is looked at whatever changes: its message may tell
 * what there is.
 */
export function useOf(kind: 'ConfigMap' | 'Secret', change: InformerChange): (agent: KubeObject) => boolean {
  if (change.type !== 'updated') return () => true;
  const keys = changedKeys(change.before, change.object);
  const { name } = splitKey(change.key);
  return (agent) => {
    if (keys === 'any' || !isAccepted(agent)) return true;
    if (keys.size === 0) return false;
    const read = readOnce(agent);
    return read === undefined || mayUseKeys(read, { kind, name }, keys);
  };
}

const isAccepted = ({ status }: KubeObject): boolean =>
  ((status ?? {}) as AgentStatus).conditions?.some(
    (each) => each.type === 'Accepted' && each.status === 'True',
  ) === true;

/** Keys whose texts differ. Any: a text is in it that no template takes, which is told of whoever includes it. */
function changedKeys(before: KubeObject, after: KubeObject): ReadonlySet<string> | 'any' {
  const found = new Set<string>();
  for (const part of ['data', 'binaryData'] as const) {
    const [old, now] = [fieldsOf(before[part]), fieldsOf(after[part])];
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (old[key] === now[key]) continue;
      const text = now[key];
      if (typeof text === 'string' && /\p{Surrogate}/u.test(text)) return 'any';
      found.add(key);
    }
  }
  return found;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const READ = new WeakMap<object, ReturnType<typeof liveAgent>>();

/** Read once for each version of the Agent. */
function readOnce(agent: KubeObject): ReturnType<typeof liveAgent> {
  if (!READ.has(agent)) READ.set(agent, liveAgent(agent));
  return READ.get(agent);
}
