import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itInTurn, runs } from '../../../test/runs.js';
import type { CredentialScope, Rule } from '../src/access/scope.js';
import type { Objects } from '../src/objects/contract.js';
import { must, reasonOf } from './scratch.js';

export interface Conformance {
  /** False for a store whose holder may not remove: every removal is denied. True by default. */
  readonly removes?: boolean;
}

/** The places that the suite uses, for stores that are opened with a scope. */
export const SUITE_SCOPE: CredentialScope = {
  agent: 'suite',
  rules: [
    ...['a/', 'a-b/', 'ab/', 'p/', 'b', 'big'].flatMap((at): Rule[] => [
      { may: 'get', at },
      { may: 'put', at },
    ]),
    ...['', 'a', 'a/', 'nothing/'].map((at): Rule => ({ may: 'list', at })),
  ],
};

/** What every driver of `Objects` does alike. `open` answers a store without objects. */
export function describeObjects(
  name: string,
  open: () => Promise<Objects>,
  { removes = true }: Conformance = {},
): void {
  const bytes = (text: string) => Buffer.from(text);

  describe(`objects in ${name}`, () => {
    itInTurn('are read as they were written, and the last write wins', async () => {
      const objects = await open();
      expect(reasonOf(await objects.get('a/b.json'))).toBe('E_OBJECT not-found');
      must(await objects.put('a/b.json', bytes('one')));
      must(await objects.put('a/b.json', new Uint8Array([0, 255, 10])));
      expect([...must(await objects.get('a/b.json'))]).toEqual([0, 255, 10]);
      const removed = [await objects.remove('a/b.json'), await objects.remove('a/b.json')].map(reasonOf);
      expect(removed).toEqual(removes ? ['ok', 'ok'] : ['E_OBJECT denied', 'E_OBJECT denied']);
      expect(reasonOf(await objects.get('a/b.json'))).toBe(removes ? 'E_OBJECT not-found' : 'ok');
    });

    test('are created once by one of twenty', async () => {
      const objects = await open();
      const racers = Array.from({ length: 20 }, (_, n) =>
        objects.put('a/once', bytes(`${n}`), { ifAbsent: true }),
      );
      const results = (await Promise.all(racers)).map(reasonOf);
      expect(results.filter((result) => result === 'ok')).toHaveLength(1);
      expect(results.filter((result) => result === 'E_OBJECT exists')).toHaveLength(19);
      const winner = results.indexOf('ok');
      expect(Buffer.from(must(await objects.get('a/once'))).toString()).toBe(`${winner}`);
    });

    itInTurn('are written many at once', async () => {
      const objects = await open();
      const many = Array.from({ length: 30 }, (_, n) => ({ key: `a/${n % 3}/${n}`, bytes: bytes(`${n}`) }));
      const written =
        objects.putAll === undefined
          ? await Promise.all(many.map(({ key, bytes: each }) => objects.put(key, each)))
          : [await objects.putAll(many)];
      expect(written.every(({ ok }) => ok)).toBe(true);
      for (const { key, bytes: each } of many)
        expect(Buffer.from(must(await objects.get(key)))).toEqual(each);
      const bad = await objects.putAll?.([{ key: '../x', bytes: bytes('x') }]);
      if (bad !== undefined) expect(reasonOf(bad)).toBe('E_OBJECT bad-key');
    });

    test('past the limit are not read', async () => {
      const objects = await open();
      must(await objects.put('big', Buffer.alloc(100)));
      expect(reasonOf(await objects.get('big', { limit: 99 }))).toBe('E_OBJECT too-large');
      expect(must(await objects.get('big', { limit: 100 })).length).toBe(100);
    });

    test('are listed by prefix, sorted, page by page', async () => {
      const objects = await open();
      const keys = ['a/1', 'a/2/x', 'a/3', 'a-b/1', 'b', 'ab/1'];
      for (const key of keys) must(await objects.put(key, bytes(key)));
      const list = async (prefix: string, options = {}) => must(await objects.list(prefix, options)).keys;
      expect(await list('a/')).toEqual(['a/1', 'a/2/x', 'a/3']);
      expect(await list('a')).toEqual(['a-b/1', 'a/1', 'a/2/x', 'a/3', 'ab/1']);
      expect(await list('')).toEqual([...keys].sort());
      expect(await list('nothing/')).toEqual([]);
      const page = must(await objects.list('', { limit: 4 }));
      expect(page.keys).toHaveLength(4);
      const rest = must(await objects.list('', { limit: 4, after: page.next ?? '' }));
      expect([...page.keys, ...rest.keys]).toEqual([...keys].sort());
      expect(rest.next).toBeUndefined();
    });

    test.each([
      '',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/../b',
      'a/.',
      '.hidden',
      'a/*',
      'a?',
      'A',
      'a\\b',
      'a\0',
      'a b',
      'ä',
      'a\n',
      'x'.repeat(513),
    ])('have no key like %j', async (key) => {
      const objects = await open();
      for (const result of [
        await objects.get(key),
        await objects.put(key, bytes('x')),
        await objects.remove(key),
      ])
        expect(reasonOf(result)).toBe('E_OBJECT bad-key');
      const error = await objects.get(key);
      expect(!error.ok && error.error.key).toBe('(refused)');
    });

    test('for all bytes: what is put is what is got', async () => {
      const objects = await open();
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (content) => {
          must(await objects.put('p/x', content));
          expect(Buffer.from(must(await objects.get('p/x')))).toEqual(Buffer.from(content));
        }),
        runs(20, 200),
      );
    });
  });
}
