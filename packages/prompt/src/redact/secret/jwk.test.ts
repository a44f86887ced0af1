import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { inTurn, runs } from '../../../../../test/runs.js';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** So many random bytes in base64: with both cases and digits, as nearly all have. */
const bytes = (length: number): fc.Arbitrary<string> =>
  fc.nat({ max: 2 ** 31 - 1 }).map((seed) => {
    for (let round = 0; ; round += 1) {
      const text = createHash('shake256', { outputLength: length })
        .update(`${seed} ${round}`)
        .digest('base64url');
      const seen = text.slice(0, 120);
      const changes = seen.replaceAll(/[a-z]+|[A-Z]+|\d+/g, '.').length;
      if (/\d.*\d/.test(seen) && /[A-Z].*[a-z]|[a-z].*[A-Z]/.test(seen) && changes > 0.45 * seen.length)
        return text;
    }
  });

type Key = Readonly<Record<string, string>>;
/** Keys as programs write them, and as others do that sort the members. */
const KEYS: Readonly<Record<string, fc.Arbitrary<Key>>> = {
  RSA: fc
    .tuple(bytes(256), bytes(256), ...[1, 2, 3, 4, 5].map(() => bytes(128)))
    .map(([n = '', d = '', p = '', q = '', dp = '', dq = '', qi = '']) => ({
      kty: 'RSA',
      n,
      e: 'AQAB',
      d,
      p,
      q,
      dp,
      dq,
      qi,
    })),
  EC: fc.tuple(bytes(32), bytes(32), bytes(32)).map(([x, y, d]) => ({ kty: 'EC', x, y, crv: 'P-256', d })),
  OKP: fc.tuple(bytes(32), bytes(32)).map(([x, d]) => ({ crv: 'Ed25519', d, x, kty: 'OKP' })),
  oct: fc.tuple(bytes(32)).map(([k]) => ({ kty: 'oct', k, alg: 'HS256' })),
  'short oct': fc.tuple(bytes(16)).map(([k]) => ({ kty: 'oct', k, alg: 'A128KW' })),
  AKP: fc.tuple(bytes(64), bytes(32)).map(([pub, priv]) => ({ kty: 'AKP', alg: 'ML-DSA-44', pub, priv })),
  'sorted RSA': fc
    .tuple(bytes(256), bytes(256), bytes(128), bytes(128))
    .map(([d, n, p, q]) => ({ d, e: 'AQAB', kty: 'RSA', n, p, q })),
};
/** What is public and what is secret are not the same bytes. */
const isDistinct = (key: Key): boolean => new Set(Object.values(key)).size === Object.keys(key).length;
const SECRETS = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'priv'];
const PUBLIC = ['n', 'x', 'y', 'pub'];

const members = (key: Key, put: (name: string, value: string) => string): readonly string[] =>
  Object.entries(key).map(([name, value]) => put(name, value));
/** Where such a key stands; none of it is one whole document of JSON. */
const HOLDERS: Readonly<Record<string, (key: Key) => string>> = {
  'a log': (key) => `INFO loaded ${JSON.stringify(key)}`,
  'a log of many lines': (key) => `loaded:\n${JSON.stringify(key, null, 2)}\nready`,
  'two documents': (key) => `${JSON.stringify(key)}\n${JSON.stringify({ a: 1 })}`,
  'a fence': (key) => `The key:\n\`\`\`json\n${JSON.stringify({ keys: [key] }, null, 2)}\n\`\`\``,
  'a string in a log': (key) => `body=${JSON.stringify(JSON.stringify(key))} status=200`,
  JavaScript: (key) => `const key = { ${members(key, (name, value) => `${name}: '${value}'`).join(', ')} };`,
  Python: (key) => `key = {${members(key, (name, value) => `'${name}': '${value}'`).join(', ')}}`,
  arguments: (key) => `Key(${members(key, (name, value) => `${name}="${value}"`).join(', ')})`,
  Ruby: (key) => `{ ${members(key, (name, value) => `"${name}" => "${value}"`).join(', ')} }`,
  YAML: (key) => `key:\n${members(key, (name, value) => `  ${name}: ${value}\n`).join('')}`,
  'YAML with quotes': (key) => members(key, (name, value) => `${name}: "${value}"\n`).join(''),
  'a diff': (key) => JSON.stringify(key, null, 2).replaceAll(/^/gm, '+'),
  'numbered lines': (key) => {
    const lines = JSON.stringify(key, null, 2).split('\n');
    return lines.map((line, at) => `${String(at + 1).padStart(4)}\t${line}`).join('\n');
  },
  'a page': (key) => `<pre>${JSON.stringify(key).replaceAll('"', '&quot;')}</pre>`,
  'an address': (key) => `GET /cb?key=${encodeURIComponent(JSON.stringify(key))}&x=1`,
};

