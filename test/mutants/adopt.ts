import { type Mutant, rows } from './rows.js';

/** The guards of `packages/adopt`. */
export const ADOPT_MUTANTS: readonly Mutant[] = [
  ...rows('packages/adopt', 'src/readers/langfuse.test.ts', {
    'adopt.size': 'has hostile names, keys, bytes and sizes',
    'adopt.utf8': 'has hostile names, keys, bytes and sizes',
    'adopt.depth': "that is broken is told: 'too deep'",
    'adopt.keys': "that is broken is told: 'a key twice'",
    'adopt.cycle': "refuses references that cannot be kept: 'a cycle'",
    'adopt.straddle': "refuses references that cannot be kept: 'a line across the edge'",
    'adopt.expand': 'does not grow without end',
  }),
  ...rows('packages/adopt', 'src/settings.test.ts', {
    'adopt.setting': 'are taken by the providers, or kept under meta and told: langfuse',
  }),
  ...rows('packages/adopt', 'src/readers/versions.test.ts', {
    'adopt.versions': 'a version that is not taken is named, or somebody chose another',
  }),
  ...rows('packages/adopt', 'src/readers/dotprompt-partials.test.ts', {
    'adopt.partial-cycle': "'a circle' is refused",
    'adopt.partial-size': 'that double each other are refused before they grow',
  }),
  ...rows('packages/adopt', 'src/readers/told.test.ts', {
    'adopt.mark': "is told: 'a byte order mark before instructions'",
    'adopt.fields': "is told: 'fields that are not closed'",
    'adopt.open-line': "is told: 'a tag over a line end, for which prom…'",
  }),
  ...rows('packages/adopt', 'src/readers/kept.test.ts', {
    'adopt.kind': "holds for 'a chat of Langfuse'",
    'adopt.field': "holds for 'an agent of Claude Code'",
  }),
  ...rows('packages/adopt', 'src/merge.test.ts', {
    'adopt.merge.case': 'names that differ by case alone get files of their own on every disk',
  }),
  ...rows('packages/adopt', 'src/text/numbers.test.ts', {
    'adopt.infinite': 'never sends one that is past every number',
    'adopt.number': 'names a number that is changed, at its line, and no other',
  }),
  ...rows('packages/adopt', 'src/readers/hostile.test.ts', {
    'adopt.half': "'half of a character in a text' is an error with its place",
  }),
  ...rows('packages/adopt', 'test/unseen.test.ts', {
    'adopt.yaml-odd': "'a carriage return alone in YAML'",
    'adopt.dotprompt.empty': "'fields of dotprompt without a word'",
    'adopt.handlebars.nul': "'a NUL in Handlebars'",
    'adopt.nunjucks.space': "'a wide space in a tag of Nunjucks'",
    'adopt.no-fields': 'a file that has no fields keeps its first lines, and they are told',
  }),
  {
    guard: 'adopt.trust',
    package: 'packages/adopt',
    file: 'apps/cli/src/import/import.test.ts',
    test: 'asks for trust, and takes it for all or by name',
  },
];
