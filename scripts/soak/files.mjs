// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { workspaceFolders } from '../install.mjs';
import { ROOT } from '../process.mjs';

/**
 * The test files that have more to try than `npm test` has time for: those that take their counts from
 * `test/runs.ts`.
 *
 * @param {readonly string[]} [wanted] parts of paths; none means all
 * @returns {readonly string[]}
 */
export function soakFiles(wanted = []) {
  return [...workspaceFolders(), join(ROOT, 'test')]
    .flatMap(testFiles)
    .filter((file) => hasMore(file))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
}

/**
 * Whether a test file, or what it takes from `test` folders, takes counts from `test/runs.ts`.
 *
 * @param {string} file
 */
function hasMore(file) {
  const files = new Set([file]);
  for (const each of files) {
    const text = readFileSync(join(ROOT, each), 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';$/gms)) {
      const path = posix.join(posix.dirname(each), name).replace(/\.js$/, '.ts');
      if (path === 'test/runs.ts') return true;
      if (/(?:^|\/)test\//.test(path) && existsSync(join(ROOT, path))) files.add(path);
    }
  }
  return false;
}

/** @param {string} folder */
function testFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.test.ts') && !/node_modules/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}
