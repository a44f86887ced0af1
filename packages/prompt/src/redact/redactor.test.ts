import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { createRedactor, type JsonValue, type LeakContext } from './redactor.js';

interface Case {
  readonly id: string;
  readonly input: string;
  readonly mustNotContain: readonly string[];
  readonly mustKeep?: readonly string[];
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../test/${name}`, import.meta.url), 'utf8'));
const given = read('leaks.json');
const own = read('leak-cases.json');
const context: LeakContext = given.ctx;
const redactor = createRedactor(context);
const cases: readonly Case[] = [...given.mustRedact, ...own.mustRedact];
const clean: readonly string[] = [...given.mustNotChange, ...own.mustNotChange];

const encoded = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Every place a string may stand in; the answer is the text that would be sent. */
const PLACES: Readonly<Record<string, (input: string) => string>> = {
  alone: (input) => redactor.redactText(input).text,
  title: (input) => redactor.redactText(`Review of ${input}`).text,
  prose: (input) => redactor.redactText(`Please look at ${input} and tell me what it is.`).text,
  'second line': (input) => redactor.redactText(`First line.\n${input}\nLast line.`).text,
  error: (input) => redactor.redactText(`Error: cannot read ${input}`).text,
  value: (input) => JSON.stringify(redactor.redactValue({ note: input, n: 1 }).value),
  key: (input) => JSON.stringify(redactor.redactValue({ [input]: true }).value),
  'nested array': (input) => JSON.stringify(redactor.redactValue([[['a', [input]]]]).value),
  'tool result': (input) =>
    redactor.redactText(JSON.stringify({ ok: true, lines: [input], [input]: 1 })).text,
  'doubly encoded': (input) => redactor.redactText(JSON.stringify(JSON.stringify({ content: input }))).text,
};
const JSON_PLACES: ReadonlySet<string> = new Set([
  'value',
  'key',
  'nested array',
  'tool result',
  'doubly encoded',
]);

describe.each(Object.entries(PLACES))('every string as %s', (place, put) => {
  const rows = place === 'alone' ? cases : inTurn(cases);
  test.each(rows.map((each) => [each.id, each] as const))(
    '%s is cleaned',
    (_id, { input, mustNotContain, mustKeep = [] }) => {
      const out = put(input);
      const isJson = JSON_PLACES.has(place);
      for (const secret of mustNotContain) {
        expect(out).not.toContain(secret);
        if (isJson) expect(out).not.toContain(encoded(secret));
      }
      const readable = isJson ? textsIn(JSON.parse(out)).join('\n') : out;
      for (const kept of mustKeep) expect(readable).toContain(kept);
      expect(redactor.leaks(out)).toEqual([]);
      expect(redactor.redactText(out).text).toBe(out);
    },
  );

  test.each(place === 'alone' ? clean : inTurn(clean))('%s stays as it is', (input) => {
    const out = put(input);
    const untouched: Readonly<Record<string, string>> = {
      alone: input,
      title: `Review of ${input}`,
      prose: `Please look at ${input} and tell me what it is.`,
      'second line': `First line.\n${input}\nLast line.`,
      error: `Error: cannot read ${input}`,
      value: JSON.stringify({ note: input, n: 1 }),
      key: JSON.stringify({ [input]: true }),
      'nested array': JSON.stringify([[['a', [input]]]]),
      'tool result': JSON.stringify({ ok: true, lines: [input], [input]: 1 }),
      'doubly encoded': JSON.stringify(JSON.stringify({ content: input })),
    };
    expect(out).toBe(untouched[place]);
  });
});

/** All strings and keys of a value, those of JSON inside strings too. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value, ...innerTexts(value)];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value as Record<string, JsonValue>).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

function innerTexts(text: string): readonly string[] {
  if (!/^\s*[[{"]/.test(text)) return [];
  try {
    return textsIn(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

describe('roots', () => {
  test.each([
    ['the longest root wins', '/a/x/deep/f.ts', '@deep/f.ts'],
    ['a root alone', 'in /a/x now', 'in @x now'],
    ['a root with a slash', 'in /a/x/ now', 'in @x/ now'],
    ['a longer name is another folder', '/a/x2/f.ts', '/a/x2/f.ts'],
    ['a hyphen goes on', '/a/x-old/f.ts', '/a/x-old/f.ts'],
    ['an extension goes on', '/a/x.bak', '/a/x.bak'],
    ['a full stop does not', 'It is /a/x.', 'It is @x.'],
    ['a short root only where a path starts', 'src/a/x/f.ts', 'src/a/x/f.ts'],
    [
      'one folder only where a path starts',
      'src/app/main.ts and /app/main.ts',
      'src/app/main.ts and @app/main.ts',
    ],
    ['names in the rest are masked', '/a/x/quinnray.md', '@x/[removed:name].md'],
    ['and in a rest with backslashes', 'D:\\w\\p\\quinnray\\a.md ok', '@win/[removed:name]/a.md ok'],
    ['a public prefix may be told', '/home/public/x.md', '/home/public/x.md'],
    ['its neighbours may not', '/home/private/x.md', '[removed:path]'],
    ['a private folder inside a root', '/a/x/keys/id', '[removed:path]'],
  ])('%s', (_name, input, expected) => {
    const own = createRedactor({
      roots: [
        ['@x', '/a/x'],
        ['@deep', '/a/x/deep/'],
        ['@app', '/app'],
        ['@win', 'D:\\w\\p'],
      ],
      private: ['/a/x/keys'],
      names: ['quinnray'],
      public: ['/home/public'],
    });
    expect(own.redactText(input).text).toBe(expected);
  });
});

describe('names', () => {
  const own = createRedactor({
    roots: [],
    private: [],
    names: ['alice', 'root', 'app', 'jo', 'Quinns-MacBook-Pro.local', '田中'],
  });
  test.each([
    ['ask alice or Alice.', 'ask [removed:name] or [removed:name].'],
    ['malice and alices', 'malice and alices'],
    ['my_alice_file alice@x.test', 'my_[removed:name]_file [removed:name]@x.test'],
    ['the root cause in src/app/main.ts, jo', 'the root cause in src/app/main.ts, jo'],
    ['/home/app/x and /Users/jo/y', '[removed:path] and [removed:path]'],
    ['backup/Users/jo/y', 'backup/Users/[removed:name]/y'],
    ['at quinns-macbook-pro', 'at [removed:name]'],
    ['作者：田中', '作者：[removed:name]'],
  ])('%s', (input, expected) => {
    expect(own.redactText(input).text).toBe(expected);
    expect(own.leaks(expected)).toEqual([]);
  });

  test('a short name inside a home path is a leak, alone it is not', () => {
    expect(own.leaks('jo and app')).toEqual([]);
    expect(own.leaks('/Users/jo/x')).toEqual([{ kind: 'name', start: 7, end: 9 }]);
  });
});

describe('known credentials', () => {
  const secret = 'hunter2-Secret/Value+9';
  const own = createRedactor({ roots: [], private: [], names: [], credentials: [secret] });
  test.each([
    secret,
    secret.toUpperCase(),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    Buffer.from(secret).toString('base64'),
    Buffer.from(`x${secret}`).toString('base64'),
    Buffer.from(`xy${secret}zz`).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret, 'utf16le').toString('base64'),
    Buffer.from(Buffer.from(secret).toString('base64')).toString('base64'),
    JSON.stringify(secret),
  ])('%s', (spelled) => {
    expect(own.leaks(`a ${spelled} b`).map((leak) => leak.kind)).toEqual(['credential']);
    const { text, replacements } = own.redactText(`a ${spelled} b`);
    expect(text).toMatch(/^a "?\[removed:credential\]"? b$/);
    expect(replacements.map((each) => each.known)).toEqual([true]);
  });
});

describe('leaks', () => {
  test.each([
    ['/Users/quinnray/Work Space/项目 A/x', ['root']],
    ['c:/users/quinn ray', ['name', 'path']],
    ['/var/folders/zz/q1w2e3/T/x', ['path']],
    ['mbp-7', ['name']],
    ['/home/alice/x', []],
  ])('%s tells %j and nothing else', (input, kinds) => {
    const found = redactor.leaks(input).map((leak) => leak.kind);
    expect(found).toEqual(expect.arrayContaining(kinds.slice(-1)));
    expect(JSON.stringify(redactor.leaks(input))).not.toContain('quinn');
    if (kinds.length === 0) expect(found).toEqual([]);
  });
});

test('replacements say what was found by the context and what by its shape', () => {
  const { replacements } = redactor.redactText('/Users/quinnray/x and /home/alice/y');
  expect(replacements.map(({ kind, known }) => [kind, known])).toEqual([
    ['path', true],
    ['path', false],
  ]);
});
