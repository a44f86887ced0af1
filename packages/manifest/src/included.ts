import { parseMessage } from './execute.js';
import type { Texts } from './manifests.js';
import { readMessage } from './message.js';
import type { AgentObject, TextKind } from './object.js';
import { isTemplate } from './resolve.js';
import { resolveSources } from './source.js';
import { findUses } from './template-uses.js';

/** A key of a ConfigMap or Secret that an Agent may be told. */
export interface IncludedKey {
  readonly kind: TextKind;
  readonly name: string;
  readonly key: string;
  /** `message`: its system message is this text. `include`: its template names it. `computed`: it may, by a computed path. */
  readonly how: 'message' | 'include' | 'computed';
}

/** Every key that a branch of an Agent's message includes, each once, with the strongest reason. */
export function includedKeys(agent: AgentObject, texts: Texts): readonly IncludedKey[] {
  const found = new Map<string, IncludedKey>();
  const add = (each: IncludedKey): void => {
    const id = `${each.kind} ${each.name} ${each.key}`;
    if (!found.has(id)) found.set(id, each);
  };
  const from = agent.spec.declarative?.systemMessageFrom;
  if (from && (from.type === 'ConfigMap' || from.type === 'Secret'))
    add({ kind: from.type, name: from.name, key: from.key, how: 'message' });
  const raw = readMessage(agent, texts);
  if (!raw.ok || !isTemplate(agent)) return [...found.values()];
  const parsed = parseMessage(raw.value);
  if (!parsed.ok) return [...found.values()];
  const { includes, hasComputedInclude } = findUses(parsed.template);
  const { sources } = resolveSources(agent, texts);
  const named = new Set(includes.map(({ path }) => path));
  for (const { identifier, object } of sources)
    for (const key of object.fragments.keys()) {
      const isNamed = named.has(`${identifier}/${key}`);
      if (!isNamed && !hasComputedInclude) continue;
      add({ kind: object.kind, name: object.name, key, how: isNamed ? 'include' : 'computed' });
    }
  return [...found.values()];
}
