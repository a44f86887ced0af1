import { describe, expect, it, test } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

const TOKEN = 'Kx7vQ2mZp9Lw4tRb';
const WORD = 'hunter2x9';
const WEB_KEY = 'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQEstJQLr';
/** What holds a secret by what stands around it. */
const HOLDERS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'a variable': [`token=${TOKEN}`, TOKEN],
  'a weak variable': [`password=${WORD}`, WORD],
  'an environment': [`DB_PASSWORD=${WORD}`, WORD],
  'a field': [`api_key: ${TOKEN}`, TOKEN],
  'a document': [`{"password":"${WORD}"}`, WORD],
  'an entry': [`"password": "${WORD}"`, WORD],
  'an entry in single quotes': [`'api_key': '${TOKEN}'`, TOKEN],
  'an object of a program': [`password: '${WORD}'`, WORD],
  'an entry of PHP': [`'password' => '${WORD}'`, WORD],
  'a literal': [`password="${WORD}"`, WORD],
  'a bearer': [`Authorization: Bearer ${TOKEN}abc`, TOKEN],
  'a name and a password': ['Authorization: Basic QWxhZGRpbjpvcGVuU2VzYW1l', 'QWxhZGRpbjpvc'],
  'a cookie': [`Cookie: sid=${TOKEN}`, TOKEN],
  'a header': [`X-Api-Key: ${TOKEN}`, TOKEN],
  'an address': [`?access_token=${TOKEN}&state=1`, TOKEN],
  'an address with a password': [`postgres://ada:${WORD}@db.test/x`, WORD],
  'an element': [`<password>${WORD}</password>`, WORD],
  'a connection': [`Server=db.test;Database=x;User Id=ada;Password=${WORD};`, WORD],
  'a name before its value': [`{"name":"API_KEY","value":"${TOKEN}"}`, TOKEN],
  'a name behind its value': [`{"value":"${TOKEN}","name":"API_KEY"}`, TOKEN],
  'a key of the web': [`{"kty":"oct","k":"${WEB_KEY}"}`, WEB_KEY],
  'a line of pgpass': [`db.test:5432:shop:ada:${WORD}`, WORD],
  'a line of netrc': [`machine x.test login ada password ${WORD}`, WORD],
  'a command': [`curl -u ada:${WORD} https://x.test`, WORD],
};

const SIGNS = /[^\w.~-]/g;
const hex = (char: string, digits = 2): string => char.charCodeAt(0).toString(16).padStart(digits, '0');
const put =
  (write: (char: string) => string, signs = SIGNS) =>
  (text: string) =>
    text.replaceAll(signs, write);
