import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './root.js';
import { filesUnder } from './workspaces.js';

/** Whoever works with the records of a project, which several machines may share. */
const FOLDERS = ['engine', 'host', 'journal', 'platform', 'resident', 'team', 'thread', 'turn', 'workflow']
  .concat('workspace')
  .map((name) => `packages/${name}/src`)
  .concat('apps/server/src');

/** Where the clock of the machine is read, and why no other machine can tell it from that of the database. */
const OWN_CLOCK: Readonly<Record<string, string>> = {
  'packages/engine/src/timer/clock.ts': 'the clock of a file, which one machine uses',
  'packages/journal/src/store/shared-clock.ts':
    'the same, and before the database has answered for the first time',
  'packages/journal/src/store/open.ts': 'the clock of a file, and stores that are only read',
  'packages/journal/src/store/open-for-verify.ts': 'stores that are only read',
  'packages/journal/src/owner/project.ts': 'since when a key signs, for people to read',
  'packages/resident/src/agent-home.ts': 'credentials of an object store, in one process',
  'packages/workflow/src/run/run.ts': 'the time of a line of the audit, for people to read',
  'packages/workflow/src/run/turns.ts': 'the time of a line of the audit, for people to read',
  'packages/workspace/src/apply/tidy.ts': 'the age of files on the disk of this machine',
  'packages/workspace/src/git/index-file.ts': 'the age of files on the disk of this machine',
  'packages/workspace/src/version/versions.ts':
    'the age of files on the disk of this machine, and what one process tries again',
};

/** `Date.now` and `new Date()`, outside comments. */
const readsClock = (source: string): boolean =>
  /\bDate\.now\b|new Date\(\)/.test(source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''));

it('whoever works with records asks their store for the time, and reads the clock of the machine only where this says why', () => {
  const found = FOLDERS.flatMap((folder) => filesUnder(folder, ['.ts']))
    .filter((file) => !file.includes('.test.'))
    .filter((file) => readsClock(readFileSync(join(ROOT, file), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(OWN_CLOCK).sort());
});

it('is told from words in comments and times that are given', () => {
  expect(['const at = Date.now();', 'new Date().getTime()', 'now = Date.now'].every(readsClock)).toBe(true);
  expect(['// Date.now', '/* new Date() */', 'new Date(at)', 'clock.now()'].some(readsClock)).toBe(false);
});
