import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import type { KubeObject } from '../object.js';
import { type CacheChange, createCache } from './cache.js';

const object = (name: string, uid: string, version: number, refs: readonly string[] = []): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    namespace: 'n',
    name,
    uid,
    resourceVersion: String(version),
    managedFields: [{ long: 'list' }],
  },
  refs,
});
const refsOf = ({ refs }: KubeObject): readonly string[] => refs as readonly string[];

let version = 0;
const things = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c'),
    uid: fc.constantFrom('1', '2'),
    refs: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  })
  .map(({ name, uid, refs }) => {
    version += 1;
    return object(name, uid, version, refs);
  });
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('put' as const), item: things }),
    fc.record({ does: fc.constant('remove' as const), item: things }),
    fc.record({
      does: fc.constant('replace' as const),
      items: fc.uniqueArray(things, { selector: ({ metadata }) => metadata.name }),
    }),
  ),
  { maxLength: 40 },
);

describe('a cache', () => {
  it('finds by every index what a look at all objects finds, and its changes lead to what it has', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const cache = createCache({ indexes: { refs: refsOf } });
        const followed = new Map<string, KubeObject>();
        const follow = (changes: readonly CacheChange[]): void => {
          for (const change of changes) {
            expect(followed.has(change.key)).toBe(change.type !== 'added');
            if (change.type === 'updated') expect(followed.get(change.key)).toBe(change.before);
            if (change.type === 'removed') followed.delete(change.key);
            else followed.set(change.key, change.object);
          }
        };
        for (const step of all) {
          if (step.does === 'put') follow(cache.put(step.item));
          else if (step.does === 'remove') follow(cache.remove(step.item));
          else {
            follow(cache.replace(step.items));
            expect(cache.keys().toSorted()).toEqual(
              step.items.map(({ metadata }) => `n/${metadata.name}`).toSorted(),
            );
          }
          expect(new Set(cache.keys())).toEqual(new Set(followed.keys()));
          for (const ref of ['x', 'y', 'z'])
            expect(cache.keysBy('refs', ref).toSorted()).toEqual(
              [...followed]
                .filter(([, each]) => refsOf(each).includes(ref))
                .map(([key]) => key)
                .toSorted(),
            );
        }
      }),
      runs(1_000, 10_000),
    );
  });

  it('takes an object that was made anew for another one, and leaves it when the old one is said to be gone', () => {
    const cache = createCache();
    cache.put(object('a', '1', 1));
    expect(cache.put(object('a', '2', 2)).map(({ type }) => type)).toEqual(['removed', 'added']);
    expect(cache.remove(object('a', '1', 3))).toEqual([]);
    expect(cache.size).toBe(1);
    expect(cache.put(object('a', '2', 2))).toEqual([]);
    expect(cache.get('n/a')?.metadata).not.toHaveProperty('managedFields');
  });
});
