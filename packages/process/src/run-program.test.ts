import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readProcesses } from '../../../scripts/family/process-table.mjs';
import { runs, sampled } from '../../../test/runs.js';
import { childEnvironment } from './environment.js';
import { type ProgramCall, runProgram } from './run-program.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'cuebook-program-')));
  folders.push(made);
  return made;
}

const env = childEnvironment(process.env, []);
const call = (cwd: string, script: string, more: Partial<ProgramCall> = {}): ProgramCall => ({
  command: 'sh',
  args: ['-c', script],
  cwd,
  env,
  maxStdoutBytes: 10_000,
  maxStderrBytes: 10_000,
  graceMs: 50,
  ...more,
});

/** What runs `NOTE` leaves its number in the folder, for as long as it is not ended, and then runs on. */
const NOTE = (name: string) => `echo $$ > ${name}.pid`;
const HANG = 'while :; do sleep 600; done';

/** Programs that do not want to end, by what they do. Each has left the number of one process in `x.pid`. */
const NASTY: Readonly<Record<string, string>> = {
  'one in the background': `sh -c '${NOTE('x')}; ${HANG}' &`,
  'a session of its own': `setsid sh -c '${NOTE('x')}; ${HANG}' &`,
  'a daemon: two forks, a session, no streams': `( setsid sh -c '${NOTE('x')}; ${HANG}' </dev/null >/dev/null 2>&1 & )`,
  'a daemon in another folder': `d=$PWD; ( cd / && setsid sh -c "echo \\$\\$ > $d/x.pid; ${HANG}" </dev/null >/dev/null 2>&1 & )`,
  'a session without an environment': `( env -i PATH="$PATH" setsid sh -c '${NOTE('x')}; ${HANG}' </dev/null >/dev/null 2>&1 & )`,
  'a daemon three forks deep without an environment': `( ( env -i PATH="$PATH" setsid sh -c '( env -i PATH="$PATH" setsid sh -c "echo \\$\\$ > x.pid; ${HANG}" & )' >/dev/null 2>&1 & ) & )`,
  'one that hears no request to end': `( setsid sh -c 'trap "" TERM INT HUP QUIT; ${NOTE('x')}; ${HANG}' & )`,
  'one that starts another when it is asked to end': `( setsid sh -c 'trap "setsid sleep 600 &" TERM; ${NOTE('x')}; while :; do sleep 0.01; done' & )`,
  'one that holds the output open': `( setsid sh -c '${NOTE('x')}; ${HANG}' </dev/null & )`,
  'one that writes without end': `( setsid sh -c '${NOTE('x')}; exec yes' & )`,
  'one that is stopped': `( setsid sh -c '${NOTE('x')}; kill -STOP $$; ${HANG}' </dev/null >/dev/null 2>&1 & )`,
  'one behind nohup': `nohup sh -c '${NOTE('x')}; ${HANG}' >/dev/null 2>&1 &`,
  'many at once': `for n in 1 2 3 4 5 6 7 8 9; do setsid sh -c 'echo $$ > '$n'.pid; ${HANG}' & done; setsid sh -c 'trap "" TERM; ${NOTE('x')}; ${HANG}' &`,
};
/** A process in a session of its own is always among them, with the mark in its environment and without. */
const ALWAYS = ['a session of its own', 'a session without an environment'];
const NASTY_SAMPLE = [
  ...Object.entries(NASTY).filter(([title]) => ALWAYS.includes(title)),
  ...sampled(
    Object.entries(NASTY).filter(([title]) => !ALWAYS.includes(title)),
    3,
  ),
];
const UP = 'until [ -s x.pid ]; do sleep 0.01; done; ';

/** The processes whose working folder is the one of the test, or whose number was left there. */
function alive(cwd: string): readonly number[] {
  const noted = readdirSync(cwd)
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number(readFileSync(join(cwd, name), 'utf8')));
  return readProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => noted.includes(pid) || isIn(pid, cwd));
}

