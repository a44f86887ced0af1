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
  ...rows('packages/profile', 'src/revision.test.ts', {
    'compose.revision': 'words of now never pass for those of a revision',
  }),
  {
    guard: 'label.hash',
    package: 'packages/profile',
    file: 'apps/cli/src/program-call/prompt.test.ts',
    test: 'name the commit of a target; what was labelled is what is rendered',
  },
];
