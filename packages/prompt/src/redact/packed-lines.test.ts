import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { createRedactor } from './redactor.js';

const SECRETS = ['hunter2-Secret/Value+9', 'correct horse battery staple', 'Zx9kQ2mPw8Lt4v'];
const redactors = new Map(
  SECRETS.map((secret) => [
    secret,
    createRedactor({ roots: [], private: [], names: [], credentials: [secret] }),
  ]),
);

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((each) => BASE32[Number.parseInt(each.padEnd(5, '0'), 2)]).join('');
}

const PROSE = 'The quick brown fox jumps over the lazy dog, and then it goes on for a while. ';
const NUMBERS = Array.from({ length: 100 }, (_, at) => (at * 7_919) % 997).join(' ');
/** What is encoded: the secret, and what stands around it. */
const TEXTS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => JSON.stringify({ user: 'ada', key: secret }),
  (secret) => `${PROSE}${secret} ${PROSE}`,
  (secret) => `${NUMBERS}${secret}${NUMBERS}`,
];
const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  base64: (bytes) => bytes.toString('base64'),
  'base64 of addresses': (bytes) => bytes.toString('base64url'),
  base32,
  'base32 in small letters': (bytes) => base32(bytes).toLowerCase(),
  hex: (bytes) => bytes.toString('hex'),
  HEX: (bytes) => bytes.toString('hex').toUpperCase(),
  'gzip in base64': (bytes) => gzipSync(bytes).toString('base64'),
  'gzip in base64 of addresses': (bytes) => gzipSync(bytes, { level: 1 }).toString('base64url'),
  'gzip in hex': (bytes) => gzipSync(bytes).toString('hex'),
  'gzip in base32': (bytes) => base32(gzipSync(bytes)),
  'zlib in base64': (bytes) => deflateSync(bytes).toString('base64'),
  'zlib in hex': (bytes) => deflateSync(bytes, { level: 9 }).toString('hex'),
  'zlib in base32': (bytes) => base32(deflateSync(bytes, { level: 1 })),
  'stored gzip in base64': (bytes) => gzipSync(bytes, { level: 0 }).toString('base64'),
  'base64 of gzip in base64': (bytes) => Buffer.from(gzipSync(bytes).toString('base64')).toString('base64'),
};

const WIDTHS = [28, 40, 64, 76];
const each =
  (put: (line: string, at: number) => string, by = '\n') =>
  (lines: readonly string[]): string =>
    lines.map(put).join(by);
/** What lines of an encoding stand behind, and what may follow them. */
const LINES: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  'one line': (lines) => lines.join(''),
  lines: (lines) => lines.join('\n'),
  'lines of Windows': (lines) => lines.join('\r\n'),
  'empty lines between': (lines) => lines.join('\n\n'),
  'an indented block': each((line) => `    ${line}`),
  tabs: each((line) => `\t${line}`),
  'a quotation': each((line) => `> ${line}`),
  'a quotation of a quotation': each((line) => `> > ${line}`),
  'a quotation without blanks': each((line) => `>${line}`),
  'comments with #': each((line) => `# ${line}`),
  'indented comments': each((line) => `    # ${line}`),
  'comments with //': each((line) => `// ${line}`),
  'comments with --': each((line) => `-- ${line}`),
  'comments with ;': each((line) => `; ${line}`),
  'comments with *': each((line) => ` * ${line}`),
  'comments with REM': each((line) => `REM ${line}`),
  'added lines': each((line) => `+${line}`),
  'removed lines': each((line) => `-${line}`),
  'added lines with a blank': each((line) => `+ ${line}`),
  'indented lines of a diff': each((line) => `+    ${line}`),
  'numbers with a colon': each((line, at) => `${at + 1}: ${line}`),
  'numbers with a tab': each((line, at) => `${String(at + 1).padStart(6)}\t${line}`),
  'numbers with a bar': each((line, at) => `${String(at + 1).padStart(4)} | ${line}`),
  'numbers with an arrow': each((line, at) => `${String(at + 1).padStart(6)}→${line}`),
  'numbers in a quotation': each((line, at) => `> ${at + 1}: ${line}`),
  'found lines': each((line, at) => `src/a.ts:${at + 10}:${line}`),
  'found lines of a long path': each((line, at) => `packages/prompt/src/some-file.ts:${at + 10}: ${line}`),
  'lines of a log': each((line, at) => `2026-01-01T10:00:0${at % 10}Z INFO ${line}`),
  'lines of a container': each((line) => `web-1  | ${line}`),
  'lines with their authors': each(
    (line, at) => `3f786850 (Ada 2026-01-01 10:00:00 +0000 ${at + 1}) ${line}`,
  ),
  'a column': each((line) => `| ${line} |`),
  'strings that are added': each((line) => `  "${line}" +`),
  'strings of a list': each((line) => `  '${line}',`),
  'a string literal': (lines) => lines.join('\\n'),
  'lines of a shell': (lines) => lines.join('\\\n'),
  'a block of YAML': (lines) => `data: |\n${lines.map((line) => `  ${line}`).join('\n')}`,
  'a shorter first line': (lines) =>
    `data: ${lines.join('').slice(0, 22)}\n${wrap(lines.join('').slice(22), 30)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  'colours of a terminal': each((line) => `\x1b[32m${line}\x1b[0m`),
  'a page': (lines) => lines.join('<br/>\n'),
  words: (lines) => lines.join(' '),
  'a list': (lines) => lines.join(', '),
};
const wrap = (text: string, width: number): readonly string[] =>
  text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

describe.each(inTurn(Object.keys(LINES), 8))('a known secret that is encoded, in %s', (place) => {
  it.each(Object.keys(ENCODINGS))('is masked with all of its lines, in %s', (encoding) => {
    for (const [at, secret] of SECRETS.entries())
      for (const [index, text] of TEXTS.entries()) {
        const redactor = redactors.get(secret)!;
        const lines = wrap(
          ENCODINGS[encoding]!(Buffer.from(text(secret))),
          WIDTHS[(at + index) % WIDTHS.length]!,
        );
        const around = `see\n${LINES[place]!(lines)}\n\nThat is all.`;
        const clean = redactor.redactText(around).text;
        expect([around, clean]).toEqual([around, expect.stringContaining('[removed:')]);
        // The first word behind it may be taken for its last piece.
        expect([around, clean]).toEqual([around, expect.stringMatching(/^see\n[\s\S]* is all\.$/)]);
        expect(redactor.leaks(clean)).toEqual([]);
      }
  });
});

test('lines that hold nothing known stay, whatever they look like', () => {
  const redactor = redactors.get(SECRETS[0]!)!;
  for (const place of inTurn(Object.values(LINES), 4))
    for (const encode of Object.values(ENCODINGS))
      for (const width of [40, 76]) {
        const text = `see\n${place(wrap(encode(Buffer.from(PROSE + NUMBERS)), width))}\nok`;
        expect(redactor.redactText(text).text).toBe(text);
      }
});
