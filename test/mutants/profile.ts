import { type Mutant, rows } from './rows.js';

/** The guards of `packages/profile`. */
export const PROFILE_MUTANTS: readonly Mutant[] = [
  ...rows('packages/profile', 'src/hidden-text.test.ts', {
    'check.hidden': 'a target tells what is hidden in every text that it was loaded from',
  }),
  ...rows('packages/profile', 'src/look.test.ts', {
    'check.credential': 'a credential is told at its place, and not printed',
    'check.placeholder': 'a placeholder is told at its place',
    'check.frontmatter': 'frontmatter is told at its place',
  }),
];
