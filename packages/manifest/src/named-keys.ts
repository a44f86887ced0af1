import { parseMessage } from './execute.js';
import { collectManifests } from './manifests.js';
import { readMessage } from './message.js';
import type { AgentObject, TextKind } from './object.js';
import { plainObject } from './plain-object.js';
import { isTemplate } from './resolve.js';
import { sourceKind, sourcesOf } from './source.js';
import { findUses } from './template-uses.js';

/**
 * Whether an edit of some keys of an object may give an Agent other words, told from the Agent alone. True wherever that
 * cannot be told: a computed path, a template that lies elsewhere or does not parse, sources that share a name.
 */
export function mayUseKeys(
  agent: AgentObject,
  { kind, name }: { readonly kind: TextKind; readonly name: string },
  keys: ReadonlySet<string>,
): boolean {
  const from = agent.spec.declarative?.systemMessageFrom;
  if (from) {
    if (from.type === kind && from.name === name && keys.has(from.key)) return true;
    if (!isTemplate(agent)) return false;
  }
  const sources = sourcesOf(agent);
  const identifiers = sources.map((source) => source.alias || source.name);
  if (new Set(identifiers).size < identifiers.length) return true;
  const named = pathsOf(agent);
  if (named === 'any') return true;
  return sources.some((source, index) => {
    if (source.name !== name || sourceKind(source) !== kind) return false;
    const prefix = `${identifiers[index]}/`;
    return [...named].some((path) => path.startsWith(prefix) && keys.has(path.slice(prefix.length)));
  });
}

/** The paths that the template of an Agent writes out. */
function pathsOf(agent: AgentObject): ReadonlySet<string> | 'any' {
  const known = PATHS.get(agent.spec);
  if (known !== undefined) return known;
  const found = findPaths(agent);
  PATHS.set(agent.spec, found);
  return found;
}

const PATHS = new WeakMap<object, ReadonlySet<string> | 'any'>();

function findPaths(agent: AgentObject): ReadonlySet<string> | 'any' {
  if (agent.spec.declarative?.systemMessageFrom) return 'any';
  const raw = readMessage(agent, { find: () => undefined });
  if (!raw.ok || !isTemplate(agent)) return new Set();
  const parsed = parseMessage(raw.value);
  if (!parsed.ok) return 'any';
  const { includes, hasComputedInclude } = findUses(parsed.template);
  return hasComputedInclude ? 'any' : new Set(includes.map(({ path }) => path));
}

/** An Agent as an API server answers it; undefined where it cannot be read. */
export function liveAgent(object: unknown): AgentObject | undefined {
  const { agents, partial } = collectManifests([plainObject('agent', object)]);
  return [...agents.values(), ...partial.values()][0];
}
