import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@cuebook/journal';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openPeople } from './people.js';
import { PERSON_ROLES, type PersonRole, rolesOf } from './person.js';

let folder: string;
let store: Store;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'people-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withPeople<Answer>(
  work: (parts: { open: () => ReturnType<typeof openPeople>; pass: (ms: number) => void }) => Promise<Answer>,
): Promise<Answer> {
  files += 1;
  const opened = await openStore({ file: join(folder, `${files}.db`) });
  if (!opened.ok) throw new Error(opened.error.code);
  store = opened.value;
  let now = 1_000;
  try {
    return await work({
      open: () => openPeople(store, () => now),
      pass: (ms) => {
        now += ms;
      },
    });
  } finally {
    await store.close();
  }
}

describe('people', () => {
  it('a token counts until its time is over, and from then on for nothing', () =>
    withPeople(async ({ open, pass }) => {
      const people = open();
      await people.add({ name: 'ada', role: 'viewer' }, 'owner');
      const issued = await people.issue('ada', 'owner', { expiresAt: 1_010 });
      const token = issued.ok ? issued.value.token : '';
      pass(9);
      expect(await people.identify(token)).toMatchObject({ name: 'ada', expiresAt: 1_010 });
      pass(1);
      expect(await people.identify(token)).toBeUndefined();
    }));

  it('for all that owners decide, a token counts exactly while it should, with the role of then', async () => {
    const name = fc.constantFrom('ada', 'bo', 'cy');
    const role = fc.constantFrom(...PERSON_ROLES);
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), name, role }),
      fc.record({ do: fc.constant('role' as const), name, role }),
      fc.record({ do: fc.constant('issue' as const), name, ms: fc.option(fc.integer({ min: 1, max: 30 })) }),
      fc.record({ do: fc.constant('revoke' as const), token: fc.nat(20) }),
      fc.record({ do: fc.constant('remove' as const), name }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 20 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
        withPeople(async ({ open, pass }) => {
          const people = open();
          // The model: who has which role, and every token that ever was.
          const roles = new Map<string, PersonRole>();
          const tokens: { text: string; id: string; name: string; end: number; isGone: boolean }[] = [];
          let now = 1_000;
          const keep = (
            done: Awaited<ReturnType<typeof people.issue>>,
            isExpected: boolean,
            of: string,
            end = Number.POSITIVE_INFINITY,
          ) => {
            expect(done.ok).toBe(isExpected);
            if (done.ok)
              tokens.push({ text: done.value.token, id: done.value.id, name: of, end, isGone: false });
          };
          for (const each of steps) {
            switch (each.do) {
              case 'add':
                keep(await people.add(each, 'owner'), !roles.has(each.name), each.name);
                if (!roles.has(each.name)) roles.set(each.name, each.role);
                break;
              case 'role':
                expect((await people.setRole(each.name, each.role, 'owner')).ok).toBe(roles.has(each.name));
                if (roles.has(each.name)) roles.set(each.name, each.role);
                break;
              case 'issue': {
                const end = each.ms === null ? undefined : now + each.ms;
                const done = await people.issue(
                  each.name,
                  'owner',
                  end === undefined ? {} : { expiresAt: end },
                );
                keep(done, roles.has(each.name), each.name, end);
                // Tokens that had ended are cleared away then.
                if (done.ok)
                  for (const token of tokens) token.isGone ||= token.name === each.name && token.end <= now;
                break;
              }
              case 'revoke': {
                const token = tokens[each.token];
                if (token === undefined) break;
                const done = await people.revokeToken(token.name, token.id, 'owner');
                expect(done.ok).toBe(!token.isGone);
                token.isGone = true;
                break;
              }
              case 'remove':
                expect((await people.remove(each.name, 'owner')).ok).toBe(roles.delete(each.name));
                for (const token of tokens) token.isGone ||= token.name === each.name;
                break;
              case 'pass':
                pass(each.ms);
                now += each.ms;
            }
          }
          // Another process reads the same from the log alone.
          for (const reader of [people, open()])
            for (const { text, id, name: of, end, isGone } of tokens) {
              const found = await reader.identify(text);
              const counts = !isGone && end > now;
              expect(found && [found.name, found.role, found.token]).toEqual(
                counts ? [of, roles.get(of), id] : undefined,
              );
              expect(await reader.isValid(of, id)).toBe(counts);
            }
        }),
      ),
      runs(60, 600),
    );
  });

  it('a token is told once and kept by its hash alone; one changed letter is another token', async () => {
    await withPeople(async ({ open }) => {
      const people = open();
      const added = await people.add({ name: 'ada', role: 'viewer' }, 'owner');
      if (!added.ok) throw new Error(added.error.code);
      const { token } = added.value;
      const secret = token.split('.')[2] ?? '';
      expect(JSON.stringify(await store.readAll({ limit: 100 }))).not.toContain(secret);
      for (let at = 0; at < token.length; at += 1) {
        const other = `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
        expect(await people.identify(other), other).toBeUndefined();
      }
      expect(await people.identify(token)).toMatchObject({ name: 'ada', role: 'viewer' });
    });
  });

  it.each([
    '',
    'Ada',
    'owner',
    'schedule',
    'hook',
    'sign-in',
    '.x',
    'a b',
    'ä',
    'a\u0000',
    'x'.repeat(101),
    '../x',
  ])('has nobody of the name %j', async (name) => {
    await withPeople(async ({ open }) => {
      const done = await open().add({ name, role: 'owner' }, 'owner');
      expect(done).toMatchObject({ ok: false, error: { kind: 'invalid', code: 'E_PERSON_NAME' } });
      expect(await open().list()).toEqual([]);
    });
  });

  it('has each address once, and says who did what in the log', async () => {
    await withPeople(async ({ open }) => {
      const people = open();
      await people.add({ name: 'ada', role: 'owner', email: 'ada@example.com' }, 'root');
      const again = await people.add({ name: 'other', role: 'owner', email: 'ada@example.com' }, 'root');
      expect(again).toMatchObject({ ok: false, error: { code: 'E_PERSON_EXISTS' } });
      await people.setRole('ada', 'viewer', 'bo');
      await people.remove('ada', 'cy');
      const log = await store.readAll({ limit: 100 });
      expect(log.map(({ type, data }) => [type, (data as { by: string }).by])).toEqual([
        ['person.added', 'root'],
        ['token.issued', 'root'],
        ['person.changed', 'bo'],
        ['person.removed', 'cy'],
      ]);
    });
  });

  it('a role has the rights of those behind it', () => {
    expect(PERSON_ROLES.map(rolesOf)).toEqual([
      ['owner', 'operator', 'reviewer', 'viewer'],
      ['operator', 'reviewer', 'viewer'],
      ['reviewer', 'viewer'],
      ['viewer'],
    ]);
  });
});
