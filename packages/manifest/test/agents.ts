import { collectManifests, type Manifests } from '../src/manifests.js';
import type { AgentObject } from '../src/object.js';
import { plainObject } from '../src/plain-object.js';
import { resolveAgent } from '../src/resolve.js';
import type { Resolved } from '../src/resolved.js';

/** The Agent `default/NAME` with this declaration, among these objects, as an API server would answer them. */
export function manifests(
  declarative: object,
  objects: readonly object[] = [],
  spec: object = {},
  name = 'a',
): Manifests {
  const agent = {
    apiVersion: 'kagent.dev/v1alpha2',
    kind: 'Agent',
    metadata: { name, namespace: 'default' },
    spec: { ...spec, declarative },
  };
  return collectManifests([agent, ...objects].map((object, index) => plainObject(`object-${index}`, object)));
}

/** That Agent alone; throws when it does not fit. */
export function agentOf(declarative: object): AgentObject {
  const { agents, problems } = manifests(declarative);
  const agent = agents.get('default/a');
  if (agent === undefined) throw new Error(problems[0]?.diagnostic.message);
  return agent;
}

/** What the Agent is told. */
export function resolve(
  declarative: object,
  objects: readonly object[] = [],
  spec: object = {},
  name = 'a',
): Resolved {
  const { agents, texts, problems } = manifests(declarative, objects, spec, name);
  const agent = agents.get(`default/${name}`);
  if (agent === undefined) throw new Error(problems[0]?.diagnostic.message);
  return resolveAgent(agent, texts);
}

/** The text that the Agent is told; throws when it is told none. */
export function resolveText(declarative: object, objects: readonly object[] = [], spec: object = {}): string {
  const resolved = resolve(declarative, objects, spec);
  if (!resolved.ok) throw new Error(resolved.diagnostic.message);
  const joined = resolved.pieces.map(({ text }) => text).join('');
  if (joined !== resolved.text) throw new Error('The pieces are not the text');
  return resolved.text;
}

/** A ConfigMap. */
export const MAP = (name: string, data: Record<string, string>, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
  ...more,
});
/** A Secret. */
export const SECRET = (name: string, stringData: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
});
/** A prompt template with these sources. */
export const SOURCES = (...dataSources: object[]) => ({ promptTemplate: { dataSources } });
/** A ConfigMap as a source. */
export const CM = (name: string, alias?: string) => ({
  kind: 'ConfigMap',
  name,
  ...(alias === undefined ? {} : { alias }),
});
