import type { KubeObject } from '@cuebook/controller';
import { planAgent } from '../plan/plan.js';

/** Objects by `Kind namespace/name`. */
export type PlainObjects = ReadonlyMap<string, unknown>;

/**
 * What a change does to the pods of an Agent. `roll`: they are replaced, one by one. `scale`: their number changes.
 * `keep`: its message cannot be resolved, so that what runs stays as it is.
 */
export type PodChange = 'start' | 'roll' | 'scale' | 'stay' | 'keep' | 'end';

/** The pods of the Agents of both states, by `namespace/name`: the same plan that the operator makes. */
export function podChanges(before: PlainObjects, after: PlainObjects): ReadonlyMap<string, PodChange> {
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter((key) => key.startsWith('Agent '));
  return new Map(keys.map((key) => [key.slice('Agent '.length), podChange(key, before, after)]));
}

function podChange(key: string, before: PlainObjects, after: PlainObjects): PodChange {
  const [old, now] = [planIn(before, key), planIn(after, key)];
  if (now === undefined || now.type === 'other') return old?.type === 'agent' ? 'end' : 'stay';
  if (now.type === 'wrong') return 'keep';
  if (old?.type !== 'agent') return 'start';
  if (old.configHash !== now.configHash || old.image !== now.image) return 'roll';
  return old.replicas === now.replicas ? 'stay' : 'scale';
}

function planIn(objects: PlainObjects, key: string) {
  const agent = objects.get(key) as KubeObject | undefined;
  if (agent === undefined) return undefined;
  const find = (kind: string, at: string) => objects.get(`${kind} ${at}`) as KubeObject | undefined;
  // Which image an operator gives to Agents that name none is the same before and after.
  return planAgent(agent, { find, image: 'default' });
}
