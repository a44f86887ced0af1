import { count, type Style, screenText } from '../../output/style.js';
import type { Failed } from '../expect/failed.js';
import type { CaseResult } from '../run-case.js';

export interface TextReportOptions {
  readonly style: Style;
  readonly isTerminal: boolean;
}

/** The results for people: each case on a line, file by file, and below those that failed why. */
export function textReport(results: readonly CaseResult[], { style, isTerminal }: TextReportOptions): string {
  const lines: string[] = [];
  let file = '';
  for (const { test, failed, ms } of results) {
    if (test.file !== file) lines.push(`${style.bold(test.file)} ${style.dim(test.target)}`);
    file = test.file;
    const mark = failed.length === 0 ? style.green('✓') : style.red('✗');
    const place = failed.length === 0 ? '' : style.dim(` ${test.file}:${test.line}`);
    // Time is worth telling where a model took it.
    const time = test.provider === undefined ? '' : style.dim(` ${Math.round(ms)} ms`);
    lines.push(`  ${mark} ${screenText(test.name, isTerminal)}${place}${time}`);
    for (const each of failed) lines.push(...failedLines(each, { style, isTerminal }));
  }
  return lines.map((line) => `${line}\n`).join('');
}

function failedLines(
  { path, message, diff = [] }: Failed,
  { style, isTerminal }: TextReportOptions,
): readonly string[] {
  const colour = (line: string): string =>
    line.startsWith('- ') ? style.red(line) : line.startsWith('+ ') ? style.green(line) : style.dim(line);
  return [
    `      ${path}: ${screenText(message, isTerminal)}`,
    ...diff.slice(0, MAX_DIFF).map((line) => `        ${colour(screenText(line, isTerminal))}`),
    ...(diff.length > MAX_DIFF ? [`        ${style.dim(`… ${diff.length - MAX_DIFF} more lines`)}`] : []),
  ];
}

const MAX_DIFF = 100;

/** `3 cases, 1 failed` */
export function summary(results: readonly CaseResult[], style: Style): string {
  if (results.length === 0) return style.red('no case ran');
  const failed = results.filter((result) => result.failed.length > 0).length;
  const told = `${count(results.length, 'case')}${failed === 0 ? ' passed' : `, ${failed} failed`}`;
  return failed === 0 ? style.green(told) : style.red(told);
}
