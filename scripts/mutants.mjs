// @ts-check
import './node-version.mjs';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keepFamily } from './family/keep.mjs';
import { ensureInstalled } from './install.mjs';
import { prepareParts } from './parts/prepare.mjs';
import { capture, inParallel, ROOT } from './process.mjs';
import { testsIn } from './report.mjs';

// Switches off one guard at a time and expects the test named in `test/mutants.ts` to fail.
//   npm run mutants                    every row of the registry
//   npm run mutants -- --only NAME     the rows of guards whose name contains NAME, or one of several: A,B
//   npm run mutants -- --find NAME     for such guards, rows or not: which tests fail, to write a row from

/** @typedef {import('../test/mutants.ts').Mutant} Mutant */
/** @typedef {{ package: string, guard: string }} Guard */

/** A mutant may never end, or eat memory until there is none; a healthy run of one file takes seconds. */
const LIMIT_MS = 180_000;
const LIMIT_MB = 512;

const { mode, name } = readArguments(process.argv.slice(2));
const endFamily = keepFamily();
// Whether a guard is missed must not depend on luck: every test, full counts, the fixed seed.
process.env.CUEBOOK_WHOLE = '1';
await ensureInstalled();
const { runnerImport } = await import('vite');
const { module: registry } = await runnerImport(join(ROOT, 'test/mutants.ts'));
const { module: every } = await runnerImport(join(ROOT, 'test/suite/test-files.ts'));
const { module: guards } = await runnerImport(join(ROOT, 'test/guards.ts'));
/** @type {readonly Guard[]} */
const declared = guards.declaredGuards();

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const reports = mkdtempSync(join(ROOT, '.cache', 'mutants-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
await (mode === 'find' ? findTests() : tryRows());
await endFamily();

async function tryRows() {
  /** @type {readonly Mutant[]} */
  const rows = registry.MUTANTS.filter((/** @type {Mutant} */ row) => isNamed(row));
  const width = Math.max(...rows.map((row) => row.guard.length), 0);
  const files = [...new Set(rows.map((row) => row.file))];
  await prepareParts((part) => part.usedBy.some((file) => files.includes(file)));
  console.log(
    `Running the tests of ${rows.length} rows with every guard in place, then each without its own …`,
  );
  const { tests: healthy } = rows.length > 0 ? await runTests(files, rows) : { tests: [] };
  const outcomes = await inParallel(rows, 2, async (row) => {
    const outcome = await tryMutant(
      row,
      healthy.filter((test) => test.name.startsWith(`${row.file} > `)),
    );
    console.log(`${outcome.killed ? 'killed  ' : 'SURVIVED'}  ${row.guard.padEnd(width)}  ${outcome.note}`);
    return outcome;
  });
  /** @type {readonly string[]} */
  const problems = guards.registryProblems(declared, registry.MUTANTS);
  for (const problem of problems) console.log(`registry: ${problem}`);
  if (rows.length === 0) console.log(`No row's guard contains '${name}'.`);
  const killed = outcomes.filter((outcome) => outcome.killed).length;
  console.log(`${killed} killed, ${outcomes.length - killed} survived`);
  process.exitCode = killed < outcomes.length || problems.length > 0 || rows.length === 0 ? 1 : 0;
}

/**
 * A mutant is killed when its test passes without it, and with it fails, never ends or runs out of memory. A
 * test file that fails to load, or a title that no test has, kills nothing.
 *
 * @param {Mutant} row
 * @param {ReadonlyArray<{ title: string, status: string }>} healthy
 */
async function tryMutant(row, healthy) {
  const place = `${row.file} > ${row.test}`;
  const before = healthy.filter((test) => test.title === row.test);
  if (before.length === 0) return { killed: false, note: `no such test: ${place}` };
  if (before.some((test) => test.status !== 'passed'))
    return { killed: false, note: `fails by itself: ${place}` };
  const { tests, isLate } = await runTests([row.file], [row], row);
  if (isLate) return { killed: true, note: `${place} (does not end)` };
  const named = tests.filter((test) => test.title === row.test);
  if (named.some((test) => test.status === 'failed')) return { killed: true, note: place };
  if (named.some((test) => test.status === 'pending'))
    return { killed: true, note: `${place} (its process died)` };
  return { killed: false, note: `${named.length === 0 ? 'did not run' : 'still passes'}: ${place}` };
}

async function findTests() {
  const chosen = declared.filter(isNamed);
  await prepareParts((part) =>
    part.usedBy.some((file) => chosen.some((guard) => file.startsWith(`${guard.package}/`))),
  );
  const failing = new Map();
  for (const folder of new Set(chosen.map((guard) => guard.package))) {
    const { tests } = await runTests(testsOf(folder), []);
    failing.set(folder, new Set(tests.filter((test) => test.status === 'failed').map((test) => test.name)));
  }
  await inParallel(chosen, 2, async (guard) => {
    const { tests, isLate } = await runTests(testsOf(guard.package), [], guard);
    // A file that does not load has no titled test: it says nothing about the guard.
    const failed = tests.filter((test) => test.status === 'failed' && test.title !== '');
    const killers = failed.filter((test) => !failing.get(guard.package).has(test.name));
    console.log(`${guard.package}:${guard.guard}${isLate ? '  (does not end)' : ''}`);
    for (const test of killers) console.log(`    ${test.name}`);
  });
}

/** @param {string} folder */
const testsOf = (folder) =>
  every.testFiles().filter((/** @type {string} */ file) => file.startsWith(`${folder}/src/`));

/**
 * Runs the tests of files; with rows, only the tests they name. With a mutant its time is limited.
 *
 * @param {readonly string[]} files
 * @param {readonly Mutant[]} rows
 * @param {Guard} [mutant]
 */
async function runTests(files, rows, mutant) {
  const target = mutant ? `${mutant.package}:${mutant.guard}` : '';
  const report = join(reports, `${files[0]}-${target}.json`.replace(/[^\w.-]+/g, '_'));
  const titles = [...new Set(rows.map((row) => escapePattern(row.test)))];
  const chosen = titles.length > 0 ? ['-t', titles.join('|')] : [];
  const args = ['run', ...chosen, '--reporter=json', `--outputFile.json=${report}`];
  const environment = mutant ? mutantEnvironment(target) : process.env;
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { code } = await capture(process.execPath, [vitest, ...args], {
    // Vitest looks for files by their names: most of a run of one file would be the search for hundreds.
    env: { ...environment, CUEBOOK_FILES: files.join(',') },
    ...(mutant ? { limitMs: LIMIT_MS } : {}),
  });
  const tests = existsSync(report) ? testsIn(report) : [];
  return { isLate: code === 124, tests: tests.filter((test) => test.status !== 'skipped') };
}

/** @param {string} target */
function mutantEnvironment(target) {
  const hook = `--import ${pathToFileURL(join(ROOT, 'scripts', 'mutant-hook.mjs')).href}`;
  const options = [process.env.NODE_OPTIONS ?? '', `--max-old-space-size=${LIMIT_MB}`, hook].join(' ').trim();
  return { ...process.env, CUEBOOK_MUTANT: target, NODE_OPTIONS: options };
}

/** @param {string} text */
function escapePattern(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** @param {{ readonly guard: string }} of */
function isNamed({ guard }) {
  return name.split(',').some((part) => guard.includes(part));
}

/** @param {readonly string[]} args */
function readArguments([option, value, ...rest]) {
  if (option === undefined) return { mode: 'rows', name: '' };
  if (option === '--only' && value && rest.length === 0) return { mode: 'rows', name: value };
  if (option === '--find' && rest.length === 0) return { mode: 'find', name: value ?? '' };
  console.error('Usage: npm run mutants [-- --only NAME | -- --find [NAME]]');
  process.exit(2);
}
