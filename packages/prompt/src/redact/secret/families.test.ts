import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inTurn, SEED, share } from '../../../../../test/runs.js';
import { createRedactor } from '../redactor.js';
import { FAMILIES } from './families.js';
import { ANY } from './family/any.js';
import { CLOUD } from './family/cloud.js';
import { MESSAGE } from './family/message.js';
import { MODEL } from './family/model.js';
import { SERVICE } from './family/service.js';
import { SOURCE } from './family/source.js';
import type { Family } from './family.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** Numbers that repeat from run to run. */
function createRandom(seed: number) {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The characters of an alphabet: all, the digits, and those that are no separator. */
function poolsOf(alphabet: string) {
  const known = pools.get(alphabet);
  if (known) return known;
  const inside = new RegExp(`[${alphabet}]`);
  const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter((char) =>
    inside.test(char),
  );
  const made = {
    digits: all.filter((char) => /\d/.test(char)),
    plain: all.filter((char) => /[A-Za-z0-9]/.test(char)),
  };
  pools.set(alphabet, made);
  return made;
}

const pools = new Map<string, { readonly digits: readonly string[]; readonly plain: readonly string[] }>();

/** A token of a family, written from its declaration: between the least and the greatest length of each stretch. */
function tokenOf(family: Family, random: (below: number) => number): string {
  const token = chanceOf(family, random);
  // Chance makes hex without letters, once in millions: a number, and no token.
  return /[A-Za-z][^A-Za-z]*[A-Za-z]/.test(token) || !hasLetters(family) ? token : tokenOf(family, random);
}

const hasLetters = ({ parts }: Family): boolean =>
  parts.some(
    (part) => part.kind === 'fixed' || poolsOf(part.alphabet).plain.some((char) => /[A-Za-z]/.test(char)),
  );

function chanceOf({ parts }: Family, random: (below: number) => number): string {
  return parts
    .map((part) => {
      if (part.kind === 'fixed') return part.text;
      const { digits, plain } = poolsOf(part.alphabet);
      const length = part.min + random(part.max - part.min + 1);
      return Array.from({ length }, (_, index) => {
        // What chance makes holds digits.
        const pool = digits.length > 0 && index % 5 === 1 ? digits : plain;
        return pool[random(pool.length)]!;
      }).join('');
    })
    .join('');
}

/** Where a token may stand. The word is one that its vendor is known by. */
const PLACES: Readonly<Record<string, (token: string, word: string) => string>> = {
  prose: (token) => `Use ${token} now.`,
  'end of a sentence': (token) => `It is ${token}.`,
  brackets: (token) => `the key (${token}) works`,
  quotes: (token) => `say "${token}" or '${token}'`,
  json: (token) => JSON.stringify({ a: [token], b: { c: token } }),
  'json in json': (token) => JSON.stringify({ a: JSON.stringify({ b: token }) }),
  yaml: (token) => `some:\n  thing: ${token}\n  other: 1\n`,
  url: (token) => `https://x.test/a?z=${encodeURIComponent(token)}&b=2`,
  header: (token) => `X-Thing: ${token}\r\nAccept: */*`,
  code: (token) => `const thing = '${token}';\nrun(thing);`,
  'environment file': (token) => `A=1\nTHING=${token}\nB=2`,
  'markdown table': (token) => `| a | b |\n| --- | --- |\n| ${token} | c |`,
  'markdown code': (token) => `run \`${token}\` here`,
  log: (token) => `2026-01-02T03:04:05Z INFO start thing=${token} done`,
  cjk: (token) => `密钥是${token}。请保密`,
  'string literal': (token) => `"a\\n${token}\\nb"`,
  element: (token) => `<a>${token}</a>`,
};

/** Where a form that other things have too is told by the words before it. */
const NEAR_PLACES: Readonly<Record<string, (token: string, word: string) => string>> = {
  prose: (token, word) => `The ${word} api key is ${token} now.`,
  json: (token, word) => `{ "${word}-settings": { "token": "${token}" }, }`,
  yaml: (token, word) => `${word}:\n  access: 1\n  token: ${token}\n`,
  code: (token, word) => `const ${word.replace(/\W/g, '')}Key = "${token}";`,
  'environment file': (token, word) => `A=1\n${word.replace(/\W/g, '_').toUpperCase()}_AUTH=${token}\nB=2`,
  header: (token, word) => `X-${word}-Key: ${token}\n`,
};

/** How many tokens of a family are tried. */
const TOKENS = share(1, 40);

describe.each(
  Object.entries({
    cloud: CLOUD,
    source: SOURCE,
    model: MODEL,
    message: MESSAGE,
    service: SERVICE,
    any: ANY,
  }),
)('families of %s', (group, rows) => {
  test('every token written from the table is found in every place', () => {
    const names = new Set(rows.map(([name]) => name));
    const random = createRandom(SEED);
    const missed: string[] = [];
    let tried = 0;
    for (const family of FAMILIES.filter(({ name }) => names.has(name))) {
      const places = inTurn(Object.entries(family.near.length > 0 ? NEAR_PLACES : PLACES), 4);
      let found = 0;
      for (let count = 0; count < TOKENS; count += 1) {
        for (const [place, put] of places) {
          const token = tokenOf(family, random);
          const word = family.near[0] ?? '';
          const out = redact(put(token, word));
          if (hidesAll(out, token)) found += 1;
          else missed.push(`${family.name} in ${place}: ${put(token, word)} -> ${out}`);
        }
      }
      tried += TOKENS * places.length;
      if (found < TOKENS * places.length)
        console.log(`  ${family.name}: ${found} of ${TOKENS * places.length}`);
    }
    console.log(`recall of ${group}: ${tried - missed.length} of ${tried} tokens of ${names.size} families`);
    expect(missed).toEqual([]);
  });
});

/** Nothing of the random end of a token is left. */
const hidesAll = (out: string, token: string): boolean =>
  !out.includes(token) &&
  !out.includes(token.slice(-10)) &&
  !out.includes(encodeURIComponent(token).slice(-10));

test('what stands around a token stays', () => {
  const random = createRandom(SEED + 1);
  for (const family of FAMILIES.filter(({ near }) => near.length === 0)) {
    const token = tokenOf(family, random);
    expect(redact(`Use ${token} now.`)).toMatch(/^Use (?:https?:\/\/)?\[removed:credential\] now\.$/);
    expect(redact(`"${token}", "b"`)).toBe('"[removed:credential]", "b"');
  }
});

test('a token that says what it is in two words is found behind letters too', () => {
  const random = createRandom(SEED + 2);
  const named = FAMILIES.filter(({ near, parts: [first] }) => {
    const needle = first?.kind === 'fixed' ? first.text : '';
    return near.length === 0 && needle.length >= 7 && /[-_].*[-_]/.test(needle);
  });
  expect(named.length).toBeGreaterThan(30);
  const missed = named.flatMap((family) => {
    const found = Array.from({ length: 20 }, () => tokenOf(family, random)).filter(
      (token) => hidesAll(redact(`id${token} and`), token) && hidesAll(redact(`x${token}`), token),
    ).length;
    // A body of few characters looks like a name now and then.
    return found >= 16 ? [] : [`${family.name} ${found}`];
  });
  expect(missed).toEqual([]);
  const kept = [
    'task-ant-design-2-components',
    'task_live_updates_for_all_users',
    'disk-test-results-2024-11',
  ];
  for (const text of kept) expect(redact(text)).toBe(text);
});

test('family names are unique, and each has a form or words to be told by', () => {
  const names = FAMILIES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const vague = FAMILIES.filter(
    ({ near, parts }) => near.length === 0 && !parts.some((part) => part.kind === 'fixed'),
  );
  expect(vague.map(({ name }) => name)).toEqual([]);
});

interface VendorTokens {
  readonly tokens: readonly (readonly [vendor: string, token: string])[];
  readonly near: readonly (readonly [vendor: string, text: string, secret: string])[];
}

const vendors: VendorTokens = JSON.parse(
  readFileSync(new URL('../../../test/vendor-tokens.json', import.meta.url), 'utf8'),
);

describe('tokens written by hand from what vendors say', () => {
  test.each(vendors.tokens)('%s', (_vendor, token) => {
    const left = Object.entries(PLACES).filter(([, put]) => !hidesAll(redact(put(token, '')), token));
    expect(left.map(([place, put]) => `${place}: ${redact(put(token, ''))}`)).toEqual([]);
  });

  test.each(vendors.near)('%s by the words before it', (_vendor, text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });
});

describe('check digits', () => {
  const valid = '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';
  test('a token whose digits check is found inside a word too', () => {
    expect(redact(`prefix${valid}`)).toBe('prefix[removed:credential]');
  });
  test('one whose digits do not check is found only where a token may start', () => {
    const other = `${valid.slice(0, -1)}8`;
    expect(redact(`prefix${other}`)).toBe(`prefix${other}`);
    expect(redact(`a ${other}`)).toBe('a [removed:credential]');
  });
});
