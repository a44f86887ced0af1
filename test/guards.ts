import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { ROOT } from './root.js';
import { filesUnder, workspaces } from './workspaces.js';

/** A guard of a package. */
export interface Guard {
  readonly package: string;
  readonly guard: string;
}

/** The guards of all packages, read from the calls in their sources. */
export function declaredGuards(namesIn = guardNames): readonly Guard[] {
  return workspaces().flatMap(({ folder }) => {
    const sources = filesUnder(`${folder}/src`, ['.ts', '.tsx']).filter((file) => !file.includes('.test.'));
    const names = sources.flatMap((file) => namesIn(readFileSync(join(ROOT, file), 'utf8')));
    return [...new Set(names)].map((guard) => ({ package: folder, guard }));
  });
}

/** The names of the guards that a source calls. Throws where a name is not a plain string: no mutant would find it. */
export function guardNames(source: string): readonly string[] {
  if (!source.includes("'@cuebook/guard'")) return [];
  return [...source.matchAll(/\b(?:guard|guarded)\(\s*(?:'([\w.-]+)')?/g)].map(([call, name]) => {
    if (name === undefined) throw new Error(`a guard without a plain name: ${call}`);
    return name;
  });
}

/** Guards that are asked of what is always so: their other branch is there for the mutant alone. */
export const constantGuards = (source: string): readonly string[] =>
  [...source.matchAll(/\bguard\(\s*'([\w.-]+)',\s*!*(?:true|false|0|1|\(true\))\s*,?\s*\)/g)].map(
    ([, name = '']) => name,
  );

/** What is wrong between guards and rows: a guard without a row, a row without a guard, a guard twice. */
export function registryProblems(guards: readonly Guard[], rows: readonly Mutant[]): readonly string[] {
  const declared = new Set(guards.map(keyOf));
  const covered = new Set(rows.map(keyOf));
  const seen = new Set<string>();
  return [
    ...guards.filter((guard) => !covered.has(keyOf(guard))).map((guard) => `${keyOf(guard)} has no row`),
    ...rows.filter((row) => !declared.has(keyOf(row))).map((row) => `${keyOf(row)} names no guard`),
    ...rows
      .filter((row) => seen.size === seen.add(keyOf(row)).size)
      .map((row) => `${keyOf(row)} has two rows`),
  ];
}

/** How a guard is named to the mutant plugin. */
export const keyOf = ({ package: folder, guard }: Guard): string => `${folder}:${guard}`;
