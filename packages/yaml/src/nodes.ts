import { type Document, isAlias, isMap, isScalar, isSeq, type Node, visit, type YAMLMap } from 'yaml';

/** The nodes of a document by path. */
export interface NodeIndex {
  /** The node at a path, aliases and merges followed. */
  readonly find: (path: readonly PropertyKey[]) => Node | undefined;
  /** The node at a path, or the nearest parent that is there. */
  readonly nearest: (path: readonly PropertyKey[]) => Node | undefined;
  /** Where a key stands that its map already has. */
  readonly repeated: readonly number[];
}

/**
 * An index over a document: a look-up takes the length of its path, whatever the size of the maps on it. The
 * library's own `getIn` searches each map from its start and does not follow aliases.
 */
export function indexNodes(document: Document): NodeIndex {
  const maps = new WeakMap<YAMLMap, ReadonlyMap<string, Node>>();
  const repeated: number[] = [];
  visit(document, {
    Map: (_key, map) => {
      const { entries, twice } = entriesOf(map);
      maps.set(map, entries);
      for (const offset of twice) repeated.push(offset);
    },
  });
  const follow = (node: unknown): Node | undefined => {
    const target = isAlias(node) ? node.resolve(document) : node;
    return isMap(target) || isSeq(target) || isScalar(target) ? target : undefined;
  };
  const step = (node: Node, key: PropertyKey): Node | undefined => {
    if (isMap(node)) return follow(maps.get(node)?.get(String(key)));
    return isSeq(node) ? follow(node.items[Number(key)]) : undefined;
  };
  /** The member of a map, or of what is merged into it: the first that has it. */
  const member = (node: Node, key: PropertyKey, depth = 0): Node | undefined => {
    const own = step(node, key);
    const merge = own === undefined && isMap(node) ? step(node, '<<') : undefined;
    if (merge === undefined || depth === MAX_MERGES) return own;
    const from = isSeq(merge) ? merge.items.flatMap((item) => follow(item) ?? []) : [merge];
    for (const map of from) {
      const found = member(map, key, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  type Step = (node: Node, key: PropertyKey) => Node | undefined;
  const walk = (path: readonly PropertyKey[], to: Step): { node: Node | undefined; isWhole: boolean } => {
    let node = follow(document.contents);
    for (const key of path) {
      const next = node === undefined ? undefined : to(node, key);
      if (next === undefined) return { node, isWhole: false };
      node = next;
    }
    return { node, isWhole: true };
  };
  return {
    find: (path) => {
      const { node, isWhole } = walk(path, (node, key) => member(node, key));
      return isWhole ? node : undefined;
    },
    nearest: (path) => walk(path, step).node,
    repeated,
  };
}

/** The library has a symbol for the key of a merge. */
const nameOf = (key: unknown): string => (typeof key === 'symbol' ? (key.description ?? '') : String(key));

/** Merges in merges: deeper ones are not followed. */
const MAX_MERGES = 8;

function entriesOf(map: YAMLMap): {
  readonly entries: ReadonlyMap<string, Node>;
  readonly twice: readonly number[];
} {
  const entries = new Map<string, Node>();
  const twice: number[] = [];
  const seen = new Set<string>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? nameOf(key.value) : undefined;
    if (name === undefined) continue;
    if (seen.has(name) && name !== '<<') twice.push((key as Node).range?.[0] ?? 0);
    seen.add(name);
    entries.set(name, value as Node);
  }
  return { entries, twice };
}
