import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { WAIT_MS } from '../../../test/hung.js';
import { BIN } from './cuebook.js';

// A person at a terminal: `script` of util-linux gives the built command a real one.
/** The program that gives another one a terminal. */
export const TERMINAL = '/usr/bin/script';

/** Why there is no terminal here; empty where there is one. */
export const missing = existsSync(TERMINAL) ? '' : ' (skipped: the program script is not here)';

/** The command on a terminal of its own. */
export function terminal(cwd: string, args: string) {
  // The shell says its process id, and becomes the command.
  const command = `stty cols 120 rows 40; echo pid=$$; exec '${process.execPath}' '${BIN}' ${args}`;
  const child = spawn(TERMINAL, ['-qfec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm', NO_COLOR: '1' },
  });
  const watched = watch(child);
  const types = (line: string) => child.stdin.write(`${line}\r`);
  const pid = (): number => Number(/pid=(\d+)/.exec(watched.seen())?.[1]);
  return { ...watched, types, pid };
}

/** What a program prints, and how it ends. */
export function watch(child: ChildProcessWithoutNullStreams) {
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let seen = '';
  let wake: () => void = () => undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      seen += text;
      wake();
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => {
      resolve(code);
      wake();
    });
  });
  return {
    ended,
    seen: () => seen,
    async sees(what: string | RegExp): Promise<void> {
      const isThere = () => (typeof what === 'string' ? seen.includes(what) : what.test(seen));
      while (!isThere()) {
        if (child.exitCode !== null) throw new Error(`it ended without ${what}:\n${seen}`);
        await new Promise<void>((resolve, reject) => {
          wake = resolve;
          setTimeout(() => reject(new Error(`waits for ${what} in vain:\n${seen}`)), WAIT_MS).unref();
        });
      }
    },
  };
}