function isIn(pid: number, cwd: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cwd;
  } catch {
    return false; // It ended in between.
  }
}

describe.skipIf(process.platform !== 'linux')('nothing is left alive', () => {
  it.each(NASTY_SAMPLE)('normal exit: %s', async (_title, script) => {
    const cwd = folder();
    const end = await runProgram(call(cwd, `${script}\n${UP} exit 3`));
    expect(alive(cwd)).toEqual([]);
    expect(end).toMatchObject({ code: 3, signal: null });
    expect(end.ended).toBeUndefined();
  });

  it.each(NASTY_SAMPLE)('time-out: %s', async (_title, script) => {
    const cwd = folder();
    const end = await runProgram(call(cwd, `trap "" TERM\n${script}\n${UP} ${HANG}`, { timeoutMs: 700 }));
    expect(alive(cwd)).toEqual([]);
    expect(end).toMatchObject({ ended: 'time', signal: 'SIGKILL' });
  });

  it.each(NASTY_SAMPLE)('abort: %s', async (_title, script) => {
    const cwd = folder();
    const stop = new AbortController();
    const running = runProgram(call(cwd, `${script}\n${UP} ${HANG}`, { signal: stop.signal }));
    while (!existsSync(join(cwd, 'x.pid'))) await wait(5);
    stop.abort();
    const end = await running;
    expect(alive(cwd)).toEqual([]);
    expect(end.ended).toBe('abort');
  });

  it('a chain that forks and ends without pause', async () => {
    const cwd = folder();
    const chain = `perl -e '$SIG{TERM} = "IGNORE"; open F, ">", "x.pid"; print F $$; close F; while (1) { exit if fork }' &`;
    const end = await runProgram(
      call(cwd, `trap "" TERM; echo $$ > group\n${chain}\n${UP} ${HANG}`, { timeoutMs: 3_000 }),
    );
    const group = Number(readFileSync(join(cwd, 'group'), 'utf8'));
    // No look at the processes is sure to see one of the chain, but a signal reaches it. The dead are reached as well
    // until somebody has noticed that they ended.
    const reaches = (signal: 'SIGKILL' | 0) => {
      try {
        return process.kill(-group, signal);
      } catch {
        return false;
      }
    };
    for (let look = 0; look < 600 && reaches(0); look += 1) await wait(100);
    expect(reaches('SIGKILL')).toBe(false);
    expect(end).toMatchObject({ ended: 'time', signal: 'SIGKILL' });
  });

  it('one that is aborted before it starts', async () => {
    const cwd = folder();
    const end = await runProgram(call(cwd, HANG, { signal: AbortSignal.abort() }));
    expect(end.ended).toBe('abort');
    expect(alive(cwd)).toEqual([]);
  });

  it('and no process beside it is touched', async () => {
    const [first, second] = [folder(), folder()];
    const stop = new AbortController();
    const beside = runProgram(call(first, `${NOTE('x')}; ${HANG}`, { signal: stop.signal }));
    while (!existsSync(join(first, 'x.pid'))) await wait(5);
    await runProgram(call(second, `setsid sleep 600 & exit 0`));
    expect(alive(first)).not.toEqual([]);
    stop.abort();
    await beside;
    expect(alive(first)).toEqual([]);
  });
});

