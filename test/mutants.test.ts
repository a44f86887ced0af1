import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declaredGuards, guardNames, registryProblems } from './guards.js';
import { importedFile } from './import-graph.js';
import { mutant } from './mutant-plugin.js';
import { MUTANTS } from './mutants.js';
import { ROOT } from './root.js';
import { sourceFacts } from './source-facts.js';

describe('the registry of mutants', () => {
  it('has one row for every guard and no other', () => {
    expect(registryProblems(declaredGuards(), MUTANTS)).toEqual([]);
  });

  it.each(MUTANTS)('names a test that exists for $guard', ({ file, test }) => {
    const source = withItsCases(file);
    // The title of a table's case is put together when it runs: `npm run mutants` looks for that one.
    const isWritten = [test, test.replaceAll("'", "\\'")].some((title) => source.includes(title));
    expect(isWritten || /\.each[(<]/.test(source)).toBe(true);
  });

  it('tells a missing row, a stray row and a double row apart', () => {
    const row = (guard: string) => ({ package: 'packages/a', guard, file: 'x.test.ts', test: 'x' });
    const guards = [
      { package: 'packages/a', guard: 'one' },
      { package: 'packages/b', guard: 'two' },
    ];
    expect(registryProblems(guards, [row('one'), row('one'), row('two')])).toEqual([
      'packages/b:two has no row',
      'packages/a:two names no guard',
      'packages/a:one has two rows',
    ]);
  });
});

/** A test file, and the files of its package's `test` folder that it takes cases from. */
function withItsCases(file: string): string {
  const files = new Set([file]);
  for (const each of files) {
    const { imports } = sourceFacts(each, readFileSync(join(ROOT, each), 'utf8'));
    for (const name of imports.filter((path) => path.startsWith('.'))) {
      const imported = importedFile(each, name);
      if (/^[a-z]+\/[a-z]+\/test\//.test(imported)) files.add(imported);
    }
  }
  return [...files].map((each) => readFileSync(join(ROOT, each), 'utf8')).join('\n');
}

describe('guardNames', () => {
  it('reads every union of a guard module and nothing else', () => {
    const source = [
      "export function guard(_name: GuardName) { return 'no'; }",
      "export type GuardName = 'a.b' | Other;",
      "export type Other =\n  | 'c'\n  | 'd';",
    ];
    expect(guardNames(source.join('\n'))).toEqual(['a.b', 'c', 'd']);
  });
});

describe('the mutant plugin', () => {
  const load = (target: string | undefined, id: string): unknown => {
    const hook = mutant(target).load as (id: string) => unknown;
    return hook(id);
  };

  it('replaces the guard module of the named package only', async () => {
    const code = String(load('packages/prompt:a.b', '/x/packages/prompt/src/guard.ts'));
    const { guard } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      guard: (name: string, found: boolean) => boolean;
    };
    expect([guard('a.b', true), guard('a.c', true), guard('a.c', false)]).toEqual([false, true, false]);
    expect(load('packages/prompt:a.b', '/x/packages/files/src/guard.ts')).toBeNull();
  });

  it('does nothing without a target', () => {
    expect(load(undefined, '/x/packages/prompt/src/guard.ts')).toBeNull();
  });
});
