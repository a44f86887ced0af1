import { expect, test } from 'vitest';
import { inTurn, sampled, share } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({
  roots: [['@project', '/Users/quinnray/Work Space/A']],
  private: ['/Users/quinnray', 'C:\\Users\\Quinn Ray'],
  names: ['quinnray', 'Quinn Ray', 'alice', 'jo'],
  credentials: ['hunter2-Secret/Value+9'],
});

/** What hostile texts are made of: each is repeated to fill the size. */
const UNITS: readonly string[] = [
  '/',
  '%25',
  '\\',
  '[',
  '[(<{"',
  '=2F',
  '&#47;',
  'a:',
  '~',
  '~a/b ',
  '\u0301',
  '/Users/',
  '"/Users/a',
  '/Users/a,',
  '/Users/a b ',
  '/Users/a:b:',
  '/Users/a(',
  '</Users/a/b',
  '(/Users/a/b',
  '/Users/quinnray/',
  'C:\\Users\\Quinn Ray\\',
  'sk-',
  '"\'`',
  'quinnray',
  'L1VzZXJzL3F1aW5ucmF5L3g',
  '2f55736572732f',
  '\\\\a\\b',
  '%2FUsers%2Fq',
  '\\u002f',
  '路径是/Users/quinnray/x。',
  '-----BEGIN PRIVATE KEY-----',
  'password=',
  'http://a:b',
  '😀',
  'aB',
  '／Ｕ',
  '{"a":',
  '"a",',
  '%5C%5Cu002f',
  `${'MIIEpAIBAAKCAQEA'.repeat(4)}\n`,
  'whsec_xxxxxxxxxxxxxxxxxxxxxx/',
  'authorization:',
  'eyJhbGciOiJIUzI1NiJ9.',
  'ghp_aaaaaaaaaaaaaaaaaaaaaaaaa_',
  'curl -u ',
  'machine x login y password ',
  'a:5432:',
  '00000000: 6875 6e74 6572 322d\n',
  '0000000 68 ',
  'H4sIAAAAAAAAA',
  `H4sIAAAA${'x'.repeat(68)}\n`,
  '"bearer":{',
  'C:Users\\a',
  'Cookie: a=b; ',
  'Authorization: Digest a="',
  '?sig=',
  '"/a',
  '/etc/x/private/',
  '\\\\.\\',
  '0123456789abcdef0123456789abcdef ',
  '"value":"x1Y2z3","name":"',
  '"value":"x1Y2z3",',
  '<value>x1Y2z3</value>',
  '{"name":"token","a":{',
  '"d":"Kx7vQ2mZp9Lw4tRb',
  '"k":"Kx7vQ2mZp9Lw4tRbKx7vQ2mZp9Lw4tRbKx7vQ2mZp9Lw4tRb" kty ',
  'a.b:5432:c:d:e1F"',
  'a.b:6000:c:d:e1F,pgpass ',
  'machine a.b password ',
  'ada:rqXexS6ZhobKA htpasswd:',
  '%2522token%253D',
  '&amp;quot;',
  '\\\\u0022',
  '\\"',
  'a+b%3D',
  'Kx7vQ2mZp9Lw4tRbKx7v\n',
  '> H4sIAAAAAAAAA6tWKi1OLV\n',
  '1f8b08000000000000036b2a\n',
  'D6FQQAAAAAAAAAAAAAAAAAAA ',
  'password = x1Y2z3\n[a]\n',
  'pass ',
  'password ',
  'user ada there with password ',
  'login("a", ',
  'Credentials("a","b","c",',
  'createUser a SHA b ',
  'a1 LOGIN a b ',
  ': PSK "a',
  'user = a:b',
  'password,',
  'password,x1Y2z3\n',
  '| key | key |\n',
  'chpasswd:\n a\n',
  'a:aB1cdefg@',
  'a:aB1cdefg@b.',
  'a:aB1cdefg@b.cd ',
  'ada * b using CHAP\n',
  'a b c * using PAP ',
  '/a b davfs2\n',
  'PIN for a b ',
  '-d @/home/a',
  'a1:/export/b ',
  '"@a/"',
  'a1!',
  'x1Y2z3w4! ',
  'pw: x1Y2z3w4&5 ',
  '-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END PRIVATE KEY-----\n/a: b ',
  Buffer.from(Array.from({ length: 240 }, (_, at) => (at * at * 31 + at * 17) >> 3)).toString('base64'),
];

/** A square of even the smaller size would take minutes. */
const SIZE = share(1 << 16, 1 << 20);

function costOf(text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2; run += 1) {
    const start = process.cpuUsage();
    redactor.find(text);
    redactor.leaks(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

test.each(inTurn(sampled(UNITS, 12), 3))('twice as much of %j costs at most 2.5 times as much', (unit) => {
  // Both end with a whole unit: a text that ends in the middle of one may be of another kind, read many times more.
  const half = unit.repeat(Math.ceil(SIZE / 2 / unit.length));
  const whole = half + half;
  let best = Number.POSITIVE_INFINITY;
  // A busy machine may spoil some comparisons, not all of these. A millisecond is the noise of the clock.
  for (let attempt = 0; attempt < 16 && best > 2.5; attempt += 1) {
    best = Math.min(best, costOf(whole) / Math.max(1, costOf(half)));
  }
  expect(best).toBeLessThanOrEqual(2.5);
});

test('arrays a hundred thousand deep do not overflow the stack', () => {
  let value: import('./redactor.js').JsonValue = 'quinnray';
  for (let depth = 0; depth < 100_000; depth += 1) value = depth % 2 === 0 ? [value] : { k: value };
  let inner: unknown = redactor.redactValue(value).value;
  while (typeof inner === 'object' && inner !== null)
    inner = Array.isArray(inner) ? inner[0] : (inner as { k: unknown }).k;
  expect(inner).toBe('[removed:name]');
  const text = `${'['.repeat(100_000)}"quinnray"${']'.repeat(100_000)}`;
  expect(redactor.redactText(text).text).toBe(text.replace('quinnray', '[removed:name]'));
});
