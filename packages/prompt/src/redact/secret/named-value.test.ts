import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { runs } from '../../../../../test/runs.js';
import { createRedactor } from '../redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const redact = (text: string): string => redactor.redactText(text).text;

/** What a variable, a parameter or a header is called that is kept secret. */
const NAMES = [
  'API_KEY',
  'DB_PASSWORD',
  'X-Api-Key',
  'client_secret',
  'spring.datasource.password',
  'githubToken',
  'SOPS_AGE_KEY',
];
const value = fc
  .stringMatching(/^[a-z]{3}[A-Z]{2}[0-9]{3}[a-z]{2}[A-Z][0-9]{2}[a-z]{2}[A-Z]{2}[0-9]$/)
  .filter((word) => new Set(word).size >= 12);

/** The keys of a name and of what it names, and how a language writes an entry. */
const KEYS: readonly (readonly [name: string, value: string])[] = [
  ['name', 'value'],
  ['Name', 'Value'],
  ['key', 'value'],
  ['Key', 'Value'],
  ['header', 'value'],
  ['ParameterKey', 'ParameterValue'],
  ['propertyName', 'propertyValue'],
  ['variable_name', 'variable_value'],
  ['name', 'stringValue'],
];
type Entry = readonly [key: string, value: string];
type Write = (entries: readonly Entry[]) => string;
const each = (
  entries: readonly Entry[],
  put: (key: string, value: string) => string,
  between: string,
): string => entries.map(([key, item]) => put(key, item)).join(between);
const SYNTAX: Readonly<Record<string, Write>> = {
  'JSON in a log': (entries) => `env ${JSON.stringify(Object.fromEntries(entries))} of x`,
  'JSON of many lines': (entries) => `env:\n${JSON.stringify([Object.fromEntries(entries)], null, 2)}\nok`,
  'a part of a list': (entries) =>
    `"secrets":[],"env":[{"name":"MODE","value":"prod"},${JSON.stringify(Object.fromEntries(entries))},{"name":"A","value":"b"}`,
  'JSON in a string': (entries) => `body=${JSON.stringify(JSON.stringify(Object.fromEntries(entries)))} ok`,
  Python: (entries) => `env = [{${each(entries, (key, item) => `'${key}': '${item}'`, ', ')}}]`,
  'Python, many lines': (entries) =>
    `env = [\n  {\n${each(entries, (key, item) => `    '${key}': '${item}',`, '\n')}\n  },\n]`,
  JavaScript: (entries) => `env: [{ ${each(entries, (key, item) => `${key}: '${item}'`, ', ')} }]`,
  'JavaScript, many lines': (entries) =>
    `  {\n${each(entries, (key, item) => `    ${key}: "${item}",`, '\n')}\n  },`,
  PHP: (entries) => `[${each(entries, (key, item) => `'${key}' => '${item}'`, ', ')}]`,
  Go: (entries) => `v1.EnvVar{${each(entries, (key, item) => `${key}: "${item}"`, ', ')}},`,
  'arguments of a call': (entries) => `Env(${each(entries, (key, item) => `${key}="${item}"`, ', ')})`,
  YAML: (entries) =>
    `env:\n  - ${each(entries, (key, item) => `${key}: ${item}`, '\n    ')}\n  - name: MODE\n    value: prod`,
  'YAML with quotes': (entries) => `- ${each(entries, (key, item) => `${key}: "${item}"`, '\n  ')}\n`,
  'YAML in a line': (entries) => `env: [{${each(entries, (key, item) => `${key}: ${item}`, ', ')}}]`,
  TOML: (entries) => `[[env]]\n${each(entries, (key, item) => `${key} = "${item}"`, '\n')}\n`,
  HCL: (entries) => `environment {\n${each(entries, (key, item) => `  ${key} = "${item}"`, '\n')}\n}`,
  'HCL in a line': (entries) => `env { ${each(entries, (key, item) => `${key} = "${item}"`, ' ')} }`,
  'attributes of XML': (entries) => `<env ${each(entries, (key, item) => `${key}="${item}"`, ' ')}/>`,
  'elements of XML': (entries) =>
    `<p>\n${each(entries, (key, item) => `  <${key}>${item}</${key}>`, '\n')}\n</p>`,
  'a diff': (entries) => `@@ -1 +1 @@\n${each(entries, (key, item) => `+  ${key}: "${item}",`, '\n')}`,
};
const BESIDE: Readonly<Record<string, readonly Entry[]>> = {
  'right beside it': [],
  'with another entry between': [['type', 'plain']],
  'with a flag and a number between': [
    ['secure', 'true'],
    ['order', '3'],
  ],
};

