import { PERSON_ROLES, type Person } from '@cuebook/host';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { whoSignedIn } from './who.js';

const OPTIONS = { allow: ['@example.com'], roles: { '*': 'viewer' as const } };
const personOf = (email: string): Person => ({
  ...{ name: 'ada', role: 'owner', email, addedAt: 0, addedBy: 'owner', tokens: [] },
});

/** Signs whose small or large form, or whose composed form, is a letter of another address. */
const SIGNS = [
  'k',
  'K',
  '\u212A',
  'i',
  'I',
  '\u0130',
  '\u0131',
  's',
  'S',
  '\u017F',
  '\u00E5',
  '\u212B',
  'a\u030A',
  '\u00DF',
];
const address = fc
  .tuple(
    fc.array(fc.constantFrom(...SIGNS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('x.example', 'X.example', '\uFF58.example'),
  )
  .map(([local, host]) => `${local.join('')}@${host}`);

const ascii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

it('for all addresses: somebody is known by their own mailbox, whatever the case of its letters, and by no other', () => {
  fc.assert(
    fc.property(address, address, (theirs, given) => {
      const claims = { email: given, email_verified: true };
      const all = [personOf(theirs)];
      const who = whoSignedIn(claims, OPTIONS, { all, removed: new Set() });
      expect(who.is).toBe(ascii(theirs) === ascii(given) ? 'known' : 'nobody');
      const removed = whoSignedIn(claims, { ...OPTIONS, allow: [theirs] }, { all: [], removed: new Set() });
      expect(removed.is).toBe(theirs === ascii(given) ? 'new' : 'nobody');
    }),
    runs(500, 5_000),
  );
});

it.each([
  ['a domain that only looks like the one that is let in', 'bo@example.com.evil.example'],
  ['one that ends like it', 'bo@evil-example.com'],
  ['one below it', 'bo@sub.example.com'],
  ['one in other signs', 'bo@e\uFF58ample.com'],
  ['none', '@example.com@'],
])('nobody is let in by %s', (_name, email) => {
  const claims = { email, email_verified: true };
  expect(whoSignedIn(claims, OPTIONS, { all: [], removed: new Set() }).is).toBe('nobody');
});

it.each([undefined, null, 'true', 1, [true], {}])(
  'an address counts only when it is verified: not by %j',
  (is) => {
    const claims = { email: 'ada@x.example', email_verified: is };
    const people = { all: [personOf('ada@x.example')], removed: new Set<string>() };
    expect(whoSignedIn(claims, OPTIONS, people).is).toBe('nobody');
  },
);

it('a claim gives only roles that the options name, and the highest of them', () => {
  const options = { ...OPTIONS, roleClaim: 'groups', roles: { a: 'viewer', b: 'operator' } as const };
  for (const [groups, role] of [
    [['a', 'b'], 'operator'],
    [['__proto__', 'constructor', 'owner'], undefined],
    [[['b']], undefined],
    [{ 0: 'b' }, undefined],
    ['b', 'operator'],
  ] as const) {
    const claims = { email: 'bo@example.com', email_verified: true, groups };
    const who = whoSignedIn(claims, options, { all: [], removed: new Set() });
    expect('role' in who ? who.role : undefined).toBe(role);
  }
  expect(PERSON_ROLES).toContain('owner');
});
