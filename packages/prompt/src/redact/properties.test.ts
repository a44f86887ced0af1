import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { createRedactor, type JsonValue, type LeakContext } from './redactor.js';
import { createScanner } from './scan.js';
import { plainShadow, shadowOf } from './shadow.js';

const context: LeakContext = {
  roots: [
    ['@project', '/Users/quinnray/Work Space/项目 A'],
    ['@win', 'C:\\Users\\Quinn Ray\\proj'],
    ['@app', '/app'],
  ],
  private: ['/Users/quinnray', 'C:\\Users\\Quinn Ray', '/private/var/folders/zz/q1w2e3/T'],
  names: ['quinnray', 'Quinn Ray', 'MBP-7.local', 'alice', 'jo'],
  credentials: ['hunter2-Secret/Value+9'],
};
const redactor = createRedactor(context);
/** Has seen nothing, so its last check takes nothing for granted. */
const judge = createRedactor(context);

const secrets = fc.constantFrom(
  '/Users/quinnray/Work Space/项目 A/docs/a.md',
  '/Users/quinnray',
  'C:\\Users\\Quinn Ray\\proj\\src\\a.ts',
  'C:\\Users\\Quinn Ray',
  '/var/folders/zz/q1w2e3/T/x.py',
  '/app/main.ts',
  'quinnray',
  'Quinn Ray',
  'MBP-7.local',
  'alice',
  '/home/jo/x',
  'hunter2-Secret/Value+9',
  '/home/somebody/x',
  '//QUINN-PC/share/plan.doc',
  'sk-ant-api03-abcDEF123456789012345678901234567890',
);

const SPELL: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFD'),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => text.replaceAll('/', '\\/'),
  (text) => text.replaceAll('/', '\\u002f'),
  (text) => text.replace(/[/\\]/g, '&#47;'),
  (text) => text.replaceAll(' ', '\\ '),
  (text) => text.replaceAll(' ', '+'),
  (text) => text.replaceAll('/', '／'),
  (text) => text.replaceAll('/', '//'),
  (text) => [...text].join('\u200b'),
  (text) => `file://${text}`,
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('hex'),
  (text) => text.slice(1),
];

const spelled = fc.tuple(secrets, fc.constantFrom(...SPELL)).map(([secret, spell]) => spell(secret));

const junk = fc.oneof(
  fc.constantFrom(
    ' ',
    '\n',
    '"',
    "'",
    '`',
    '(',
    ')',
    '[',
    ']',
    '<',
    '>',
    '{',
    '}',
    ',',
    ';',
    ':',
    '.',
    '=',
    '&',
    '#',
    '|',
    '-',
    '~',
  ),
  fc.constantFrom(
    '/',
    '//',
    '\\',
    '\\\\',
    '%',
    '%25',
    '%2F',
    '\\u',
    '\\n',
    '&#',
    '=2',
    '=\n',
    '@project/',
    '[removed:path]',
    'Users/',
    '/home/',
  ),
  fc.constantFrom(
    'see ',
    'and ',
    'a.md',
    'src/x.ts',
    ' (1).md',
    '。',
    '，',
    '项目',
    '😀',
    '\ud800',
    '\u0301',
    '-I',
    'C:',
    'file:',
    'x',
    'é',
  ),
  fc.constantFrom(
    'curl -u a:hunter2 ',
    ' --password Sw0rdfish ',
    'machine h login u password Sw0rdfish\n',
    'db.test:5432:d:u:Sw0rdfish\n',
    'Cookie: sid=abc123def; a=b\n',
    'Authorization: Basic dXNlcjpwYXNz\n',
    '<password>Sw0rdfish</password>',
    '"api_key": "9f8b7c6d5e4f3a2b1c0d9e8f"',
    'PGPASSWORD=hunter2 ',
    '?sig=Zm9vYmFyYmF6cXV4MTIzNDU2&b=1',
    '/etc/acme/private/x ',
    '/workdir/acme/x ',
    '\\\\.\\D:\\acme\\x',
    'cd /acme/x',
    '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',
    '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawA',
  ),
  fc.string({ maxLength: 6 }),
);

