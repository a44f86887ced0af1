import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoted } from '@cuebook/prompt/hint';

// The processor time that a call of the built command takes, start and end included, over that of `node -e 0`. Calls
// take turns, so that a busy machine disturbs all alike; the best of each counts. A shell counts in hundredths of a
// second, so several calls are counted together.

const ROUNDS = Number(process.env.START_BENCH ?? 7);
const TOGETHER = 5;
const MOST = 4;
const BIN = join(process.cwd(), 'apps', 'cli', 'bin', 'cuebook.js');
const NODE = quoted(process.execPath);

/** With the most that each may take. */
const CALLS: readonly (readonly [string, number])[] = [
  ['help render', MOST],
  ['help E_AT', MOST],
  ['explain sheet:review --at 0', MOST],
  ['render sheet:review', MOST],
  ['check', Number.POSITIVE_INFINITY],
];

const desk = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  execFileSync(process.execPath, [BIN, 'init', desk]);
  const lines = ['-e 0', ...CALLS.map(([call]) => `${quoted(BIN)} ${call}`)];
  const best = lines.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, line] of lines.entries())
      best[index] = Math.min(best[index] ?? 0, processorTime(`${NODE} ${line}`));
  }
  const [base = 0, ...times] = best;
  console.log(`node -e 0: ${(base * 1000).toFixed(0)} ms of processor time`);
  for (const [index, [call, most]] of CALLS.entries()) {
    const ratio = (times[index] ?? 0) / base;
    const isOver = ratio > most;
    console.log(
      `${call}: ${ratio.toFixed(1)} times${Number.isFinite(most) ? `, at most ${most}` : ''}${isOver ? '  too slow' : ''}`,
    );
    if (isOver) process.exitCode = 1;
  }
} finally {
  rmSync(desk, { recursive: true, force: true });
}

/** Of one call, in seconds, as the shell counts what its children took. */
function processorTime(line: string): number {
  const calls = `${line} > /dev/null 2>&1;`.repeat(TOGETHER);
  const printed = execFileSync('sh', ['-c', `${calls} times`], { cwd: desk }).toString();
  const [, children = ''] = printed.trim().split('\n').slice(-2);
  const all = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
  return all / TOGETHER;
}
