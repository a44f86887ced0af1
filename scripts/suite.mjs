// @ts-check
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { installPacked } from './pack.mjs';
import { prepareParts } from './parts/prepare.mjs';
import { ROOT, run } from './process.mjs';
import { readReport, slowestFiles } from './report.mjs';

/**
 * What a run of tests came to.
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {readonly string[]} failed names
 * @property {readonly string[]} skipped names
 */

/** The tests that need the packages published and installed. */
export const PACKED = ['test/pack.test.ts', 'test/first-value.test.ts'];
/** The versions of Node that the published packages are installed and run with in a soak. */
export const OTHER_NODES = ['20.19.6', '26'];
const REPORT = join(ROOT, '.cache', 'vitest.json');

/**
 * Everything that proves the checkout: set-up, types, lint, tests. With the names of files or folders only their
 * tests run, all of them, and only the parts that they use are brought in. Of the whole suite scenarios that take long
 * have their turn with the commits (`itInTurn` in test/runs.ts); with `--all` it has all. Other arguments are vitest's.
 *
 * @param {readonly string[]} args
 * @returns {Promise<Counts>}
 */
export async function runSuite(args) {
  const wanted = pathsIn(args);
  const isWhole = wanted.length === 0 && !args.includes('--all');
  const isChosen = (/** @type {string} */ file) =>
    wanted.length === 0 || wanted.some((path) => file.includes(path));

  const { built } = await ensureInstalled();
  // They wait for each other's processors, not for each other: side by side they take half the time.
  const [packed, types, typesOfScripts, lint] = await Promise.all([
    prepareParts((part) => !part.inSoak && part.usedBy.some(isChosen)).then(() =>
      PACKED.some(isChosen) ? installPacked() : true,
    ),
    tool('typescript/bin/tsc', '-p', 'tsconfig.test.json'),
    tool('typescript/bin/tsc', '-p', 'scripts'),
    tool('@biomejs/biome/bin/biome', 'check', '.'),
  ]);
  const checks = [
    { name: 'build', ok: built },
    { name: 'pack', ok: packed },
    { name: 'types', ok: types === 0 },
    { name: 'types of scripts', ok: typesOfScripts === 0 },
    { name: 'lint', ok: lint === 0 },
  ];
  if (isWhole) process.env.CUEBOOK_TURNS = '1';
  const report = await runVitest(
    args.filter((arg) => arg !== '--all'),
    REPORT,
  );
  printSlowest(REPORT);
  const failed = checks.filter((check) => !check.ok).map((check) => check.name);
  return {
    passed: checks.length - failed.length + report.passed,
    failed: [...failed, ...report.failed],
    skipped: report.skipped,
  };
}

/**
 * Runs vitest once and reads what came of it from the report that it writes.
 *
 * @param {readonly string[]} args
 * @param {string} report
 * @returns {Promise<Counts>}
 */
async function runVitest(args, report) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await tool('vitest/vitest.mjs', 'run', ...reporters, ...args);
  return readReport(report, code);
}

/**
 * Prints what failed, what was skipped, and the counts as the last line. Answers the exit code: where `CI` is set a
 * skip is a failure.
 *
 * @param {Counts} counts
 */
export function tellCounts({ passed, failed, skipped }) {
  const isStrict = process.env.CI === 'true';
  console.log('');
  for (const name of failed) console.log(`failed   ${name}`);
  for (const name of skipped) console.log(`skipped  ${name}`);
  if (isStrict && skipped.length > 0) console.log('CI=true: a skip is a failure.');
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  return failed.length > 0 || (isStrict && skipped.length > 0) ? 1 : 0;
}

/** @param {string} report */
function printSlowest(report) {
  const rows = slowestFiles(report, 10);
  if (rows.length > 1) console.log('\nThe slowest files, in seconds:');
  if (rows.length > 1)
    for (const { file, seconds } of rows) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}

/** Options of vitest that take the next argument as their value. */
const WITH_VALUE = /^(?:-t|-c|-r|--testNamePattern|--config|--root|--project|--reporter|--bail|--retry)$/;

/**
 * The arguments that name files or folders.
 *
 * @param {readonly string[]} args
 */
export function pathsIn(args) {
  return args.filter((arg, index) => !arg.startsWith('-') && !WITH_VALUE.test(args[index - 1] ?? ''));
}

/** @param {string} path @param {...string} rest */
function tool(path, ...rest) {
  return run(process.execPath, [join(ROOT, 'node_modules', path), ...rest]);
}
