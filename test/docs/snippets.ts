import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.js';

const FOLDER = join(ROOT, '.cache', 'docs');

/** A `ts` block of a document under the name it is compiled by. */
export interface Snippet {
  readonly name: string;
  readonly code: string;
}

/** Compiles all snippets at once against the built packages. Answers the compiler's words by snippet. */
export async function compileSnippets(snippets: readonly Snippet[]): Promise<ReadonlyMap<string, string>> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  if (snippets.length === 0) return new Map();
  for (const { name, code } of snippets) writeFileSync(join(FOLDER, `${name}.ts`), code);
  const compilerOptions = {
    composite: false,
    declaration: false,
    noUnusedLocals: false,
    moduleDetection: 'force',
    rootDir: '.',
    outDir: 'out',
    types: ['node'],
  };
  const files = snippets.map(({ name }) => `${name}.ts`);
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, files }),
  );
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = await promisify(execFile)(
    process.execPath,
    [tsc, '-p', 'tsconfig.json', '--pretty', 'false'],
    { cwd: FOLDER },
  ).then(
    () => '',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
  const linesOf = (name: string) => words.split('\n').filter((line) => line.startsWith(`${name}.ts`));
  const problems = new Map(snippets.map(({ name }) => [name, linesOf(name).join('\n')]));
  const isPlaced = [...problems.values()].some((lines) => lines !== '');
  // Words about no snippet, such as a wrong option, are everybody's problem.
  return words === '' || isPlaced ? problems : new Map(snippets.map(({ name }) => [name, words]));
}

/** Where a compiled snippet is. */
export const compiledFile = (name: string): string => join(FOLDER, 'out', `${name}.js`);
