import type { Mutant } from './rows.js';

/** The guards of `packages/editor`. */
export const EDITOR_MUTANTS: readonly Mutant[] = [
  {
    guard: 'editor.withheld',
    package: 'packages/editor',
    file: 'packages/editor/src/source/buffers.test.ts',
    test: 'gives nothing away that the files withhold, leads nowhere out, and has their limit',
  },
  {
    guard: 'editor.taken',
    package: 'packages/editor',
    file: 'apps/cli/src/lsp/features.test.ts',
    test: 'that are taken, or are no names, are refused',
  },
  {
    guard: 'editor.concerned',
    package: 'packages/editor',
    file: 'apps/cli/src/lsp/equal.test.ts',
    test: 'is the same of definitions, which are run',
  },
];
