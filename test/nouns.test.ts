import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './root.js';
import { filesUnder, workspaces } from './workspaces.js';

/** Types that more than one file declares, and why. */
const SEVERAL: Readonly<Record<string, string>> = {
  Result: 'packages that use no other each have their own, of one shape',
  JsonValue: 'the API uses no other package',
};

/** The types of definitions again, for projects that do not install the package. */
const COPY = 'apps/cli/src/init/define-types.ts';

const DECLARED = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

const typesIn = (text: string): readonly string[] =>
  [...text.matchAll(DECLARED)].map(([, name = '']) => name);

/** The files that declare each type. */
function homes(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const files = workspaces().flatMap(({ folder }) => filesUnder(`${folder}/src`, ['.ts', '.tsx']));
  for (const file of files) {
    if (file.includes('.test.') || file === COPY) continue;
    for (const name of new Set(typesIn(readFileSync(join(ROOT, file), 'utf8'))))
      found.set(name, [...(found.get(name) ?? []), file]);
  }
  return found;
}

it('a type has one meaning: one file declares it', () => {
  const several = [...homes()].filter(([name, files]) => files.length > 1 && !(name in SEVERAL));
  expect(several).toEqual([]);
});

it('an exception is one', () => {
  const found = homes();
  for (const name of Object.keys(SEVERAL)) expect(found.get(name)?.length, name).toBeGreaterThan(1);
});

it('the glossary says each word once', () => {
  const text = readFileSync(join(ROOT, 'docs/internals/glossary.md'), 'utf8');
  const words = [...text.matchAll(/^\| ([^|]+?) \|/gm)]
    .map(([, word = '']) => word)
    .filter((word) => !/^-+$/.test(word) && word !== 'word');
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
  expect(words.length).toBeGreaterThan(20);
});
