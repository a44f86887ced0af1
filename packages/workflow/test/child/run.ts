import { spawn } from 'node:child_process';
import type { ChildReport, ChildTask } from './task.js';

/** Runs the child to its end: what it reports, or the signal that ended it. */
export function runChild(program: string, task: ChildTask): Promise<ChildReport | string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, JSON.stringify(task)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('close', (code, signal) => {
      if (signal !== null) return resolve(signal);
      if (code !== 0) return reject(new Error(`the child ended with ${code}: ${errors}`));
      resolve(JSON.parse(out) as ChildReport);
    });
  });
}
