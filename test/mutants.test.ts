import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { constantGuards, declaredGuards, guardNames, registryProblems } from './guards.js';
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
    const { source, titles } = casesOf(file);
    // A table of objects prints the names of its cases in quotes.
    const bare = test.replace(/^'(.*)'$/, '$1');
    const isWritten = [bare, bare.replaceAll("'", "\\'")].some((title) =>
      ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`)),
    );
    expect(isWritten || titles.some((title) => title.test(test))).toBe(true);
  });

  it('knows the titles of tables', () => {
    const titles = tableTitles(
      "it.each([[1]])('a %s of $b.c is %i', () => 0);\nit.each(ALL)('%s $name', f);",
    );
    expect(titles.map((title) => title.test('a b of c is 3'))).toEqual([true]);
    expect(titles.some((title) => title.test('a b of c was 3'))).toBe(false);
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

/** The titles of the cases of tables and their names, as far as they are written: those of data alone say nothing. */
function tableTitles(source: string): readonly RegExp[] {
  const titles = source.matchAll(/[)`]\(\s*(['"`])((?:\\.|(?!\1)[^\n\\])*)\1/g);
  const names = source.matchAll(/(`)([^`\n]*\$\{[^`\n]*)`/g);
  const written = [...titles, ...names].map(([, , title = '']) => title);
  return written.flatMap((title) => {
    const parts = title.replaceAll("\\'", "'").split(/%[sdifjoO#]|\$\{[^}]*\}|\$[\w.]+/);
    if (parts.length < 2 || parts.join('').trim().length < 2) return [];
    return [
      new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`, 's'),
    ];
  });
}

interface Cases {
  readonly source: string;
  readonly titles: readonly RegExp[];
}

/** What was read before: many guards have their tests in one file. */
const known = new Map<string, Cases>();

function casesOf(file: string): Cases {
  const before = known.get(file);
  if (before) return before;
  const source = withItsCases(file);
  const cases = { source, titles: tableTitles(source) };
  known.set(file, cases);
  return cases;
}

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

describe('constantGuards', () => {
  it('finds none: a step that is always taken is guarded, and has no branch for its mutant', () => {
    expect(declaredGuards(constantGuards)).toEqual([]);
  });

  it('are told from those that are asked something', () => {
    const source = "guard('a', true) && !guard(\n'b',\n  !true,\n) && guard('c', isTrue) && guard('d', !x)";
    expect(constantGuards(source)).toEqual(['a', 'b']);
  });
});

describe('guardNames', () => {
  const imported = "import { guard } from '@cuebook/guard';\n";

  it('reads the name of every call', () => {
    const source = `${imported}if (guard('a.b', x)) y;\nconst z = !guard(\n  'c',\n  x,\n);`;
    expect(guardNames(source)).toEqual(['a.b', 'c']);
    expect(guardNames(`${imported}guarded('d', () => x, y);`)).toEqual(['d']);
    expect(guardNames("guard('not.ours', x)")).toEqual([]);
  });

  it('refuses a name that no mutant would find', () => {
    expect(() => guardNames(`${imported}guard(name, x)`)).toThrow('without a plain name');
  });
});

describe('the mutant plugin', () => {
  const transform = (target: string | undefined, id: string): unknown => {
    const hook = mutant(target).transform as (code: string, id: string) => unknown;
    return hook("const seen = [guard('a.b', true), guard('a.c', true), guard(\n'a.b', true)];", id);
  };

  it('switches off the named guard in the named package only', () => {
    const code = String(transform('packages/prompt:a.b', '/x/packages/prompt/src/deep/file.ts'));
    const run = new Function('guard', `${code} return seen;`) as (guard: unknown) => unknown;
    expect(run((_name: string, found: boolean) => found)).toEqual([false, true, false]);
    expect(transform('packages/prompt:a.b', '/x/packages/files/src/file.ts')).toBeNull();
  });

  it('leaves out a guarded step', () => {
    const hook = mutant('packages/prompt:a.b').transform as (code: string, id: string) => unknown;
    const source =
      "return [guarded('a.b', (x) => x + 1, 1), guarded('a.b', () => 1), guarded('a.c', () => 1)];";
    const run = new Function('guarded', String(hook(source, '/x/packages/prompt/src/file.ts')));
    expect(run((_name: string, step: () => unknown) => step())).toEqual([1, undefined, 1]);
  });

  it('does nothing without a target', () => {
    expect(transform(undefined, '/x/packages/prompt/src/file.ts')).toBeNull();
  });
});
