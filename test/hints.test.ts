import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents } from './docs/document.js';
import { hintProblem, shellWords } from './hints.js';
import { ROOT } from './root.js';
import { sourceHints } from './source-hints.js';
import { filesUnder, workspaces } from './workspaces.js';

/** Texts that name one of our commands and are nothing to type. */
const NO_HINTS: Readonly<Record<string, string>> = {
  'packages/journal/src/anchor/line.ts': 'what is signed begins with it',
  'packages/provider/src/telemetry/run-trace.ts': 'what is hashed begins with it',
  'apps/cli/src/prompt-test/report/junit.ts': 'the name of a suite',
  'apps/cli/src/prompt-test/snapshot/format.ts': 'the first line of a file, by which it is known again',
  'apps/cli/src/commands/mcp.ts': 'who writes to the log of a client',
  'apps/cli/src/mcp/serving.ts': 'who writes to the log of a client',
  'apps/cli/src/completion/scripts.ts': 'a completion script, which calls the command by its name',
};

const SOURCES = [...workspaces().map(({ folder }) => `${folder}/src`), 'scripts']
  .flatMap((folder) => filesUnder(folder, ['.ts', '.tsx', '.js', '.mjs']))
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/dist/'))
  .map((file) => ({ file, ...sourceHints(file, readFileSync(join(ROOT, file), 'utf8')) }));

describe('a command line that we tell somebody to type', () => {
  it('is built by one function, and written by hand nowhere', () => {
    const strays = SOURCES.filter(({ file }) => NO_HINTS[file] === undefined).flatMap(({ file, byHand }) =>
      byHand.map((text) => `${file}: ${text.slice(0, 100)}`),
    );
    expect(strays).toEqual([]);
    const gone = Object.keys(NO_HINTS).filter(
      (file) => !SOURCES.some((source) => source.file === file && source.byHand.length > 0),
    );
    expect(gone).toEqual([]);
  });

  it('in the sources is one that the command takes', async () => {
    const lines = SOURCES.flatMap(({ built }) => built);
    expect(lines.length).toBeGreaterThan(150);
    const problems = await Promise.all(lines.map(hintProblem));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('in the documents is one that the command takes', async () => {
    const lines = documents().flatMap(({ file, text }) =>
      [...text.matchAll(/(?<!`)`(cuebook [^`\n]+)`(?!`)/g)].map(([, line = '']) => ({ file, line })),
    );
    expect(lines.length).toBeGreaterThan(50);
    const problems = await Promise.all(
      lines.map(async ({ file, line }) => {
        const problem = await hintProblem(line);
        return problem === undefined ? undefined : `${file}: ${problem}`;
      }),
    );
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it.each([
    ['cuebook dance', 'Unknown command'],
    ['cuebook runs dance', 'no action dance'],
    ['cuebook render --tone loud x', 'nknown option'],
    ['cuebook replay a b c', 'oo many arguments'],
    ['cuebok runs', 'does not begin'],
  ])('%j is noticed', async (line, problem) => {
    expect(await hintProblem(line)).toContain(problem);
  });

  it('is read as a shell reads it', () => {
    expect(shellWords(`cuebook a 'b c'\\''d' "e f" > g`)).toEqual(['cuebook', 'a', `b c'd`, 'e f']);
  });
});
