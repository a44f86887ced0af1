import { spawn } from 'node:child_process';
import type { LaunchOptions } from './launch.js';

/**
 * Runs a program that a person works with, such as an editor: it has our terminal, so it stays in our session and the
 * person ends it. Answers its exit code; 1 where it could not be run or was ended.
 */
export const runForeground = ({ command, args, cwd, env }: LaunchOptions): Promise<number> =>
  new Promise((resolve) => {
    try {
      const child = spawn(command, [...args], { cwd, env: { ...env }, stdio: 'inherit' });
      child.once('error', () => resolve(1));
      child.once('exit', (code) => resolve(code ?? 1));
    } catch {
      resolve(1); // A command line that no system takes.
    }
  });
