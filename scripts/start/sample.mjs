// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../process.mjs';

/** Whether git can be started: workspaces and diffs of nodes need it. */
export function hasGit() {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether a folder is a sample that an earlier start made. @param {string} folder */
export const isSample = (folder) =>
  ['.git', 'cuebook.yaml', 'team.yaml', 'script.yaml'].every((name) => existsSync(join(folder, name)));

/**
 * A copy of the example as a repository of its own. It appears under its name when it is whole, so that whoever is
 * interrupted leaves no half of one.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} more texts of further files, by path
 */
export function makeSample(folder, more) {
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  cpSync(join(ROOT, 'examples', 'team-rehearsal'), unfinished, { recursive: true });
  for (const [example, folder] of OTHERS)
    cpSync(join(ROOT, 'examples', example, folder), join(unfinished, folder), { recursive: true });
  for (const [path, text] of Object.entries(more)) {
    mkdirSync(dirname(join(unfinished, path)), { recursive: true });
    writeFileSync(join(unfinished, path), text);
  }
  writeFileSync(join(unfinished, '.gitignore'), '.cuebook/\n');
  const person = ['-c', 'user.name=You', '-c', 'user.email=you@example.com', '-c', 'commit.gpgSign=false'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--no-verify', '--message', 'A greeter'],
  ]) {
    execFileSync('git', [...person, ...args], { cwd: unfinished, stdio: 'ignore' });
  }
  renameSync(unfinished, folder);
}

/**
 * What else there is to see in the sample: definitions that run a thread, sheets and their texts.
 *
 * @type {ReadonlyArray<readonly [string, string]>}
 */
const OTHERS = [
  ['definitions-includes', 'agents'],
  ['review-desk', 'sheets'],
  ['review-desk', 'texts'],
];
