// @ts-check
import './node-version.mjs';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { installPacked } from './pack.mjs';
import { prepareParts } from './parts/prepare.mjs';
import { ROOT, run } from './process.mjs';
import { readReport } from './report.mjs';

// Everything that proves the checkout: set-up, types, lint, tests. Arguments go to vitest:
// `npm test -- packages/prompt`. The last line is always `N passed, N failed, N skipped`.

const args = process.argv.slice(2);
const isWhole = args.length === 0;
const REPORT = join(ROOT, '.cache', 'vitest.json');

const { built } = await ensureInstalled();
await prepareParts();
const packed =
  isWhole || args.some((arg) => 'test/pack.test.ts'.includes(arg)) ? await installPacked() : true;

const checks = [
  { name: 'build', ok: built },
  { name: 'pack', ok: packed },
  { name: 'types', ok: (await tool('typescript/bin/tsc', '-p', 'tsconfig.test.json')) === 0 },
  { name: 'types of scripts', ok: (await tool('typescript/bin/tsc', '-p', 'scripts')) === 0 },
  { name: 'lint', ok: (await tool('@biomejs/biome/bin/biome', 'check', '.')) === 0 },
];

mkdirSync(join(ROOT, '.cache'), { recursive: true });
rmSync(REPORT, { force: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
const code = await tool('vitest/vitest.mjs', 'run', ...reporters, ...args);
const report = readReport(REPORT, code);

const failedChecks = checks.filter((check) => !check.ok).map((check) => check.name);
const failed = [...failedChecks, ...report.failed];
const isStrict = process.env.CI === 'true';

console.log('');
for (const name of failed) console.log(`failed   ${name}`);
for (const name of report.skipped) console.log(`skipped  ${name}`);
if (isStrict && report.skipped.length > 0) console.log('CI=true: a skip is a failure.');
const passed = checks.length - failedChecks.length + report.passed;
console.log(`${passed} passed, ${failed.length} failed, ${report.skipped.length} skipped`);
process.exitCode = failed.length > 0 || (isStrict && report.skipped.length > 0) ? 1 : 0;

/** @param {string} path @param {...string} rest */
function tool(path, ...rest) {
  return run(process.execPath, [join(ROOT, 'node_modules', path), ...rest]);
}
