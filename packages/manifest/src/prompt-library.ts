import { includedKeys } from './included.js';
import type { Manifests } from './manifests.js';
import { type AgentObject, MANIFEST_LABELS, placedFragment, type TextObject } from './object.js';
import { plainObject } from './plain-object.js';
import { resolveAgent } from './resolve.js';

/** A ConfigMap that holds prompts, with everybody who is told them. */
export interface PromptLibrary {
  readonly namespace: string;
  readonly name: string;
  /** Whether it is labelled as a library; one that is not is listed because Agents include it. */
  readonly isLabelled: boolean;
  readonly keys: readonly LibraryKey[];
}

export interface LibraryKey {
  readonly key: string;
  readonly text: string;
  readonly agents: readonly LibraryUse[];
}

export interface LibraryUse {
  /** `namespace/name` */
  readonly agent: string;
  readonly how: 'message' | 'include' | 'computed';
}

/** The ConfigMaps that are labelled as libraries or that an Agent includes from, sorted, with the Agents of each key. */
export function promptLibraries({ agents, partial, texts }: Manifests): readonly PromptLibrary[] {
  const uses = new Map<string, LibraryUse[]>();
  const used = new Set<string>();
  for (const agent of [...agents.values(), ...partial.values()])
    for (const { kind, name, key, how } of includedKeys(agent, texts)) {
      if (kind !== 'ConfigMap') continue;
      const id = `${agent.namespace}/${name}`;
      used.add(id);
      const use = { agent: `${agent.namespace}/${agent.name}`, how };
      const list = uses.get(`${id} ${key}`);
      if (list === undefined) uses.set(`${id} ${key}`, [use]);
      else list.push(use);
    }
  const isListed = ({ kind, namespace, name, isLibrary }: TextObject): boolean =>
    kind === 'ConfigMap' && (isLibrary === true || used.has(`${namespace}/${name}`));
  return [...(texts.all?.() ?? [])]
    .filter(isListed)
    .map(({ namespace, name, isLibrary = false, fragments }) => ({
      namespace,
      name,
      isLabelled: isLibrary,
      keys: [...fragments]
        .map(([key, { text }]) => ({
          key,
          text,
          agents: (uses.get(`${namespace}/${name} ${key}`) ?? []).toSorted(byAgent),
        }))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    }))
    .toSorted((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
}

const byAgent = (a: LibraryUse, b: LibraryUse): number => (a.agent < b.agent ? -1 : 1);

/** What a change does to one Agent. */
export interface AgentChange {
  readonly agent: string;
  /** `changed`: it gets new words, and its pods roll. `broken`: it keeps its words until that is fixed. */
  readonly change: 'added' | 'removed' | 'changed' | 'broken' | 'fixed';
  /** Why it cannot be resolved any more. */
  readonly message?: string;
}

/** The Agents whose words differ between two states of the same objects. What cannot be resolved on either side is left out. */
export function changedAgents(before: Manifests, after: Manifests): readonly AgentChange[] {
  const names = new Set([...before.agents.keys(), ...after.agents.keys()]);
  return [...names].toSorted().flatMap((agent): AgentChange[] => {
    const [old, now] = [resolvedIn(before, agent), resolvedIn(after, agent)];
    if (old === undefined) return now?.ok === true ? [{ agent, change: 'added' }] : [];
    if (now === undefined) return [{ agent, change: 'removed' }];
    if (!now.ok) return old.ok ? [{ agent, change: 'broken', message: now.diagnostic.message }] : [];
    if (!old.ok) return [{ agent, change: 'fixed' }];
    return old.text === now.text ? [] : [{ agent, change: 'changed' }];
  });
}

function resolvedIn({ agents, texts }: Manifests, name: string) {
  const agent: AgentObject | undefined = agents.get(name);
  return agent === undefined ? undefined : resolveAgent(agent, texts);
}

/** Another text for one key. Null: the key is removed. */
export interface KeyEdit {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
  readonly text: string | null;
}

/** The same objects with other texts in some keys of ConfigMaps. One that is not there is made. */
export function withEdits(manifests: Manifests, edits: readonly KeyEdit[]): Manifests {
  const { texts } = manifests;
  const edited = new Map<string, TextObject>();
  for (const { namespace, name, key, text } of edits) {
    const id = `${namespace}/${name}`;
    const known = edited.get(id) ?? texts.find('ConfigMap', namespace, name);
    const fragments = new Map(known?.fragments ?? []);
    if (text === null) fragments.delete(key);
    else fragments.set(key, editedFragment(`ConfigMap ${id}`, key, text));
    const hidden = new Map([...(known?.hidden ?? [])].filter(([each]) => each !== key));
    edited.set(id, { ...known, kind: 'ConfigMap', namespace, name, fragments, hidden });
  }
  return {
    ...manifests,
    texts: {
      find: (kind, namespace, name) =>
        (kind === 'ConfigMap' ? edited.get(`${namespace}/${name}`) : undefined) ??
        texts.find(kind, namespace, name),
      all: function* () {
        yield* edited.values();
        for (const each of texts.all?.() ?? [])
          if (each.kind !== 'ConfigMap' || !edited.has(`${each.namespace}/${each.name}`)) yield each;
      },
    },
  };
}

function editedFragment(subject: string, key: string, text: string) {
  const source = plainObject(subject, { data: { [key]: text } }, { byLine: true });
  return placedFragment(source, ['data', key], text, { ...MANIFEST_LABELS, subject: `${subject} ${key}` });
}
