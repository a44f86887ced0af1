import { type ChildProcess, spawn } from 'node:child_process';
import type { ChildTask } from './task.js';

/** A child that runs, and how it ends. */
export interface Child {
  readonly process: ChildProcess;
  readonly started: Promise<void>;
  /** The signal that ended it, or its exit code. */
  readonly ended: Promise<string | number | null>;
  readonly errors: () => string;
}

export function startChild(program: string, task: ChildTask): Child {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (bytes) => {
    errors += bytes;
  });
  const ended = new Promise<string | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const started = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    ended.then((how) => reject(new Error(`the child ended with ${how}: ${errors}`)));
  });
  started.catch(() => undefined); // Only some tests ask.
  return { process: child, started, ended, errors: () => errors };
}
