// @ts-check
import './node-version.mjs';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, workspaceFolders } from './install.mjs';
import { prepareParts } from './parts/prepare.mjs';
import { ROOT, run } from './process.mjs';

// The property tests of `npm test` with their full counts. Soaks every test file that takes its counts from
// `test/runs.ts`; arguments narrow the files: `npm run soak -- packages/prompt/src/shell`.

const seed = process.env.CUEBOOK_SEED ?? String(randomInt(0, 2 ** 31));
const wanted = process.argv.slice(2);

await ensureInstalled();
await prepareParts();
const files = [...workspaceFolders(), join(ROOT, 'test')]
  .flatMap(testFiles)
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('/runs.js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));

if (files.length === 0) {
  console.error(`No test file to soak matches ${wanted.join(' ') || 'at all'}.`);
  process.exit(2);
}

console.log(`Soaking ${files.length} files with seed ${seed}:`);
for (const file of files) console.log(`  ${file}`);
const env = { ...process.env, CUEBOOK_SOAK: '1', CUEBOOK_SEED: seed };
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const code = await run(process.execPath, [vitest, 'run', '--reporter=verbose', ...files], { env });
console.log(
  `${code === 0 ? 'Passed' : 'Failed'} with seed ${seed}. Again: CUEBOOK_SEED=${seed} npm run soak`,
);
process.exitCode = code;

/** @param {string} folder */
function testFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.test.ts') && !/node_modules/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}
