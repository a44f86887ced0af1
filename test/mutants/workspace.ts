import { type Mutant, rows } from './rows.js';

/** The guards of `packages/workspace`. */
export const WORKSPACE_MUTANTS: readonly Mutant[] = [
  ...rows('packages/workspace', 'src/change/take.test.ts', {
    'workspace.name': 'cannot have a run or node named "../x"',
  }),
  ...rows('packages/workspace', 'src/version/archive.test.ts', {
    'version.bytes':
      'a version that would fill the disk, or has names that lead out, is refused before a file is written',
  }),
  ...rows('packages/workspace', 'src/tool/call-tool.test.ts', {
    'tool.place': 'does not show the state of Cuebook to who works in the project’s folder',
    'command.output': 'tells the beginning and the end of a long output, in whole lines',
  }),
  ...rows('packages/workspace', 'src/hostile.test.ts', {
    'workspace.files': 'without git on the path, and past the limits, it says so',
    'diff.size': 'without git on the path, and past the limits, it says so',
    'diff.odd':
      'a repository inside, an ignored folder and files that git refuses are seen for what they are',
  }),
  ...rows('packages/workspace', 'src/change/set-aside.test.ts', {
    'aside.late': 'are kept twice when they were changed once more in between',
  }),
  ...rows('packages/workspace', 'src/apply/apply.test.ts', {
    'apply.overlap': 'refuses all of it because of a line that both changed',
    'apply.deleted': 'refuses all of it because of what the person deleted',
    'apply.in-the-way': 'refuses all of it because of a file where a folder is wanted',
    'apply.ignored': 'refuses all of it because of an ignored file in the way',
    'push.name': 'a branch is pushed as it is, only ever moves forward, and has a name of its own',
    'apply.dirty': 'commits the work and nothing else when asked to',
    'clean.unapplied': 'removes what is in the project, keeps what is not, and discards only what is named',
  }),
  ...rows('packages/workspace', 'src/remote/remote.test.ts', {
    'mark.token': 'a holder that lost the run writes over nobody',
  }),
  ...rows('packages/workspace', 'src/version/versions.test.ts', {
    'version.commit':
      'are asked for by a commit and nothing else, from an address and nothing else, in a folder of theirs',
    'version.within':
      'are asked for by a commit and nothing else, from an address and nothing else, in a folder of theirs',
    'version.address':
      'are asked for by a commit and nothing else, from an address and nothing else, in a folder of theirs',
    'version.large': 'with names that lead out of their folder, or too many of them, are refused',
  }),
  ...rows('packages/workspace', 'src/apply/tidy.test.ts', {
    'store.alone': 'and who comes in the middle of it waits for its end',
    'store.used': 'while somebody else is at work, who is not held up for it',
    'tidy.borrowed': 'when a copy borrows them, as long as its own repository leads to them',
    'tidy.unknown': 'when a record cannot be read, or names a tree that is missing',
  }),
  ...Object.entries({
    'git.revision': 'that starts with a dash never reaches git',
    'git.blob-limit': 'refuses bytes that are no text and blobs past the limit',
    'git.utf8': 'refuses bytes that are no text and blobs past the limit',
    'git.withheld': 'leaves out what is withheld by its name',
    'git.withheld-content': 'does not read what is withheld by its words',
  }).map(([guard, test]) => ({
    ...{ guard, test },
    package: 'packages/workspace',
    file: 'apps/cli/src/git/git.test.ts',
  })),
];
