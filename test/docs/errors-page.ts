import type { RegisteredCode } from '../codes.js';

/** The page of error codes, made from the registries: `npx vitest run test/errors-page.test.ts -u` writes it. */
export function errorsPage(codes: Iterable<RegisteredCode>): string {
  const sorted = [...codes].sort((a, b) => (a.code < b.code ? -1 : 1));
  return `${[HEAD, ...sorted.map(entry)].join('\n\n')}\n`;
}

const HEAD = [
  '# Error codes',
  '',
  'Every refusal and every problem has a code. `cuebook help CODE` prints the entry in the terminal.',
].join('\n');

const entry = ({ code, title, cause, fix }: RegisteredCode): string =>
  [`## ${code}`, '', `**${title}**`, '', `Cause: ${cause}`, '', `Fix: ${fix}`].join('\n');
