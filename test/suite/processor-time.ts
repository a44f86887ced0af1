import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// Set-up of every test file. With `CUEBOOK_CPU=FILE` each appends a line: the processor time that it took in seconds,
// with the programs that it started and waited for, and its name. Wall time says little on a busy machine.

const place = process.env.CUEBOOK_CPU;
const STAT = '/proc/self/stat';
/** Of a clock tick of the system. */
const TICKS_PER_SECOND = 100;

if (place !== undefined && existsSync(STAT)) {
  const before = secondsSoFar();
  afterAll(() => {
    appendFileSync(place, `${(secondsSoFar() - before).toFixed(2)} ${expect.getState().testPath}\n`);
  });
}

/** Own time and that of children, both in user and in system mode. */
function secondsSoFar(): number {
  const fields = readFileSync(STAT, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}