const mixture = fc
  .array(fc.oneof({ weight: 2, arbitrary: spelled }, { weight: 3, arbitrary: junk }), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('for all texts', () => {
  test('what is redacted leaks nothing, and redacting again changes nothing', () => {
    fc.assert(
      fc.property(mixture, (text) => {
        const once = redactor.redactText(text);
        expect(judge.leaks(once.text)).toEqual([]);
        expect(redactor.find(once.text)).toEqual([]);
      }),
      runs(6_000, 500_000),
    );
  });

  test('an escape that runs into something encoded hides nothing of what both spell together', () => {
    const secretTexts = [
      '/home/jo/x',
      '/home/alice/x',
      '/Users/quinnray',
      '/x/quinnray/y',
      'C:\\Users\\Quinn Ray',
      'alice',
    ];
    const escapes = ['%', '%25', '\\x', '\\u00', '&#x', '=', 'x%', ' %', '"%', '/%', '%%'];
    const encodings = ['hex', 'base64', 'base64url'] as const;
    for (const secret of secretTexts) {
      for (const encoding of encodings) {
        const encoded = Buffer.from(secret).toString(encoding);
        for (const lead of escapes) {
          for (const text of [`${lead}${encoded}`, `${lead}2f${encoded}`, `${lead}2F${encoded};`]) {
            const once = redactor.redactText(text).text;
            expect([text, judge.leaks(once)]).toEqual([text, []]);
            expect([text, redactor.find(once)]).toEqual([text, []]);
          }
        }
      }
    }
  });

  test('replacements are sorted, apart, inside the text, and never cut a surrogate pair in half', () => {
    fc.assert(
      fc.property(mixture, (text) => {
        let last = 0;
        for (const { start, end } of redactor.find(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
        const whole = text.isWellFormed();
        if (whole) expect(redactor.redactText(text).text.isWellFormed()).toBe(true);
      }),
      runs(5_000, 100_000),
    );
  });

  test('a value of JSON stays JSON of the same shape, as a value and as text', () => {
    const values = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        mixture,
        fc.constantFrom<JsonValue>(null, true, 1.5, -2e30),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(mixture, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(values, (value) => {
        const clean = redactor.redactValue(value).value;
        expect(shapeOf(clean)).toEqual(shapeOf(value));
        expect(redactor.redactValue(clean).value).toEqual(clean);
        const text = redactor.redactText(JSON.stringify(value)).text;
        expect(shapeOf(JSON.parse(text))).toEqual(shapeOf(value));
        expect(redactor.leaks(text)).toEqual([]);
      }),
      runs(3_000, 100_000),
    );
  });

  test('the quick look at ASCII text finds what the walk over every marked character finds', () => {
    const scanner = createScanner(context);
    const ascii = mixture.map((text) => text.replace(/[^\x20-\x7e\n]/g, 'x'));
    fc.assert(
      fc.property(ascii, fc.boolean(), (text, knownOnly) => {
        // A character beyond ASCII far behind forces the slow walk and touches nothing else.
        const mode = { knownOnly, inValue: false, depth: 0 };
        const quick = scanner.scan(`${text} end`, mode);
        const slow = scanner.scan(`${text} end\n\n———`, mode);
        expect(quick).toEqual(slow);
        // With an escape ahead the same text is read through its shadow.
        const shadow = scanner.scan(`%41\n\n${text} end`, mode);
        const slowShadow = scanner.scan(`%41\n\n${text} end\n\n———`, mode);
        expect(shadow).toEqual(slowShadow);
      }),
      runs(5_000, 100_000),
    );
  });

  test('text without anything special is its own shadow', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 .,-]*$/), (text) => {
        expect(shadowOf(text).text).toBe(plainShadow(text).text);
      }),
      runs(1_000, 10_000),
    );
  });
});

/** The containers and scalars of a value; strings and keys count, their content does not. */
function shapeOf(value: JsonValue): unknown {
  if (typeof value === 'string') return 'text';
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(shapeOf);
  return Object.values(value as Record<string, JsonValue>).map(shapeOf);
}
