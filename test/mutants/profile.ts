import { type Mutant, rows } from './rows.js';

/** The guards of `packages/profile`. */
export const PROFILE_MUTANTS: readonly Mutant[] = [
  ...rows('packages/profile', 'src/hidden-text.test.ts', {
    'check.hidden': 'a target tells what is hidden in every text that it was loaded from',
  }),
];
