// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './process.mjs';

/**
 * Reads vitest's JSON report. A file that could not be loaded, an error outside any test and a run that
 * wrote no report count as one failure each: a code other than 0 never comes with no failure.
 *
 * @param {string} file
 * @param {number} code vitest's exit code
 * @returns {{ passed: number, failed: string[], skipped: string[] }}
 */
export function readReport(file, code) {
  if (!existsSync(file))
    return { passed: 0, failed: [`vitest ended with code ${code} and no report`], skipped: [] };
  const tests = testsIn(file);
  const failed = tests.filter((test) => FAILED.includes(test.status)).map((test) => test.name);
  if (code !== 0 && failed.length === 0) failed.push('vitest: an error outside the tests, see above');
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed,
    skipped: tests.filter((test) => !['passed', ...FAILED].includes(test.status)).map((test) => test.name),
  };
}

/** A test whose process died under it stays `pending`; one that was not to run is `skipped` or `todo`. */
const FAILED = ['failed', 'pending'];

/**
 * Every test of a report with its title path; a file that did not load stands as one failed test.
 *
 * @param {string} file
 * @returns {Array<{ name: string, title: string, status: string, message: string }>}
 */
export function testsIn(file) {
  /** @type {{ testResults: Array<{ name: string, status: string, message: string, assertionResults: any[] }> }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return report.testResults.flatMap((suite) => {
    const path = relative(ROOT, suite.name).replaceAll('\\', '/');
    if (suite.assertionResults.length === 0) {
      return [{ name: path, title: '', status: suite.status, message: suite.message }];
    }
    return suite.assertionResults.map((test) => {
      const name = [path, ...test.ancestorTitles, test.title].join(' > ');
      return {
        name,
        title: test.title,
        status: test.status,
        message: (test.failureMessages ?? []).join('\n'),
      };
    });
  });
}

/**
 * The files of a report that took longest, from the first test to the last; loading them is not counted.
 *
 * @param {string} file
 * @param {number} count
 * @returns {Array<{ file: string, seconds: number }>}
 */
export function slowestFiles(file, count) {
  if (!existsSync(file)) return [];
  /** @type {{ testResults: Array<{ name: string, startTime: number, endTime: number }> }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  return report.testResults
    .map(({ name, startTime, endTime }) => ({
      file: relative(ROOT, name).replaceAll('\\', '/'),
      seconds: Math.max(0, endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count);
}
