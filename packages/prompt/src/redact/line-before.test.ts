import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import type { LeakContext } from './leak-context.js';
import { createRedactor } from './redactor.js';

interface Cases {
  readonly ctx: LeakContext;
  readonly mustRedact: readonly { readonly input: string; readonly mustNotContain: readonly string[] }[];
}

const read = (name: string): Cases =>
  JSON.parse(readFileSync(new URL(`../../test/${name}`, import.meta.url), 'utf8')) as Cases;
const { ctx, mustRedact } = read('leaks.json');
const redactor = createRedactor(ctx);
const redact = (text: string): string => redactor.redactText(text).text;

const PRIVATE = [
  ...[...mustRedact, ...read('leak-cases.json').mustRedact].map(
    ({ input, mustNotContain }) => [input, mustNotContain] as const,
  ),
  ['/home/secretname/plan.docx', ['secretname']],
  ['//fileserver/secretshare/plan.docx', ['secretshare']],
  ['~secretname/plan.docx', ['secretname']],
  ['C:\\Users\\secretname\\plan.docx', ['secretname']],
] as const;

/** Ends of lines that could belong to the next one: entries, soft breaks, halves of escapes and of paths, words. */
const LINES = [
  ...['', 'a', '1', 'path', 'token', 'é', '日本', '\u200b', 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ='],
  ...['a=', 'KEY=', '=', 'a==', 'a=3D', 'a=2F', 'a=2', '=?utf-8?Q?', '&amp;', '&', '&#', '&#4'],
  ...['%', '%2', 'a%2F', '%25', '\\', 'a\\', '\\\\', '\\\\n', '\\x', '\\u00', 'ghp_', '-I', '$', '@', '#'],
  ...['x/', '/', '//', './', '.', '..', 'x.', 'http:/', 'file:', 'C:', '~', '-', '_', '+', '*', '^', '|'],
  ...['{', '"', "'", '`', 'a:', ']', ')', '>', '[U+000D]'],
];
const ENDS = ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f'];

test.each(inTurn(LINES))(
  'behind a line that ends with %j, a line tells no more than it does alone',
  (line) => {
    for (const [text, needles] of PRIVATE) {
      const alone = redact(text);
      for (const end of inTurn(ENDS, 4)) {
        const both = redact(`${line}${end}${text}`);
        for (const needle of needles) if (!alone.includes(needle)) expect(both).not.toContain(needle);
      }
    }
  },
);
