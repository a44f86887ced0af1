import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';

// Set-up of every test file. With `CUEBOOK_CPU=FILE` each appends a line: the processor time that it took in seconds,
// with the programs that it started and waited for, the part of those programs, and its name. Each of its tests that
// took a tenth of a second or more has a line as well. Wall time says little on a busy machine.

const place = process.env.CUEBOOK_CPU;
const STAT = '/proc/self/stat';
/** Of a clock tick of the system. */
const TICKS_PER_SECOND = 100;
const LEAST = 0.1;

if (place !== undefined && existsSync(STAT)) {
  const ofFile = stopwatch();
  let ofTest = stopwatch();
  beforeEach(() => {
    ofTest = stopwatch();
  });
  afterEach(() => {
    const { testPath, currentTestName } = expect.getState();
    if (ofTest().sum >= LEAST) tell(ofTest(), `${testPath} > ${currentTestName}`);
  });
  afterAll(() => tell(ofFile(), `${expect.getState().testPath}`));
}

interface Spent {
  readonly sum: number;
  readonly programs: number;
}

function tell({ sum, programs }: Spent, name: string): void {
  appendFileSync(place ?? '', `${sum.toFixed(2)} ${programs.toFixed(2)} ${name.replaceAll('\n', ' ')}\n`);
}

/** What is spent from now on, by this process and by the programs that have ended. */
function stopwatch(): () => Spent {
  const before = secondsSoFar();
  return () => {
    const now = secondsSoFar();
    const programs = now.programs - before.programs;
    return { sum: now.own - before.own + programs, programs };
  };
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