describe('a program', () => {
  it('runs no longer than its time', async () => {
    const end = await runProgram(call(folder(), 'exec sleep 3', { timeoutMs: 20 }));
    expect(end).toMatchObject({ ended: 'time', code: null, signal: 'SIGTERM' });
  });

  it('reads its input and gives both streams and its code', async () => {
    const end = await runProgram(call(folder(), 'cat; echo oh >&2; exit 7', { input: 'grüße' }));
    expect(end).toMatchObject({ code: 7, signal: null, isStdoutCut: false, isStderrCut: false });
    expect([end.stdout.toString(), end.stderr.toString()]).toEqual(['grüße', 'oh\n']);
  });

  it('finds its input closed when there is none', async () => {
    const end = await runProgram(call(folder(), 'read line; echo "$?"'));
    expect(end.stdout.toString()).toBe('1\n');
  });

  it('no shell reads its arguments, for any words', async () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
      fc.constantFrom(
        '',
        ' ',
        '-c',
        '--',
        '$(touch ran)',
        '`touch ran`',
        '; touch ran',
        '"',
        "'",
        '\n',
        '*',
        '$1',
      ),
    );
    const cwd = folder();
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
        const given = words.map((text) => text.toWellFormed());
        const end = await runProgram({
          ...call(cwd, ''),
          command: process.execPath,
          args: ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...given],
        });
        expect(JSON.parse(end.stdout.toString())).toEqual(given);
        expect(existsSync(join(cwd, 'ran'))).toBe(false);
      }),
      runs(10, 300),
    );
  });

  it('has the environment that it was given, the mark, and nothing else', async () => {
    const given = { PATH: process.env.PATH ?? '', LIMIT: 'x', OLDPWD: '/nowhere' };
    const end = await runProgram({ ...call(folder(), ''), command: 'env', args: [], env: given });
    const names = end.stdout
      .toString()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names.filter(Boolean).sort()).toEqual(['CUEBOOK_CHILD', 'LIMIT', 'OLDPWD', 'PATH']);
  });

  it.each([
    ['a program that is not there', { command: 'no-such-program-anywhere' }, 'missing'],
    ['a path that is not there', { command: './no-such-program' }, 'missing'],
    ['a word of the shell', { command: 'shift' }, 'missing'],
    ['a folder that is not there', { cwd: '/nowhere/at/all' }, 'missing'],
    ['a file that is no program', { command: join(import.meta.dirname, 'launch.ts') }, 'denied'],
    ['a command line of 4 MB', { args: ['x'.repeat(4 << 20)] }, 'too-big'],
    ['a zero byte', { args: ['a\0b'] }, 'start'],
  ] as const)('answers %s with a value', async (_title, more, kind) => {
    const end = await runProgram({ ...call(folder(), 'exit 0'), ...more });
    expect(end.failure?.kind).toBe(kind);
    expect(end).toMatchObject({ code: null, signal: null });
    expect(end.stderr.toString()).toBe('');
  });

  it.each([126, 127])('that exits with %i by itself has run', async (code) => {
    const end = await runProgram(call(folder(), `exit ${code}`));
    expect(end.failure).toBeUndefined();
    expect(end.code).toBe(code);
  });

  it('output past the limit is cut, and the program goes on', async () => {
    const script =
      'head -c 3000000 /dev/zero | tr "\\0" x; head -c 3000000 /dev/zero | tr "\\0" y >&2; exit 4';
    const end = await runProgram(call(folder(), script, { maxStdoutBytes: 100, maxStderrBytes: 50 }));
    expect(end).toMatchObject({ code: 4, isStdoutCut: true, isStderrCut: true });
    expect([end.stdout.toString(), end.stderr.toString()]).toEqual(['x'.repeat(100), 'y'.repeat(50)]);
  });

  it('output past the limit ends it, where that is asked for', async () => {
    const end = await runProgram(call(folder(), 'yes', { overflow: 'end', maxStdoutBytes: 100 }));
    expect(end).toMatchObject({ ended: 'output', isStdoutCut: true });
    expect(end.stdout).toHaveLength(100);
  });

  it('the last words of standard error are kept, where that is asked for', async () => {
    const script = 'head -c 100000 /dev/zero | tr "\\0" y >&2; printf "the end" >&2';
    const end = await runProgram(call(folder(), script, { keepStderr: 'last', maxStderrBytes: 10 }));
    expect(end.stderr.toString()).toBe('yyythe end');
  });

  it('that does not read its input ends as it likes', async () => {
    const end = await runProgram(call(folder(), 'exit 5', { input: 'x'.repeat(4 << 20) }));
    expect(end.code).toBe(5);
  });
});