const percent = put((char) => `%${hex(char).toUpperCase()}`);
const NAMED: Readonly<Record<string, string>> = {
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
  '=': 'equals',
  ':': 'colon',
  '<': 'lt',
  '>': 'gt',
};
const literal = (text: string): string => JSON.stringify(text).slice(1, -1);
/** How signs are spelled: in addresses, pages, forms and string literals, once or over and over. */
const SPELLINGS: Readonly<Record<string, (text: string) => string>> = {
  percent,
  'percent in small letters': put((char) => `%${hex(char)}`),
  'percent twice': (text) => percent(text).replaceAll('%', '%25'),
  'percent three times': (text) => percent(text).replaceAll('%', '%2525'),
  'only the signs of an assignment': put((char) => `%${hex(char)}`, /[=:]/g),
  'named entities': put((char) => `&${NAMED[char]};`, /[&"'=:<>]/g),
  'entities of quotes': put((char) => (char === '"' ? '&quot;' : '&#39;'), /["']/g),
  'entities of quotes, twice': put((char) => (char === '"' ? '&amp;quot;' : '&amp;#39;'), /["']/g),
  'numbers of quotes': put((char) => `&#x${hex(char)};`, /["']/g),
  'entities of an assignment': put((char) => `&#${char.charCodeAt(0)};`, /[=:]/g),
  'decimal entities': put((char) => `&#${char.charCodeAt(0)};`),
  'decimal entities, twice': put((char) => `&amp;#${char.charCodeAt(0)};`),
  'hexadecimal entities': put((char) => `&#x${hex(char)};`),
  'entities in capitals': put((char) => `&#X${hex(char).toUpperCase()};`),
  '\\u': put((char) => `\\u${hex(char, 4)}`),
  '\\u in capitals': put((char) => `\\u${hex(char, 4).toUpperCase()}`),
  '\\u of an assignment': put((char) => `\\u${hex(char, 4)}`, /[=:]/g),
  '\\u of quotes': put((char) => `\\u${hex(char, 4)}`, /["']/g),
  '\\u twice': put((char) => `\\\\u${hex(char, 4)}`),
  '\\u{}': put((char) => `\\u{${hex(char)}}`),
  '\\x': put((char) => `\\x${hex(char)}`),
  '\\x of an assignment': put((char) => `\\x${hex(char)}`, /[=:]/g),
  '\\x twice': put((char) => `\\\\x${hex(char)}`),
  octal: put((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'a literal': literal,
  'a literal in a literal': (text) => literal(literal(text)),
  'a literal in two others': (text) => literal(literal(literal(text))),
  'percent of a literal': (text) => encodeURIComponent(JSON.stringify(text)),
  'a literal of \\u': (text) => literal(put((char) => `\\u${hex(char, 4)}`)(text)),
  'percent of entities': (text) =>
    encodeURIComponent(text.replaceAll('"', '&quot;').replaceAll('=', '&#61;')),
  'entities of percent': (text) => percent(text).replaceAll('%', '&#37;'),
};

/** Where the spelled text stands. */
const PLACES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Before.\nINFO got ${text} ok\nAfter.`,
  (text) => `GET /cb?x=1&d=${text}&z=1 HTTP/1.1`,
  (text) => `<div data-x="${text}">`,
];

describe.each(inTurn(Object.keys(SPELLINGS), 8))('a secret whose signs are spelled: %s', (spelling) => {
  it.each(Object.keys(HOLDERS))('is masked as it is where they are not, in %s', (holder) => {
    const [text, secret] = HOLDERS[holder]!;
    for (const place of PLACES) {
      const around = place(SPELLINGS[spelling]!(text));
      expect([around, redact(around)]).toEqual([around, expect.not.stringContaining(secret)]);
      expect(redact(redact(around))).toBe(redact(around));
    }
  });
});

test.each(Object.entries(HOLDERS).filter(([name]) => name !== 'a line of netrc'))(
  'a form spells a blank as a plus: %s',
  (_name, [text, secret]) => {
    const form = encodeURIComponent(text).replaceAll('%20', '+');
    for (const around of [form, `body: a=1&d=${form}&b=2`]) expect(redact(around)).not.toContain(secret);
  },
);

/** Spelled signs and nothing to hide. */
test.each([
  'https://x.test/?q=a%20b%26c%3Dd&lang=en',
  'redirect_uri=https%3A%2F%2Fapp.test%2Fcallback%3Fstate%3D1',
  'https%3A%2F%2Fgit.test%2Facme%2Fweb%2Fpull%2F12',
  '&lt;input type=&quot;password&quot; name=&quot;password&quot;&gt;',
  '&lt;password&gt;…&lt;/password&gt;',
  '{&quot;password&quot;: &quot;&lt;your password&gt;&quot;}',
  '&quot;token&quot;: &quot;string&quot;',
  'the header is Authorization%3A%20Bearer%20%3Ctoken%3E',
  "'\\u0022key\\u0022: \\u0022value\\u0022'",
  'const re = /\\x3d|\\u003a/;',
  'printf "\\x1b[31mtoken\\x1b[0m: none"',
  'a+b%3Dc, 50%25 of tokens, 100% sure',
  'utm_source=mail&utm_campaign=password%20reset%202024',
  'smp%3A%2F%2Fu2dS9sG8nMNURyZwqASV4yROM28Er0luVTx5X1CsMrU%3D%40smp4.simplex.im%2Fx',
  'token%3Dmax_tokens%26n%3D4096',
  'C:\\\\x41\\\\u0041',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});
