import { type KubeObject, keyOf } from '../object.js';

/** What a cache learned. An object that was made anew under its old name is removed and added. */
export type CacheChange =
  | { readonly type: 'added' | 'removed'; readonly key: string; readonly object: KubeObject }
  | {
      readonly type: 'updated';
      readonly key: string;
      readonly object: KubeObject;
      readonly before: KubeObject;
    };

/** Objects of one kind as the server last told them, found by their key and by what an index says of them. */
export interface Cache {
  get(key: string): KubeObject | undefined;
  keys(): readonly string[];
  readonly size: number;
  /** The keys of objects of which the index says this. */
  keysBy(index: string, value: string): readonly string[];
  /** Takes a whole list for the truth, and answers what that changes. */
  replace(items: readonly KubeObject[]): readonly CacheChange[];
  put(object: KubeObject): readonly CacheChange[];
  remove(object: KubeObject): readonly CacheChange[];
}

/** What an index says of an object, such as the names of what it refers to. */
export type Index = (object: KubeObject) => readonly string[];

export interface CacheOptions {
  readonly indexes?: Readonly<Record<string, Index>>;
  /** What is kept of an object. By default all but who wrote which field, which is often half of it. */
  readonly slim?: (object: KubeObject) => KubeObject;
}

export function createCache({ indexes = {}, slim = withoutOwners }: CacheOptions = {}): Cache {
  const objects = new Map<string, KubeObject>();
  const found = new Map(Object.keys(indexes).map((name) => [name, new Map<string, Set<string>>()]));

  const enter = (key: string, object: KubeObject): void => {
    objects.set(key, object);
    for (const [name, index] of Object.entries(indexes))
      for (const value of index(object)) {
        const keys = found.get(name)?.get(value);
        if (keys === undefined) found.get(name)?.set(value, new Set([key]));
        else keys.add(key);
      }
  };
  const leave = (key: string, object: KubeObject): void => {
    objects.delete(key);
    for (const [name, index] of Object.entries(indexes))
      for (const value of index(object)) {
        const keys = found.get(name)?.get(value);
        keys?.delete(key);
        if (keys?.size === 0) found.get(name)?.delete(value);
      }
  };
  const remove = (key: string): readonly CacheChange[] => {
    const before = objects.get(key);
    if (before === undefined) return [];
    leave(key, before);
    return [{ type: 'removed', key, object: before }];
  };
  const put = (whole: KubeObject): readonly CacheChange[] => {
    const object = slim(whole);
    const key = keyOf(object);
    const before = objects.get(key);
    if (before === undefined) {
      enter(key, object);
      return [{ type: 'added', key, object }];
    }
    if (before.metadata.uid !== object.metadata.uid) {
      const removed = remove(key);
      enter(key, object);
      return [...removed, { type: 'added', key, object }];
    }
    if (before.metadata.resourceVersion === object.metadata.resourceVersion) return [];
    leave(key, before);
    enter(key, object);
    return [{ type: 'updated', key, object, before }];
  };
  return {
    get: (key) => objects.get(key),
    keys: () => [...objects.keys()],
    get size() {
      return objects.size;
    },
    keysBy: (index, value) => [...(found.get(index)?.get(value) ?? [])],
    replace(items) {
      const listed = new Set(items.map(keyOf));
      const gone = [...objects.keys()].filter((key) => !listed.has(key)).flatMap(remove);
      return [...gone, ...items.flatMap(put)];
    },
    put,
    remove(object) {
      const key = keyOf(object);
      // A late word about an object of that name that is no more says nothing of the one that is.
      const { uid } = object.metadata;
      if (uid !== undefined && objects.get(key)?.metadata.uid !== uid) return [];
      return remove(key);
    },
  };
}

function withoutOwners(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
