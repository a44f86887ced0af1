import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { ROOT } from './root.js';
import { workspaces } from './workspaces.js';

/** A guard as its package declares it. */
export interface Guard {
  readonly package: string;
  readonly guard: string;
}

/** The guards of all packages, read from the unions in their `src/guard.ts`. */
export function declaredGuards(): readonly Guard[] {
  return workspaces().flatMap((workspace) => {
    const file = join(ROOT, workspace.folder, 'src', 'guard.ts');
    if (!existsSync(file)) return [];
    return guardNames(readFileSync(file, 'utf8')).map((guard) => ({ package: workspace.folder, guard }));
  });
}

/** The string members of every union type in a guard module. */
export function guardNames(source: string): readonly string[] {
  const unions = source.matchAll(/^(?:export )?type \w+ =([^;]*);/gm);
  return [...unions].flatMap(([, members = '']) =>
    [...members.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  );
}

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
