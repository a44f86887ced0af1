import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../root.js';
import { testFiles } from './test-files.js';

/** Ways to make a test depend on how fast the machine is. `vitest.config.ts` has the one limit, for what hangs. */
const CLOCKS: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'a limit of its own as an option', pattern: /,\s*\{\s*timeout:\s*[\w.]+,?\s*\}\s*[,)]/ },
  { name: 'a limit of its own as the last argument', pattern: /^\s*\}, (?:[\d_]{4,}|[A-Z_]+)\);$/m },
  { name: 'a limit of its own in the options of a wait', pattern: /\{ timeout: [\d_]+[ ,]/ },
  { name: 'a wait that gives up', pattern: /\bvi\s*\.\s*wait(?:For|Until)\(/ },
  { name: 'a measure by the clock', pattern: /\bperformance\.now\(/ },
];

const clockIn = (text: string): string | undefined => CLOCKS.find(({ pattern }) => pattern.test(text))?.name;

describe('tests and the clock', () => {
  it('no test file has a time limit of its own, gives up waiting, or measures by the clock', () => {
    const own = 'test/suite/no-clock.test.ts';
    const found = testFiles()
      .filter((file) => file !== own)
      .flatMap((file) => {
        const clock = clockIn(readFileSync(join(ROOT, file), 'utf8'));
        return clock === undefined ? [] : [`${file}: ${clock}`];
      });
    expect(found).toEqual([]);
  });

  it.each([
    "it('x', { timeout: 5_000 }, async () => {});",
    "it('x', async () => {\n  await y();\n}, 60_000);",
    "it('x', async () => {\n  await y();\n}, LIMIT);",
    'const WAIT = { timeout: 60_000, interval: 50 };',
    'await vi.waitFor(() => expect(x).toBe(1));',
    'const start = performance.now();',
  ])('are told apart from others: %s', (text) => {
    expect(clockIn(text)).toBeDefined();
  });
});
