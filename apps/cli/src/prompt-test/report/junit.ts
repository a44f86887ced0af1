import type { Diagnostic } from '@cuebook/prompt';
import type { CaseResult } from '../run-case.js';

/** The results as a JUnit report: a suite for each file, and an error for each file that cannot be read. */
export function junitReport(results: readonly CaseResult[], diagnostics: readonly Diagnostic[]): string {
  const files = group(results);
  const suites = [...files].map(([file, of]) => suite(file, of));
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, file = '', line = 1 }) => {
      const name = `${file}:${line}`;
      const error = `<error message="${xml(message)}" type="${xml(code)}"/>`;
      return `<testsuite name="${xml(file)}" tests="1" failures="0" errors="1"><testcase classname="${xml(file)}" name="${xml(name)}">${error}</testcase></testsuite>\n`;
    });
  const failures = results.filter(({ failed }) => failed.length > 0).length;
  const head = `<testsuites name="cuebook test" tests="${results.length + errors.length}" failures="${failures}" errors="${errors.length}" time="${seconds(results)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('')}${errors.join('')}</testsuites>\n`;
}

function group(results: readonly CaseResult[]): ReadonlyMap<string, readonly CaseResult[]> {
  const files = new Map<string, CaseResult[]>();
  for (const result of results) {
    const list = files.get(result.test.file);
    if (list === undefined) files.set(result.test.file, [result]);
    else list.push(result);
  }
  return files;
}

function suite(file: string, results: readonly CaseResult[]): string {
  const failures = results.filter(({ failed }) => failed.length > 0).length;
  const cases = results.map(({ test, failed, ms }) => {
    const open = `  <testcase classname="${xml(test.target)}" name="${xml(test.name)}" file="${xml(file)}" line="${test.line}" time="${(ms / 1000).toFixed(3)}"`;
    if (failed.length === 0) return `${open}/>\n`;
    const told = failed
      .map(({ path, message, diff = [] }) => [`${path}: ${message}`, ...diff].join('\n'))
      .join('\n\n');
    const first = failed[0] as (typeof failed)[number];
    return `${open}>\n    <failure message="${xml(`${first.path}: ${first.message}`)}" type="expectation">${xml(told)}</failure>\n  </testcase>\n`;
  });
  return `<testsuite name="${xml(file)}" tests="${results.length}" failures="${failures}" errors="0" time="${seconds(results)}">\n${cases.join('')}</testsuite>\n`;
}

const seconds = (results: readonly CaseResult[]): string =>
  (results.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3);

const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** XML has no way to write most control characters: they become the replacement character. */
export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[&<>"'\n\r\t]/g, (char) => NAMES[char] ?? char)
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
