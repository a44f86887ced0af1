// @ts-check
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture, inParallel, ROOT } from '../process.mjs';
import { readReport } from '../report.mjs';

/** Files soaked at once. */
const LANES = 2;
/** A file gets at least this much, even when the time is short: less would only start it. */
const LEAST_MS = 60_000;

/**
 * Soaks files within a time. Each gets its share of what is left; one that is not done by then is ended with
 * everything that it started, and counts neither as passed nor as failed.
 *
 * @param {readonly string[]} files
 * @param {{ budgetMs: number, seed: number, now?: () => number }} options
 * @returns {Promise<import('../suite.mjs').Counts & { cut: readonly string[] }>}
 */
export async function soakWithin(files, { budgetMs, seed, now = () => performance.now() }) {
  const reports = join(ROOT, '.cache', 'soak');
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const until = now() + budgetMs;
  let left = files.length;
  const answers = await inParallel(files, LANES, async (file) => {
    const share = shareOf({ leftMs: until - now(), files: left, lanes: LANES, leastMs: LEAST_MS });
    left -= 1;
    if (share <= 0) return { passed: 0, failed: [], skipped: [], cut: [`${file} (no time was left)`] };
    return soakFile(file, { share, seed, report: join(reports, `${file.replace(/\W+/g, '-')}.json`) });
  });
  return {
    passed: answers.reduce((sum, { passed }) => sum + passed, 0),
    failed: answers.flatMap(({ failed }) => failed),
    skipped: answers.flatMap(({ skipped }) => skipped),
    cut: answers.flatMap(({ cut }) => cut),
  };
}

/**
 * The time of the next file: an equal part of what is left for all that have not begun, never past the end.
 *
 * @param {{ leftMs: number, files: number, lanes: number, leastMs: number }} state
 */
export function shareOf({ leftMs, files, lanes, leastMs }) {
  const equal = leftMs / Math.max(1, Math.ceil(files / lanes));
  return Math.max(0, Math.min(leftMs, Math.max(equal, leastMs)));
}

/**
 * @param {string} file
 * @param {{ share: number, seed: number, report: string }} options
 */
async function soakFile(file, { share, seed, report }) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const began = performance.now();
  const { code, output } = await capture(
    process.execPath,
    [vitest, 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, file],
    { env: { ...process.env, CUEBOOK_SOAK: '1', CUEBOOK_SEED: String(seed) }, limitMs: share },
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
  if (code === 124) {
    console.log(`cut     ${seconds} s  ${file}`);
    return { passed: 0, failed: [], skipped: [], cut: [file] };
  }
  const { passed, failed, skipped } = readReport(report, code);
  console.log(`${failed.length > 0 ? 'FAILED' : 'soaked'}  ${seconds} s  ${file}`);
  if (failed.length > 0) console.log(output.slice(-8000));
  return {
    passed,
    failed: failed.map((name) => `soak of ${name} (again: CUEBOOK_SEED=${seed} npm run soak -- ${file})`),
    skipped: skipped.map((name) => `soak of ${name}`),
    cut: [],
  };
}
