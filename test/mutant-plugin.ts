import type { Plugin } from 'vite';

/**
 * With `PACKAGE:GUARD`, such as `packages/prompt:gate.trust`, replaces the guard module of that package by
 * one that answers false to that guard. With nothing, does nothing.
 */
export function mutant(target: string | undefined): Plugin {
  const colon = target?.indexOf(':') ?? -1;
  const suffix = `/${target?.slice(0, colon)}/src/guard.ts`;
  return {
    name: 'cuebook-mutant',
    enforce: 'pre',
    load(id) {
      if (!target || !id.split('?')[0]?.endsWith(suffix)) return null;
      return mutantModule(target.slice(colon + 1));
    },
  };
}

/** The replacement of a guard module. */
export const mutantModule = (guard: string): string =>
  `export const guard = (name, found) => name === ${JSON.stringify(guard)} ? false : found;\n`;
