import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { anyToken } from '../../../../test/tokens.js';
import { createRedactor } from './redactor.js';

const redactor = createRedactor({ roots: [], private: [], names: [], credentials: [] });
const lines = (text: string, put: (line: string, at: number) => string): string =>
  text.split('\n').map(put).join('\n');

/** What somebody puts a text into: other texts, other programs' output. */
const PUT: Readonly<Record<string, (text: string) => string>> = {
  'a line of JSON': (text) => `{"a":1}\n${JSON.stringify({ msg: text })}\n{"b":2}\n`,
  'a log': (text) => `2026-01-01 INFO ${JSON.stringify({ msg: text })}`,
  'JSON that is cut at its end': (text) => JSON.stringify({ n: 1, msg: `${text}\nand more` }).slice(0, -6),
  'JSON that is cut at its start': (text) => `...${JSON.stringify({ n: 1, msg: `abc\n${text}` }).slice(14)}`,
  'a program': (text) => `const x = ${JSON.stringify(text)};\nfoo(x);`,
  'a program with single quotes': (text) =>
    `print('${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}')`,
  'a fence': (text) => `Result:\n\`\`\`json\n${JSON.stringify({ out: text }, null, 2)}\n\`\`\`\n`,
  'JSON in JSON in a log': (text) => `out: ${JSON.stringify(JSON.stringify({ m: text }))}`,
  'server-sent events': (text) => `data: ${JSON.stringify({ delta: { text } })}\n\n`,
  'added lines': (text) => lines(text, (line) => `+${line}`),
  'removed lines': (text) => lines(text, (line) => `-${line}`),
  'found lines': (text) => lines(text, (line) => `src/a.ts:12:${line}`),
  'colours of a terminal': (text) => lines(text, (line) => `\x1b[32m${line}\x1b[0m`),
  'colours as they are escaped': (text) => lines(text, (line) => `\\u001b[1;32m${line}\\u001b[0m`),
  emphasis: (text) => lines(text, (line) => (line === '' ? '' : `**${line}**`)),
  'a quotation': (text) => lines(text, (line) => `> ${line}`),
  'numbered lines': (text) => lines(text, (line, at) => `${String(at + 1).padStart(6)}\t${line}`),
};

const letters = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'bcdfghjkmnpqrstvwxz'), minLength: length, maxLength: length });
const value = fc
  .tuple(letters(8), fc.integer({ min: 1000, max: 9999 }))
  .map(([word, number]) => `${word.slice(0, 4)}Q${number}${word.slice(4).toUpperCase()}x`);
const person = letters(9);

/** What is private, and the part of it that must not be told. */
const PRIVATE: Readonly<Record<string, fc.Arbitrary<readonly [text: string, needle: string]>>> = {
  'a path': fc
    .tuple(
      person,
      fc.constantFrom<(name: string) => string>(
        (name) => `/home/${name}/plan.md`,
        (name) => `/Users/${name}/Library/x`,
        (name) => `~${name}/plan.md`,
        (name) => `C:\\Users\\${name}\\plan.md`,
        (name) => `D:/work/${name}/plan.xlsx`,
        (name) => `\\\\FILES1\\${name}\\plan.docx`,
        (name) => `//FILES1/${name}/plan.docx`,
        (name) => `/workdir/${name}/x`,
        (name) => `/etc/${name}/private/key.pem`,
      ),
    )
    .map(([name, path]) => [path(name), name]),
  'a token': anyToken.map((token) => [token, token]),
  'a command': fc
    .tuple(
      value,
      fc.constantFrom<(secret: string) => string>(
        (secret) => `sshpass -p ${secret} ssh bob@example.com`,
        (secret) => `mysql -u bob -p${secret} db`,
        (secret) => `curl -u bob:${secret} https://example.com/`,
        (secret) => `export JWT_SECRET=${secret}`,
        (secret) => `api_key=${secret}`,
      ),
    )
    .map(([secret, command]) => [command(secret), secret]),
};
const before = fc.constantFrom('', 'hello\n', 'a\n\nb\n', 'see\n');
const after = fc.constantFrom('', '\nbye', '\n');

describe.each(
  Object.keys(PRIVATE).flatMap((kind) => Object.keys(PUT).map((place) => [kind, place] as const)),
)('what is private', (kind, place) => {
  it(`is masked as it is alone: ${kind} as ${place}`, () => {
    fc.assert(
      fc.property(before, PRIVATE[kind]!, after, (head, [text, needle], tail) => {
        const alone = `${head}${text}${tail}`;
        fc.pre(!redactor.redactText(alone).text.includes(needle));
        expect(redactor.redactText(PUT[place]!(alone)).text).not.toContain(needle);
      }),
      runs(40, 2_000),
    );
  });
});

describe('a text that holds another one', () => {
  it('keeps what stands around a find', () => {
    expect(redactor.redactText('+/home/quinn/a.md\n context\n+other').text).toBe(
      '+[removed:path]\n context\n+other',
    );
    expect(redactor.redactText('INFO {"msg":"x\\n/home/quinn/a.md","n":1}').text).toBe(
      'INFO {"msg":"x\\n[removed:path]","n":1}',
    );
    expect(redactor.redactText('\x1b[32m/home/quinn/a.md\x1b[0m ok').text).toBe(
      '\x1b[32m[removed:path]\x1b[0m ok',
    );
  });

  it('is never masked over lines that stand between two others', () => {
    const text = `password: "x\\n\nordinary line\nanother one\nfoo "Q7kZ2xW9vT4mB8cLr\\n"`;
    expect(redactor.redactText(text).text).toContain('ordinary line\nanother one');
  });

  it('comes out unchanged where nothing in it is private', () => {
    for (const text of [
      'const x = "a\\nb\\tc";',
      '+added\n-removed\n+import x from "./x.js";',
      'src/a.ts:12:const a = 1;\nsrc/b.ts:7:export {};',
      'use **bold** words and `**/node_modules/x`',
      'C:\\new\\table is no path of ours\\n',
    ])
      expect(redactor.redactText(text).text).toBe(
        text.replace(/C:\\new\\table/, (path) => redactor.redactText(path).text),
      );
  });
});