describe.each(Object.keys(SYNTAX))('a value that a name names, in %s', (syntax) => {
  it.each(Object.keys(BESIDE))('is masked whichever comes first, %s', (beside) => {
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(...NAMES),
        fc.constantFrom(...KEYS),
        fc.boolean(),
        (word, name, [nameKey, valueKey], first) => {
          const [one, other]: readonly Entry[] = [
            [nameKey, name],
            [valueKey, word],
          ];
          const entries = [first ? one! : other!, ...BESIDE[beside]!, first ? other! : one!];
          const text = SYNTAX[syntax]!(entries);
          const clean = redact(text);
          expect(clean).not.toContain(word);
          expect(clean).toContain(name);
          expect(redact(clean)).toBe(clean);
        },
      ),
      runs(120, 1_500),
    );
  });
});

it('is masked in a structured value and in a whole document, whichever comes first', () => {
  fc.assert(
    fc.property(
      value,
      fc.constantFrom(...NAMES),
      fc.constantFrom(...KEYS),
      fc.boolean(),
      (word, name, keys, first) => {
        const entries = [[keys[0], name] as const, ['type', 'x'] as const, [keys[1], word] as const];
        const object = Object.fromEntries(first ? entries : entries.toReversed());
        expect(JSON.stringify(redactor.redactValue([object]).value)).not.toContain(word);
        expect(redact(JSON.stringify([object]))).not.toContain(word);
      },
    ),
    runs(60, 1_000),
  );
});

it('is masked in a text that was cut within the object', () => {
  fc.assert(
    fc.property(value, fc.constantFrom('API_KEY', 'DB_PASSWORD'), (word, name) => {
      for (const text of [
        `[{"value":"${word}","name":"${name}`,
        `[{"name":"${name}","value":"${word}`,
        `...${word}","name":"${name}"},{"name":"A","value":"b"}]`,
        `${name}","value":"${word}"},{"name":"A"}]`,
        `${word}', 'name': '${name}'}`,
        `{"password":"${word}`,
        `export const token = "${word}`,
      ])
        expect([text, redact(text)]).toEqual([text, expect.not.stringContaining(word)]);
    }),
    runs(30, 500),
  );
});

test.each([
  ['{"name":"Cookie","value":"theme=dark; sid=38afes7a8b2c"}', '38afes7a8b2c'],
  ['{"value":"sid=38afes7a8b2c; Path=/","name":"Set-Cookie"}', '38afes7a8b2c'],
  ['{"name":"Authorization","value":"Token 9944b09199c62bcf9418ad846dd0e4bb"}', '9944b09199c62bcf'],
  [
    '{"value":"Digest username=\\"ada\\", response=\\"6629fae49393a05397450978507c4ef1\\"","name":"authorization"}',
    '6629fae49393',
  ],
])('a header of a log that lists headers: %s', (header, secret) => {
  for (const text of [header, `entry ${header} ok`, `"headers": [${header}, {"name":"Accept","value":"*/*"}`])
    expect(redact(text)).not.toContain(secret);
});

/** Objects that have a value and a name, and nothing to hide. */
test.each([
  '{"value":"prod-2024-release","name":"DB_PASSWORD_FILE"}',
  '{"value":"3","name":"TOKEN_COUNT"}',
  'x {"value":"abc123def456ghi789","name":"build"}',
  'x {"value":"Kx7vQ2mZp9Lw4tRb","name":"MODE"},{"value":"on","name":"API_KEY"}',
  'x {"name":"API_KEY","value":"on"},{"value":"Kx7vQ2mZp9Lw4tRb","name":"MODE"}',
  '- name: MODE\n  value: Kx7vQ2mZp9Lw4tRb\n- name: API_KEY\n  valueFrom: x',
  '- value: Kx7vQ2mZp9Lw4tRb\n  name: MODE\n- name: API_KEY',
  '  - value: Kx7vQ2mZp9Lw4tRb\n    mode: b\nname: api-token',
  'const option = { value: "password", name: "Password" };',
  '<option value="token">Token</option>',
  `<input value="\${password}" name="password">`,
  'interface Pair { value: string; name: "password" }',
  'z.object({ value: z.string(), name: z.literal("token") })',
  '<p><name>MODE</name><value>Kx7vQ2mZp9Lw4tRb</value></p><p><name>password</name></p>',
  '<p><value>Kx7vQ2mZp9Lw4tRb</value><name>MODE</name></p><p><name>password</name></p>',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text);
});