describe.each(inTurn(Object.keys(KEYS), 4))('the private members of a key of the web: %s', (kind) => {
  it.each(Object.keys(HOLDERS))('are masked in %s, the public ones stay', (holder) => {
    fc.assert(
      fc.property(KEYS[kind]!.filter(isDistinct), (key) => {
        const text = HOLDERS[holder]!(key);
        const clean = redact(text);
        for (const name of SECRETS) if (key[name]) expect(clean).not.toContain(key[name]);
        for (const name of PUBLIC) if (key[name]) expect(clean).toContain(key[name]);
        expect(redact(clean)).toBe(clean);
      }),
      runs(40, 300),
    );
  });

  it('are masked in a text that is cut at either end, wherever it is cut', () => {
    fc.assert(
      fc.property(KEYS[kind]!, fc.boolean(), fc.nat(), (key, isStart, place) => {
        const whole = JSON.stringify(key);
        const at = 8 + (place % (whole.length - 16));
        const text = isStart ? `${whole.slice(0, at)}` : `...${whole.slice(at)}`;
        const clean = redact(text);
        for (const name of SECRETS) {
          const value = key[name];
          // What is left of a value that is cut may be too short to say what it is.
          if (value && text.includes(`"${name}":"${value}`)) expect(clean).not.toContain(value);
        }
      }),
      runs(60, 1_000),
    );
  });

  it('are masked in a line of their own', () => {
    fc.assert(
      fc.property(KEYS[kind]!, (key) => {
        for (const name of SECRETS) {
          const value = key[name];
          if (!value || value.length < 43) continue;
          for (const line of [
            `  "${name}": "${value}",`,
            `"${name}":"${value}"`,
            `${name}: ${value}`,
            `'${name}': '${value}'`,
          ])
            for (const around of [line, `It says ${line} and more`, JSON.stringify({ line })])
              expect(redact(around)).not.toContain(value);
          expect(JSON.stringify(redactor.redactValue({ [name]: value }).value)).not.toContain(value);
        }
      }),
      runs(20, 300),
    );
  });
});

it('what is left of a value whose beginning is cut is masked by what follows it', () => {
  fc.assert(
    fc.property(bytes(128), bytes(128), fc.constantFrom('p', 'q', 'dp', 'dq', 'qi'), (cut, next, name) => {
      for (const text of [
        `${cut}","${name}":"${next}"}`,
        `…${cut}",\n  "${name}": "${next}",`,
        `...${cut}', '${name}': '${next}'}`,
      ]) {
        expect(redact(text)).not.toContain(cut);
        expect(redact(text)).not.toContain(next);
      }
    }),
    runs(20, 300),
  );
});

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
test.each([
  '{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"} is public',
  'jwks: kty RSA, e AQAB, d, p and q are private',
  '"d": "M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10"',
  'd: "M0,0L10,10C20,20,30,30,40,40,50,50,60,60"',
  `"q": "${DIGEST}"`,
  `"k": "some-name-of-a-key-in-a-list-of-names-2024-of-ours"`,
  'p = processTheNextBatchOfRecordsInTheQueueOfWorker2(x)',
  'https://x.test/?q=howToReadAKeyOfTheWebInJavaScript2024',
  'd: someFunctionNameThatIsVeryLongAndHasNoDigitsInIt',
  '{"p":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});
