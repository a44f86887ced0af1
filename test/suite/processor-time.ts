import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// Set-up of every test file. With `CUEBOOK_CPU=FILE` each appends a line: the processor time that it took in seconds,
// with the programs that it started and waited for, the part of those programs, and its name. Wall time says little on
// a busy machine.

const place = process.env.CUEBOOK_CPU;
const STAT = '/proc/self/stat';
/** Of a clock tick of the system. */
const TICKS_PER_SECOND = 100;

if (place !== undefined && existsSync(STAT)) {
  const before = secondsSoFar();
  afterAll(() => {
    const now = secondsSoFar();
    const programs = now.programs - before.programs;
    const sum = now.own - before.own + programs;
    appendFileSync(place, `${sum.toFixed(2)} ${programs.toFixed(2)} ${expect.getState().testPath}\n`);
  });
}

/** Its own time and that of the programs that ended, both in user and in system mode. */
function secondsSoFar(): { readonly own: number; readonly programs: number } {
  const [user = 0, system = 0, userOfPrograms = 0, systemOfPrograms = 0] = readFileSync(STAT, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
  return { own: user + system, programs: userOfPrograms + systemOfPrograms };
}
